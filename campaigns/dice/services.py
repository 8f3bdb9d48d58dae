"""Replacing a match's dice that can't be rolled any more."""

from __future__ import annotations

from django.db import transaction

from battles.models import SealedDice
from battles.services.dice import dice_seal, has_key
from campaigns.diary import match_diary
from campaigns.locks import match_lock, require_undecided
from campaigns.models import Match, MatchPreparation
from rosters.models import Player
from rosters.services import RefusedError
from systems.force_limits import SIDES


@transaction.atomic
def match_dice_replace(*, match: Match, by: Player) -> Match:
    """Give the match new dice with the same words, because the server has lost the key of the old ones.

    The dice of its sides' support rolls are replaced too while the lists aren't revealed. Refused while the old dice
    can roll, or else people might shop for better ones. Support already rolled stands, and the activity log has both
    hashes.
    """
    locked = match_lock(match)
    require_undecided(locked)
    before, musters = locked.dice, musters_without_key(locked)
    if before is None and not musters:
        raise RefusedError("dice", "This match has no sealed dice.")
    if (before is None or has_key(before)) and not musters:
        raise RefusedError("dice", "These dice can roll; nobody gets others.")
    if before is not None and not has_key(before):
        locked.dice = _other_dice(locked, before, "other dice sealed", by)
        locked.save(update_fields=["dice"])
    for muster in musters:
        side = SIDES[muster.side]
        muster.dice = _other_dice(locked, muster.dice, f"other dice sealed for support rolls of the {side}", by)
        muster.save(update_fields=["dice"])
    return locked


def musters_without_key(match: Match) -> list[MatchPreparation]:
    """Return the musters of a match with unrevealed lists whose dice the server has lost the key of."""
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
        f"{match.round}, {match}: {what}, the key of the old ones is lost. "
        f"The hash was {before.commitment} and is {dice.commitment}"
    )
    match_diary(match, text, by)
    return dice
