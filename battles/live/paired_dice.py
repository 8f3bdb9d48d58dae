"""Paired dice of two phones without a network: read and compare both lists, store them, delete old ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Literal
from urllib.parse import urlencode

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from pydantic import Field

from battles.live.dice import Fairness, faces_by_die, fairness
from battles.models import PairedDice, PairedList
from rosters.services import RefusedError
from rosters.services.base import clean_text
from rosters.site.retention import Clearing, clear_rows, expiry_cutoff
from systems.documents import Document, parse_document
from systems.engine.dice import MAX_DICE, PAIRED_CHAIN_LENGTH, is_next_link, links_of, pair_faces

Link = Annotated[str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{26}$")]
Verdict = Literal["proven", "half", "disputed"]


class PairRoll(Document):
    """A roll as one phone has it."""

    roll: Annotated[int, Field(ge=1, le=PAIRED_CHAIN_LENGTH)]
    by: Annotated[int, Field(ge=0, le=1)]  # the side that named its purpose
    count: Annotated[int, Field(ge=1, le=MAX_DICE)]
    sides: Literal[4, 6, 8, 10, 12, 20]
    about: Annotated[str, Field(max_length=80)]
    other: Link | None = None  # the other phone's link; None: it was not revealed
    refused: Annotated[str, Field(max_length=26)] = ""  # the wrong text that was revealed instead
    faces: Annotated[list[int], Field(max_length=MAX_DICE)] = []


class PairedListDocument(Document):
    """Everything that one phone sends."""

    muster: Literal["paired-dice/1"]
    sealed: Link  # of its own chain
    other: Link
    last: Link
    name: Annotated[str, Field(min_length=1, max_length=40)]
    rolls: Annotated[list[PairRoll], Field(max_length=PAIRED_CHAIN_LENGTH)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentList:
    """A list as it was sent."""

    name: str
    links: Sequence[str]  # of the whole chain
    rolls: Mapping[int, PairRoll]


@dataclass(frozen=True, slots=True, kw_only=True)
class RollVerdict:
    """A roll and its verdict."""

    roll: int
    by: str
    about: str
    count: int
    sides: int
    faces: tuple[int, ...]  # calculated from both links; empty if one is unknown
    check: str  # the query that lets anybody check it; empty if a link is unknown
    verdict: Verdict
    why: tuple[str, ...]


def list_rolls(sealed: tuple[str, str], lists: Sequence[SentList | None]) -> tuple[RollVerdict, ...]:
    """Return all rolls in the lists."""
    numbers = sorted({number for each in lists if each for number in each.rolls})
    return tuple(_roll_row(sealed, lists, number) for number in numbers)


def paired_statistics(rolls: Sequence[RollVerdict]) -> tuple[Fairness, ...]:
    """Return statistics of both phones' dice, by kind of die, without disputed rolls."""
    thrown = [(each.sides, each.faces) for each in rolls if each.verdict != "disputed" and each.faces]
    return tuple(fairness(faces, sides) for sides, faces in faces_by_die(thrown).items())


def _roll_row(sealed: tuple[str, str], lists: Sequence[SentList | None], number: int) -> RollVerdict:
    rows = [each.rolls.get(number) if each else None for each in lists]
    known = next(row for row in rows if row is not None)
    links = [_link(sealed, lists, side, number) for side in (0, 1)]
    is_whole = all(links)
    faces = pair_faces(links, number, known.count, known.sides) if is_whole else []
    why = list(_faults(sealed, lists, rows, faces, is_whole=is_whole))
    both = all(each is not None for each in lists)
    verdict: Verdict = "disputed" if why else "proven" if both else "half"
    author = lists[known.by]
    return RollVerdict(
        roll=number,
        by=author.name if author else "the other side",
        about=known.about,
        count=known.count,
        sides=known.sides,
        faces=tuple(faces),
        check=_check_link(sealed, links, known) if is_whole else "",
        verdict=verdict,
        why=tuple(why),
    )


def _check_link(sealed: tuple[str, str], links: Sequence[str], row: PairRoll) -> str:
    asked = {"secret": links[0], "purpose": f"pair-{row.roll}", "words": links[1], "sides": row.sides}
    return urlencode({**asked, "commitment": sealed[0]})


def _link(sealed: tuple[str, str], lists: Sequence[SentList | None], side: int, number: int) -> str:
    """Return the side's true link for the roll, from its own list, else from the other if valid; empty if unknown."""
    own, other = lists[side], lists[1 - side]
    if own is not None:
        return own.links[number]
    row = other.rolls.get(number) if other else None
    return row.other if row and row.other and is_next_link(row.other, number, sealed[side]) else ""


def _faults(
    sealed: tuple[str, str],
    lists: Sequence[SentList | None],
    rows: Sequence[PairRoll | None],
    faces: Sequence[int],
    *,
    is_whole: bool,
) -> Iterator[str]:
    """Yield what is wrong with a roll, a sentence each."""
    names = [each.name if each else "the other side" for each in lists]
    for side, row in enumerate(rows):
        other = names[1 - side]
        if row is None:
            if lists[side] is not None:
                yield f"It stands in the list of {other}, and not in that of {names[side]}."
            continue
        if row.refused:
            yield f"{other} revealed something else than was sealed, as {names[side]} says."
        elif row.other is None:
            yield f"{other} did not reveal, as {names[side]} says."
        elif row.other != _link(sealed, lists, 1 - side, row.roll):
            yield f"What {names[side]} has of {other} is not what {other} sealed."
        elif is_whole and list(row.faces) != list(faces):
            faces_text = ", ".join(map(str, row.faces)) or "nothing"
            yield f"{names[side]} says {faces_text}; the two secrets give {', '.join(map(str, faces))}."
    one, two = rows
    if one and two and (one.count, one.sides, one.about, one.by) != (two.count, two.sides, two.about, two.by):
        yield f"They differ in what it was: {_describe_roll(one, names)}, or {_describe_roll(two, names)}."


def _describe_roll(row: PairRoll, names: Sequence[str]) -> str:
    return f"{row.count} d{row.sides} of {names[row.by]} for “{row.about}”"


A_DAY, MAX_LISTS_A_DAY = timedelta(days=1), 20  # pairs that one visitor may send
MAX_BODY_BYTES = 200_000  # bytes


@transaction.atomic
def paired_list_save(*, document: bytes | str, visitor: str) -> PairedDice:
    """Store this list and return its pair. The same list again changes nothing; another from that phone is refused.

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
    rows = PairedDice.objects.filter(asked_from=visitor, created_at__gt=timezone.now() - A_DAY)
    if rows.count() >= MAX_LISTS_A_DAY:
        raise RefusedError(
            "dice", f"That were {MAX_LISTS_A_DAY} lists in a day; send this one tomorrow. It stays on the phone."
        )


def clear_paired_dice(run: Clearing) -> int:
    """Delete lists that were sent long ago."""
    old = expiry_cutoff(run.now, settings.KEEP_VISITORS_DAYS)
    return 0 if old is None else clear_rows(PairedDice.objects.filter(created_at__lt=old).only("pk"), run)
