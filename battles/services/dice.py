"""Sealed dice: sealed, given words by the players, used, and opened."""

import secrets

from django.db import transaction
from django.utils import timezone

from battles.engine.sealed import commitment, sealed_seed
from battles.models import SealedDice
from rosters.services import RefusedError
from rosters.services._base import clean_text

WORDS_LONGEST = 100


def dice_seal() -> SealedDice:
    """New dice: the secret is drawn and its hash can be shown."""
    secret = secrets.token_hex(32)
    return SealedDice.objects.create(secret=secret, commitment=commitment(secret))


@transaction.atomic
def dice_add_words(*, dice: SealedDice, who: str, text: str) -> SealedDice:
    """The dice with a player's own words in them, in place of his earlier ones; refused once they have rolled."""
    locked = SealedDice.objects.select_for_update().get(pk=dice.pk)
    if locked.used_at is not None:
        raise RefusedError("words", "These dice have rolled already; words had to be in before.")
    text = clean_text("words", text, longest=WORDS_LONGEST, may_be_empty=True)
    others = [pair for pair in locked.words if pair[0] != who]
    locked.words = sorted([*others, [who, text]]) if text else others
    locked.save(update_fields=["words"])
    return locked


@transaction.atomic
def dice_use(*, dice: SealedDice, purpose: str) -> int:
    """The seed of these dice for one purpose; the same whenever it is asked for. Closes the words."""
    locked = SealedDice.objects.select_for_update().get(pk=dice.pk)
    if locked.used_at is None:
        locked.used_at = timezone.now()
        locked.save(update_fields=["used_at"])
    return sealed_seed(locked.secret, purpose, [text for _, text in locked.words])


@transaction.atomic
def dice_open(*, dice: SealedDice) -> SealedDice:
    """Shows the secret, once nothing is left to roll with it."""
    locked = SealedDice.objects.select_for_update().get(pk=dice.pk)
    if locked.revealed_at is None:
        locked.revealed_at = timezone.now()
        locked.save(update_fields=["revealed_at"])
    return locked
