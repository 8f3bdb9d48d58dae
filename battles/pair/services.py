"""Store a phone's list of rolls, once; delete old ones."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from battles.models import PairedDice, PairedList
from rosters.services import RefusedError
from rosters.services._base import clean_text
from rosters.site.clearing import Clearing, clear_rows
from rosters.site.keeping import expiry_cutoff
from systems.documents import parse_document
from systems.engine.paired import links_of

from .sent import PairedListDocument

A_DAY, MAX_LISTS_A_DAY = timedelta(days=1), 20  # pairs that one asker may send
MAX_BODY_BYTES = 200_000  # bytes


@transaction.atomic
def paired_list_save(*, document: bytes | str, visitor: str) -> PairedDice:
    """Store this list and return its pair; the same list again changes nothing, another from that phone is refused.

    Raises DocumentError or RefusedError.
    """
    sent = parse_document(PairedListDocument, document, "list")
    if sent.sealed == sent.other:
        raise RefusedError("other", "Both phones have the same seal; dice of two need two.")
    if links_of(sent.last)[0] != sent.sealed:
        raise RefusedError("last", "This is not the end of the chain that was sealed.")
    numbers = [row.roll for row in sent.rolls]
    if len(set(numbers)) < len(numbers):
        raise RefusedError("rolls", "A roll stands in the list twice.")
    side = int(sent.sealed > sent.other)
    first, second = sorted((sent.sealed, sent.other))
    pair = PairedDice.objects.filter(first=first, second=second).first()
    if pair is None:
        _check_limit(visitor)
        pair, _ = PairedDice.objects.get_or_create(first=first, second=second, defaults={"asked_from": visitor})
    PairedDice.objects.select_for_update(no_key=True).get(pk=pair.pk)
    rolls = [row.model_dump(mode="json") for row in sorted(sent.rolls, key=lambda each: each.roll)]
    name = clean_text("name", sent.name, longest=40)
    known = PairedList.objects.filter(dice=pair, side=side).first()
    if known is None:
        PairedList.objects.create(dice=pair, side=side, name=name, last=sent.last, rolls=rolls)
    elif known.rolls != rolls:
        raise RefusedError("rolls", "This phone has sent another list before; the first one stands.")
    return pair


def _check_limit(visitor: str) -> None:
    rows = PairedDice.objects.filter(asked_from=visitor, at__gt=timezone.now() - A_DAY)
    if rows.count() >= MAX_LISTS_A_DAY:
        raise RefusedError(
            "dice", f"That were {MAX_LISTS_A_DAY} lists in a day; send this one tomorrow. It stays on the phone."
        )


def clear_paired_dice(run: Clearing) -> int:
    """Delete lists that were sent long ago."""
    old = expiry_cutoff(run.now, settings.KEEP_VISITORS_DAYS)
    return 0 if old is None else clear_rows(PairedDice.objects.filter(at__lt=old).only("pk"), run)
