"""Provably fair dice: seal, add words, use, reveal, and prove them."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from battles.models import Battle, SealedDice
from rosters.database.queries import PreparedQuery
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services.base import clean_text
from systems.engine.dice import commitment, hide_secret, key_name, sealed_seed

log = logging.getLogger(__name__)
MAX_WORDS_LENGTH = 100


class DiceKeyLostError(RefusedError):
    """Raised when the server no longer has the key for a secret."""

    def __init__(self) -> None:
        super().__init__(
            "dice",
            "The server's key for these dice is missing. The operator must restore it (MUSTER_DICE_KEY, or "
            "dice-key in MUSTER_VAR). For a match, an organiser can seal new dice.",
        )


def dice_seal(*, actor: Player | None = None, visitor: str = "") -> SealedDice:
    """Create dice: a random secret, whose hash can be shown.

    The secret itself is in no row until it is revealed.
    """
    secret, dice, key = secrets.token_hex(32), SealedDice(), settings.DICE_KEYS[0]
    dice.commitment, dice.hidden, dice.hidden_under = (
        commitment(secret),
        hide_secret(secret, key, str(dice.key)),
        key_name(key),
    )
    dice.asked_by, dice.asked_from = actor, "" if actor else visitor
    dice.save()
    return dice


def dice_secret(dice: SealedDice) -> str:
    """Return the secret, even of dice not revealed yet. It is for rolls on the server and must never be shown.

    Raises DiceKeyLostError.
    """
    if not dice.hidden:
        return dice.secret
    for key in settings.DICE_KEYS:
        secret = hide_secret(dice.hidden, key, str(dice.key))
        if key_name(key) == dice.hidden_under and commitment(secret) == dice.commitment:
            return secret
    raise DiceKeyLostError


def has_key(dice: SealedDice) -> bool:
    """Return whether the server has the key to roll with these dice."""
    return not dice.hidden or dice.hidden_under in map(key_name, settings.DICE_KEYS)


def dice_waiting(*, actor: Player | None, visitor: str) -> SealedDice | None:
    """Return the dice for the asker's next battle, sealed before they choose that battle.

    None for an unknown visitor, who has no session yet.
    """
    if actor is None and not visitor:
        return None
    of_him, of_visitor = _waiting(tuple(key_name(key) for key in settings.DICE_KEYS))
    waiting = of_him.row(asked_by=actor.pk) if actor else of_visitor.row(asked_from=visitor)
    return waiting or dice_seal(actor=actor, visitor=visitor)


@cache
def _waiting(keys: tuple[str, ...]) -> tuple[PreparedQuery[SealedDice], PreparedQuery[SealedDice]]:
    """Return queries for the first unused dice of a player, and of a visitor, sealed under these keys."""
    sealed = SealedDice.objects.filter(used_at=None, hidden_under__in=keys).order_by("pk")
    return (
        PreparedQuery(lambda asked_by: sealed.filter(asked_by=asked_by)[:1], asked_by=int),
        PreparedQuery(lambda asked_from: sealed.filter(asked_by=None, asked_from=asked_from)[:1], asked_from=str),
    )


@transaction.atomic
def dice_take(*, actor: Player | None, visitor: str, words: str = "", commitment: str = "") -> SealedDice:
    """Take the asker's waiting dice for good, with these words in them; nobody can take them again.

    `commitment` is the hash that the asker saw. Raises RefusedError if those dice are gone, rather than use others. An
    unknown visitor has no waiting dice: they get new ones, and can't name any.
    """
    waiting = SealedDice.objects.select_for_update(no_key=True).filter(used_at=None)
    taken = dice_seal() if actor is None and not visitor and not commitment else None
    if commitment:
        taken = waiting.filter(**_asker(actor, visitor), commitment=commitment).first()
        if taken is None:
            raise RefusedError(
                "dice",
                "You have already used these dice for another battle. Note the new hash, then start the battle again.",
            )
    while taken is None:  # another request may take the waiting dice first
        found = dice_waiting(actor=actor, visitor=visitor)
        taken = waiting.filter(pk=found.pk).first() if found else None
    if words:
        dice_add_words(dice=taken, who=str(actor) if actor else "visitor", text=words)
    SealedDice.objects.filter(pk=taken.pk).update(used_at=timezone.now())
    return SealedDice.objects.get(pk=taken.pk)


def _asker(actor: Player | None, visitor: str) -> dict[str, object]:
    """Return the filter for the asker's waiting dice.

    Dice of matches belong to nobody, so the filter for an unknown visitor matches nothing.
    """
    if actor is None and not visitor:
        return {"pk": None}
    return {"asked_by": actor} if actor else {"asked_by": None, "asked_from": visitor}


@transaction.atomic
def dice_add_words(*, dice: SealedDice, who: str, text: str) -> SealedDice:
    """Put a player's words into the dice, in place of earlier ones. Refused once the dice have rolled."""
    locked = SealedDice.objects.select_for_update(no_key=True).get(pk=dice.pk)
    if locked.used_at is not None or locked.revealed_at is not None:
        raise RefusedError("words", "These dice have already been rolled. You can't add your contribution any more.")
    text = clean_text("words", text, longest=MAX_WORDS_LENGTH, may_be_empty=True)
    others = [pair for pair in locked.words if pair[0] != who]
    locked.words = sorted([*others, [who, text]]) if text else others
    locked.save(update_fields=["words"])
    return locked


@transaction.atomic
def dice_use(*, dice: SealedDice, purpose: str) -> int:
    """Return the seed of these dice for one purpose, the same every time. No words can be added afterwards.

    Raises DiceKeyLostError.
    """
    locked = SealedDice.objects.select_for_update(no_key=True).get(pk=dice.pk)
    if locked.used_at is None or purpose not in locked.uses:
        locked.used_at = locked.used_at or timezone.now()
        locked.uses = [*locked.uses, purpose]
        locked.save(update_fields=["used_at", "uses"])
    return sealed_seed(dice_secret(locked), purpose, [text for _, text in locked.words])


@transaction.atomic
def dice_open(*, dice: SealedDice) -> SealedDice:
    """Reveal the secret, after the last roll.

    Dice whose key is lost stay sealed.
    """
    locked = SealedDice.objects.select_for_update(no_key=True).get(pk=dice.pk)
    if locked.revealed_at is not None:
        return locked
    try:
        locked.secret = dice_secret(locked)
    except DiceKeyLostError:
        log.warning("%s stay closed: the key is missing that they were sealed under", locked)
        return locked
    locked.hidden, locked.hidden_under, locked.revealed_at = "", "", timezone.now()
    locked.save(update_fields=["secret", "hidden", "hidden_under", "revealed_at"])
    return locked


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceProof:
    """The revealed dice of a battle."""

    commitment: str
    purpose: str
    words: tuple[str, ...]
    secret: str
    holds: bool  # the hash matches the secret, and so does the seed


def dice_proof(battle: Battle) -> DiceProof | None:
    """Return the proof; None before the dice are revealed, and for a battle without dice or seed. Makes one query."""
    dice = battle.dice if battle.seed else None
    if dice is None or dice.revealed_at is None:
        return None
    words = tuple(text for _, text in dice.words)
    return DiceProof(
        commitment=dice.commitment,
        purpose="battle",
        words=words,
        secret=dice.secret,
        holds=commitment(dice.secret) == dice.commitment
        and str(sealed_seed(dice.secret, "battle", words)) == battle.seed,
    )
