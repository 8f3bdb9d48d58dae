"""Provably fair dice as their page shows them: what can be shown now, and every seed once they are open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from battles.models import SealedDice
from systems.engine.dice import SeededDice, roll
from systems.engine.paired import is_next_link
from systems.engine.sealed import commitment, sealed_seed

PURPOSES = {
    "battle": "the battle",
    "support": "support rolls",
    "aftermath": "what the battle left behind",
}
FACES_SHOWN = 12

CHAINED = re.compile(r"(?:pair|ahead)-(\d{1,3})")  # rolls of two phones, and rolls prepared for one


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceUse:
    """One use of the dice."""

    purpose: str
    title: str
    seed: str = ""  # only once the dice are open
    faces: tuple[int, ...] = ()  # the first six-sided dice of that seed


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceSheet:
    commitment: str
    secret: str  # empty while they are sealed
    words: tuple[tuple[str, str], ...]  # player and text; texts are hidden while others may still add theirs
    sealed_at: datetime
    used_at: datetime | None
    opened_at: datetime | None
    uses: tuple[DiceUse, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceCheck:
    """The result of somebody's own check of dice."""

    commitment: str
    is_committed: bool | None  # None: no commitment was given to compare with
    seed: str
    faces: tuple[int, ...]


def dice_sheet(dice: SealedDice) -> DiceSheet:
    """Return what may be shown of the dice now. No query."""
    is_open = dice.revealed_at is not None
    texts = [text for _, text in dice.words]
    return DiceSheet(
        commitment=dice.commitment,
        secret=dice.secret if is_open else "",
        words=tuple((who, text if dice.used_at or is_open else "") for who, text in dice.words),
        sealed_at=dice.at,
        used_at=dice.used_at,
        opened_at=dice.revealed_at,
        uses=tuple(_use(dice.secret, purpose, texts, is_open) for purpose in dice.uses),
    )


def dice_check(*, secret: str, purpose: str, words: tuple[str, ...], given: str, sides: int = 6) -> DiceCheck:
    """Return the check that anyone can make: the hash of the secret, and the seed it gives."""
    found, seed = commitment(secret), sealed_seed(secret, purpose, words)
    is_committed = found == given.lower() if given else None
    chained = CHAINED.fullmatch(purpose)
    if given and chained:  # a chain is sealed by its first link
        is_committed = is_next_link(secret, int(chained[1]), given.upper())
    return DiceCheck(
        commitment=found,
        is_committed=is_committed,
        seed=str(seed),
        faces=_faces(seed, sides),
    )


def _use(secret: str, purpose: str, words: list[str], is_open: bool) -> DiceUse:
    title = PURPOSES.get(
        purpose, purpose.replace("table-", "the table’s roll ").replace("game-", "the game of pairing ")
    )
    if not is_open:
        return DiceUse(purpose=purpose, title=title)
    seed = sealed_seed(secret, purpose, words)
    return DiceUse(purpose=purpose, title=title, seed=str(seed), faces=_faces(seed))


def _faces(seed: int, sides: int = 6) -> tuple[int, ...]:
    dice = SeededDice(seed)
    return tuple(roll(dice, sides) for _ in range(FACES_SHOWN))
