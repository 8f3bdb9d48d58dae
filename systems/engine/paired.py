"""Dice of two phones without a network, from two chains of secrets.

Each phone seals its chain by its first link, and reveals a link for each roll. A link is the text of 16 bytes, the
first of the SHA-256 of the link after it; so anyone with the link of one roll can check it against the one before, and
nobody can calculate the next. Pure; docs/sealed-dice.md explains it, static/js/pair.js does the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from systems.engine.dice import SeededDice
from systems.engine.sealed import sealed_seed

PAIRED_FORMAT = "muster-pair/1"
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # without letters that are easily mistaken for others
LINK_PATTERN = re.compile(f"[{LETTERS}]{{26}}")
PAIRED_CHAIN_LENGTH = 300  # rolls per chain
MAX_DICE, DIE_SIDES = 20, (4, 6, 8, 10, 12, 20)


def link_before(link: str) -> str:
    """Return the link of the roll before this link's; before the link of the first roll comes the sealed one."""
    return link_text(hashlib.sha256(f"{PAIRED_FORMAT}\n{link}".encode()).digest()[:16])


def links_of(last: str, length: int = PAIRED_CHAIN_LENGTH) -> list[str]:
    """Return all links of a chain from its last one: the sealed one, then one for each roll."""
    links = [last]
    for _ in range(length):
        links.append(link_before(links[-1]))
    return links[::-1]


def is_next_link(link: str, roll: int, sealed: str) -> bool:
    """Return whether the link belongs to this roll in the chain that was sealed."""
    if not LINK_PATTERN.fullmatch(link) or not 0 < roll <= PAIRED_CHAIN_LENGTH:
        return False
    for _ in range(roll):
        link = link_before(link)
    return link == sealed


def link_text(data: bytes) -> str:
    """Return 16 bytes as 26 letters, two zero bits before them."""
    number = int.from_bytes(data)
    return "".join(LETTERS[number >> 5 * place & 31] for place in reversed(range(26)))


def pair_faces(links: Sequence[str], roll: int, count: int, sides: int) -> list[int]:
    """Return the faces of a roll from its two links.

    The link of the chain whose sealed link comes first in alphabetical order goes first.
    """
    one, other = links
    dice = SeededDice(sealed_seed(one, f"pair-{roll}", [other]))
    return [dice.face(sides) for _ in range(count)]
