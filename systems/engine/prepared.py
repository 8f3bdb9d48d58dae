"""Dice prepared for a player who goes offline: a chain of secrets, sealed beforehand by its first link.

The chain is that of `paired.py`, and its end follows from the secret of the table's sealed dice: so anyone with the
secret can calculate every roll, including those never made. Pure; docs/sealed-dice.md explains it, static/js/ahead.js
rolls with it.
"""

from __future__ import annotations

import hashlib

from systems.engine.dice import SeededDice
from systems.engine.paired import link_text, links_of
from systems.engine.sealed import sealed_seed

PREPARED_FORMAT = "muster-ahead/1"
PREPARED_CHAIN_LENGTH = 60  # rolls per chain


def ahead_last(secret: str, side: int, number: int) -> str:
    """Return the last link of a side's chain; chains are numbered from 1."""
    return link_text(hashlib.sha256(f"{PREPARED_FORMAT}\n{secret}\n{side}\n{number}".encode()).digest()[:16])


def ahead_links(last: str) -> list[str]:
    """Return all links of a chain from its last one: the sealed one, then one for each roll."""
    return links_of(last, PREPARED_CHAIN_LENGTH)


def ahead_purpose(roll: int) -> str:
    """Return the purpose of a roll, for its seed."""
    return f"ahead-{roll}"


def ahead_faces(link: str, roll: int, count: int, sides: int) -> list[int]:
    """Return the faces of a roll from its link."""
    dice = SeededDice(sealed_seed(link, ahead_purpose(roll)))
    return [dice.face(sides) for _ in range(count)]
