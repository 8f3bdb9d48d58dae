"""Dice prepared for one who goes where there is no network: a chain of secrets, sealed by its first link before he goes.

The chain is that of `paired.py`, and its end follows from the secret of the table's sealed dice: so whoever has the secret
can work out every roll, those that were never made too. Pure; docs/sealed-dice.md shows it, static/js/ahead.js rolls with it.
"""

from __future__ import annotations

import hashlib

from systems.engine.dice import SeededDice
from systems.engine.paired import link_text, links_of
from systems.engine.sealed import sealed_seed

FORMAT = "muster-ahead/1"
LENGTH = 60  # rolls of a chain


def ahead_last(secret: str, side: int, number: int) -> str:
    """The last link of the nth chain of a side, from 1."""
    return link_text(hashlib.sha256(f"{FORMAT}\n{secret}\n{side}\n{number}".encode()).digest()[:16])


def ahead_links(last: str) -> list[str]:
    """All links of a chain by its last one: the sealed one, then one for each roll."""
    return links_of(last, LENGTH)


def ahead_purpose(roll: int) -> str:
    """What a roll is called where its seed is made."""
    return f"ahead-{roll}"


def ahead_faces(link: str, roll: int, count: int, sides: int) -> list[int]:
    """What a roll shows by its link."""
    dice = SeededDice(sealed_seed(link, ahead_purpose(roll)))
    return [dice.face(sides) for _ in range(count)]
