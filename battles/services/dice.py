"""Sealed dice: sealed, given words by the players, used, and opened."""

import secrets

from django.db import transaction
from django.utils import timezone

from battles.engine.sealed import commitment, sealed_seed
from battles.models import SealedDice
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services._base import clean_text

WORDS_LONGEST = 100


def dice_seal(*, actor: Player | None = None, visitor: str = "") -> SealedDice:
    """New dice: the secret is drawn and its hash can be shown."""
    secret = secrets.token_hex(32)
    return SealedDice.objects.create(
        secret=secret, commitment=commitment(secret), asked_by=actor, asked_from="" if actor else visitor
    )


@transaction.atomic
def dice_waiting(*, actor: Player | None, visitor: str) -> SealedDice | None:
    """The dice that this one's next battle will be fought with: sealed before he has said what battle that is.

    None for a visitor of whom nothing is known, not even a session.
    """
    if actor is None and not visitor:
        return None
    asker = {"asked_by": actor} if actor else {"asked_by": None, "asked_from": visitor}
    waiting = SealedDice.objects.filter(**asker, used_at=None).order_by("pk").first()
    return waiting or dice_seal(actor=actor, visitor=visitor)


@transaction.atomic
def dice_take(*, actor: Player | None, visitor: str, words: str = "") -> SealedDice:
    """The waiting dice with these words, taken for good: nobody gets them a second time."""
    waiting = dice_waiting(actor=actor, visitor=visitor) or dice_seal()
    if words:
        dice_add_words(dice=waiting, who=str(actor) if actor else "visitor", text=words)
    taken = SealedDice.objects.filter(pk=waiting.pk, used_at=None).update(used_at=timezone.now())
    return SealedDice.objects.get(pk=waiting.pk) if taken else dice_seal()


@transaction.atomic
def dice_add_words(*, dice: SealedDice, who: str, text: str) -> SealedDice:
    """The dice with a player's own words in them, in place of his earlier ones; refused once they have rolled."""
    locked = SealedDice.objects.select_for_update(no_key=True).get(pk=dice.pk)
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
    locked = SealedDice.objects.select_for_update(no_key=True).get(pk=dice.pk)
    if locked.used_at is None or purpose not in locked.uses:
        locked.used_at = locked.used_at or timezone.now()
        locked.uses = [*locked.uses, purpose]
        locked.save(update_fields=["used_at", "uses"])
    return sealed_seed(locked.secret, purpose, [text for _, text in locked.words])


@transaction.atomic
def dice_open(*, dice: SealedDice) -> SealedDice:
    """Shows the secret, once nothing is left to roll with it."""
    locked = SealedDice.objects.select_for_update(no_key=True).get(pk=dice.pk)
    if locked.revealed_at is None:
        locked.revealed_at = timezone.now()
        locked.save(update_fields=["revealed_at"])
    return locked
