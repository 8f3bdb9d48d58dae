"""Provably fair dice: sealed, rolled by two phones without a network, prepared for offline play. Pure.

Two phones, or a player who goes offline, roll from chains of secrets. The first link of a chain seals it, and each roll
reveals the next one. A link is the text of 16 bytes: the first 16 of the SHA-256 of the link after it. So anyone with
one roll's link can check it against the previous one, and nobody can calculate the next. The end of a prepared chain
follows from the secret of the table's sealed dice, so anyone with that secret can calculate all its rolls.

docs/sealed-dice.md explains it all; docs/decisions/0017-where-secrets-live.md explains how the secret is hidden. In the
browser, static/js/paired-dice.js and static/js/prepared-rolls.js do the same.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence

from systems.engine.dice import SeededDice

SEALED_FORMAT = "muster-dice/1"
HIDING_FORMAT = "muster-dice-hidden/1"


def commitment(secret: str) -> str:
    """Return the hash that is published before anybody rolls: SHA-256 of the secret's text, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def sealed_seed(secret: str, purpose: str, words: Sequence[str] = ()) -> int:
    """Return the seed for one use of the dice, 0 .. 2^64 - 1: the first 16 hex digits of SHA-256 over these lines."""
    lines = "\n".join([SEALED_FORMAT, secret, purpose, *words])
    return int(hashlib.sha256(lines.encode()).hexdigest()[:16], 16)


def key_name(key: str) -> str:
    """Return the stored name of a secret's key: enough to find the key, not enough to calculate it."""
    return hashlib.sha256(f"{HIDING_FORMAT}\nname\n{key}".encode()).hexdigest()[:16]


def hide_secret(secret: str, key: str, name: str) -> str:
    """Hide 64 hex digits, or reveal hidden ones.

    The pad depends on key and name, so a name stands for one secret only. The commitment shows whether the key was
    right.
    """
    pad = hmac.digest(key.encode(), f"{HIDING_FORMAT}\n{name}".encode(), "sha256")
    return bytes(left ^ right for left, right in zip(bytes.fromhex(secret), pad, strict=True)).hex()


PAIRED_FORMAT = "muster-pair/1"
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # without letters that look like others
LINK_PATTERN = re.compile(f"[{LETTERS}]{{26}}")
PAIRED_CHAIN_LENGTH = 300  # rolls per chain
MAX_DICE, DIE_SIDES = 20, (4, 6, 8, 10, 12, 20)


def link_before(link: str) -> str:
    """Return the previous roll's link; before the first roll's link comes the sealed one."""
    return link_text(hashlib.sha256(f"{PAIRED_FORMAT}\n{link}".encode()).digest()[:16])


def links_of(last: str, length: int = PAIRED_CHAIN_LENGTH) -> list[str]:
    """Return all links of a chain, calculated from the last: the sealed one, then one per roll."""
    links = [last]
    for _ in range(length):
        links.append(link_before(links[-1]))
    return links[::-1]


def is_next_link(link: str, roll: int, sealed: str) -> bool:
    """Return whether the link belongs to this roll in the sealed chain."""
    if not LINK_PATTERN.fullmatch(link) or not 0 < roll <= PAIRED_CHAIN_LENGTH:
        return False
    for _ in range(roll):
        link = link_before(link)
    return link == sealed


def link_text(data: bytes) -> str:
    """Return 16 bytes as 26 letters, after two leading zero bits."""
    number = int.from_bytes(data)
    return "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(26)))


def pair_faces(links: Sequence[str], roll: int, count: int, sides: int) -> list[int]:
    """Return the faces of a roll from its two links.

    The chain whose sealed link is first in alphabetical order comes first.
    """
    one, other = links
    dice = SeededDice(sealed_seed(one, f"pair-{roll}", [other]))
    return [dice.face(sides) for _ in range(count)]


PREPARED_FORMAT = "muster-ahead/1"
PREPARED_CHAIN_LENGTH = 60  # rolls per chain


def ahead_last(secret: str, side: int, number: int) -> str:
    """Return the last link of a side's chain; chains are numbered from 1."""
    return link_text(hashlib.sha256(f"{PREPARED_FORMAT}\n{secret}\n{side}\n{number}".encode()).digest()[:16])


def ahead_links(last: str) -> list[str]:
    """Return all links of a chain, calculated from the last: the sealed one, then one per roll."""
    return links_of(last, PREPARED_CHAIN_LENGTH)


def ahead_purpose(roll: int) -> str:
    """Return the purpose of a roll, for its seed."""
    return f"ahead-{roll}"


def ahead_faces(link: str, roll: int, count: int, sides: int) -> list[int]:
    """Return the faces of a roll from its link."""
    dice = SeededDice(sealed_seed(link, ahead_purpose(roll)))
    return [dice.face(sides) for _ in range(count)]
