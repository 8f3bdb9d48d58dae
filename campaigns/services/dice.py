"""Other dice for a match whose own can't roll any more."""

from __future__ import annotations

from django.db import transaction

from battles.services.dice import dice_seal, has_key
from campaigns.models import Match
from rosters.models import Player
from rosters.services import RefusedError

from ._base import match_diary, match_lock, undecided


@transaction.atomic
def match_dice_seal_anew(*, match: Match, by: Player) -> Match:
    """The match with new dice and the words that were in the old ones, for a key that the server has lost.

    Refused while the old ones can roll: whoever could have others might shop for them. What they rolled for support
    stands, and the diary has both hashes.
    """
    locked = match_lock(match)
    undecided(locked)
    before = locked.dice
    if before is None:
        raise RefusedError("dice", "This match has no sealed dice.")
    if has_key(before):
        raise RefusedError("dice", "These dice can roll; nobody gets others.")
    dice = dice_seal()
    dice.words = before.words
    dice.save(update_fields=["words"])
    locked.dice = dice
    locked.save(update_fields=["dice"])
    text = (
        f"{locked.round}, {locked}: other dice sealed, the key of the old ones is lost. "
        f"The hash was {before.commitment} and is {dice.commitment}"
    )
    match_diary(locked, text, by)
    return locked
