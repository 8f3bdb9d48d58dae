"""The provably fair dice of a match: their page, their check, and replacing dice whose key is lost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from battles.models import SealedDice
from battles.services.dice import dice_seal, has_key
from campaigns.activity_log import log_match_activity
from campaigns.locks import match_lock, require_undecided
from campaigns.models import Match, MatchPreparation
from rosters.models import Player
from rosters.services import RefusedError
from systems.engine.dice import SeededDice, commitment, is_next_link, roll, sealed_seed
from systems.scenarios import SIDES

PURPOSES = {
    "battle": "the battle",
    "support": "support rolls",
    "aftermath": "aftermath",
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
    """Return the part of the dice that may be shown now. No query."""
    is_open = dice.revealed_at is not None
    texts = [text for _, text in dice.words]
    return DiceSheet(
        commitment=dice.commitment,
        secret=dice.secret if is_open else "",
        words=tuple((who, text if dice.used_at or is_open else "") for who, text in dice.words),
        sealed_at=dice.sealed_at,
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
        purpose, purpose.replace("table-", "game roll ").replace("game-", "choice of game for pairing ")
    )
    if not is_open:
        return DiceUse(purpose=purpose, title=title)
    seed = sealed_seed(secret, purpose, words)
    return DiceUse(purpose=purpose, title=title, seed=str(seed), faces=_faces(seed))


def _faces(seed: int, sides: int = 6) -> tuple[int, ...]:
    dice = SeededDice(seed)
    return tuple(roll(dice, sides) for _ in range(FACES_SHOWN))


@transaction.atomic
def match_dice_replace(*, match: Match, by: Player) -> Match:
    """Give the match new dice with the same words, because the server has lost the key of the old ones.

    The dice of its sides' support rolls are replaced too while the lists aren't revealed. Refused while the old dice
    can roll, so that nobody can try for better ones. Support already rolled stays, and the activity log has both
    hashes.
    """
    locked = match_lock(match)
    require_undecided(locked)
    before, preparations = locked.dice, preparations_without_key(locked)
    if before is None and not preparations:
        raise RefusedError("dice", "This match has no dice.")
    if (before is None or has_key(before)) and not preparations:
        raise RefusedError("dice", "These dice still work, so they can't be replaced.")
    if before is not None and not has_key(before):
        locked.dice = _other_dice(locked, before, "dice replaced", by)
        locked.save(update_fields=["dice"])
    for preparation in preparations:
        side = SIDES[preparation.side]
        preparation.dice = _other_dice(locked, preparation.dice, f"dice replaced for support rolls of the {side}", by)
        preparation.save(update_fields=["dice"])
    return locked


def preparations_without_key(match: Match) -> list[MatchPreparation]:
    """Return the preparations of a match whose lists are hidden, if the server has lost the key of their dice."""
    if match.setup is not None:
        return []
    rows = MatchPreparation.objects.filter(match=match).select_related("dice").order_by("side")
    return [row for row in rows if not has_key(row.dice)]


def _other_dice(match: Match, before: SealedDice, what: str, by: Player) -> SealedDice:
    """Return new dice with the same words; add both hashes to the activity log."""
    dice = dice_seal()
    dice.words = before.words
    dice.save(update_fields=["words"])
    text = (
        f"{match.round}, {match}: {what} because the key of the old ones is lost. The hash was "
        f"{before.commitment} and is now {dice.commitment}"
    )
    log_match_activity(match, text, by)
    return dice
