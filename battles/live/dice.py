"""Dice of live tables.

The rolls of a table as pages show them, and statistics of the dice: pure. Paired dice of two phones without a network:
read and compare both lists, store them, delete old ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from pydantic import Field

from battles.live.state import (
    AHEAD,
    PREPARE,
    ROLL,
    Act,
    Chain,
    TableState,
    chains_of,
    describe_skipped_rolls,
    purpose_of,
)
from battles.models import PairedDice, PairedList
from rosters.services import RefusedError
from rosters.services.base import clean_text
from rosters.site.retention import Clearing, clear_rows, expiry_cutoff
from systems.documents import Document, parse_document
from systems.engine.dice import (
    MAX_DICE,
    PAIRED_CHAIN_LENGTH,
    PREPARED_CHAIN_LENGTH,
    ahead_purpose,
    is_next_link,
    links_of,
    pair_faces,
)
from systems.shots import describe_threshold
from systems.simulation.summary import Share, share

MIN_ROLLS_PER_FACE = 5  # fewer rolls per face tell nothing about all faces
ODD, VERY_ODD = 0.05, 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceCount:
    face: int
    count: int
    share: Share  # with its 95% interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairness:
    """Statistics of one kind of die."""

    sides: int
    count: int
    mean: float
    expected: float  # mean of a fair die
    low: float  # the mean of that number of fair dice is between low and high 95 times in 100
    high: float
    faces: tuple[FaceCount, ...]
    chance: float | None  # of fair dice to fall as unevenly or more so; None: too few rolls to tell
    verdict: str


def fairness(faces: Sequence[int], sides: int) -> Fairness:
    """Return the statistics of these rolls of a die; there must be at least one."""
    count, expected = len(faces), (sides + 1) / 2
    around = 1.96 * math.sqrt((sides * sides - 1) / 12 / count)
    counts = [faces.count(face) for face in range(1, sides + 1)]
    needed = MIN_ROLLS_PER_FACE * sides
    chance = p_value(counts) if count >= needed else None
    return Fairness(
        sides=sides,
        count=count,
        mean=sum(faces) / count,
        expected=expected,
        low=max(1.0, expected - around),
        high=min(float(sides), expected + around),
        faces=tuple(
            FaceCount(face=at, count=each, share=share(each, count)) for at, each in enumerate(counts, start=1)
        ),
        chance=chance,
        verdict=_verdict(count, needed, chance),
    )


def p_value(counts: Sequence[int]) -> float:
    """Return the chance that fair dice fall as unevenly as this, or more so (Pearson's chi-squared test)."""
    expected = sum(counts) / len(counts)
    return chi_square_tail(math.fsum((each - expected) ** 2 for each in counts) / expected, len(counts) - 1)


def chi_square_tail(value: float, degrees: int) -> float:
    """Return the chance that chi-square with these degrees of freedom is at least `value`, by its closed form."""
    half = value / 2
    if degrees % 2:
        total, term = math.erfc(math.sqrt(half)), math.sqrt(half / math.pi) * 2 * math.exp(-half)
        for at in range(1, degrees, 2):
            total, term = total + term, term * value / (at + 2)
        return min(1.0, total)
    total, term = 0.0, math.exp(-half)
    for at in range(degrees // 2):
        total, term = total + term, term * half / (at + 1)
    return min(1.0, total)


def _verdict(count: int, needed: int, chance: float | None) -> str:
    """Return the verdict in one sentence."""
    thrown = "1 die" if count == 1 else f"{count} dice"
    if chance is None:
        return f"{thrown} are too few to judge. Check again after {needed}."
    frequency = f"{chance * 100:.1f}" if chance >= VERY_ODD else "fewer than 0.1"
    if chance >= ODD:
        return f"The dice look fair: {frequency} of 100 games with fair dice look at least this unusual."
    if chance >= VERY_ODD:
        return f"Unusual, but no proof: {frequency} of 100 games with fair dice look at least this unusual."
    return (
        f"Very unusual: only {frequency} of 100 games with fair dice look like this. Test the same dice again "
        "before you blame anybody."
    )


def faces_by_die(thrown: Sequence[tuple[int, Sequence[int]]]) -> Mapping[int, list[int]]:
    """Group all faces by the number of sides of their die; `thrown` are pairs of sides and faces."""
    found: dict[int, list[int]] = {}
    for sides, faces in thrown:
        found.setdefault(sides, []).extend(faces)
    return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class RollRow:
    place: int
    side: int
    who: str
    what: str
    sides: int
    faces: tuple[tuple[int, bool | None], ...]  # face, and whether it was a success
    number: int  # among the rolls of the table's dice; 0: not one of them
    prepared: int  # among the rolls prepared for its phone; 0: not one of them
    why: tuple[str, ...]  # what is wrong with a prepared one
    skipped: str  # the prepared rolls it skipped, in words
    need: int
    needed: str
    made: int
    is_undone: bool
    at: datetime | None
    link: str = ""  # for a prepared roll: its link, and its chain's seal
    sealed: str = ""

    @property
    def check(self) -> str:
        """The query for the page that checks dice, complete for a prepared roll."""
        if self.prepared:
            proof = urlencode({"secret": self.link, "commitment": self.sealed, "purpose": ahead_purpose(self.prepared)})
            return f"{proof}&sides={self.sides}"
        return f"purpose={purpose_of(self.number)}&sides={self.sides}"


def roll_rows(state: TableState, who: Sequence[str], *, is_under: bool) -> tuple[RollRow, ...]:
    """Return every roll, newest first. `is_under`: a die succeeds with the needed number or less."""
    return tuple(_roll_row(act, state, who, is_under) for act in reversed(state.rolls))


def _roll_row(act: Act, state: TableState, who: Sequence[str], is_under: bool) -> RollRow:
    faces, why = faces_of(act), fact_values(act, "why")
    need = 0 if why else act.number("need")
    made = [face <= need if is_under else face >= need for face in faces]
    return RollRow(
        place=act.place,
        side=act.side,
        who=who[act.side],
        what=str(act.facts.get("what", "")),
        sides=act.number("sides"),
        faces=tuple((face, each if need else None) for face, each in zip(faces, made, strict=True)),
        number=act.number("number") if act.kind == ROLL else 0,
        prepared=act.number("roll") if act.kind == AHEAD else 0,
        why=why,
        skipped=describe_skipped_rolls(fact_values(act, "skipped")),
        need=need,
        needed=describe_threshold(need, is_under=is_under) if need else "",
        made=sum(made) if need else 0,
        is_undone=act.place in state.undone,
        at=act.at,
        link=str(act.facts.get("link", "")),
        sealed=str(act.facts.get("sealed", "")),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRolls:
    """Rolls that were prepared for a phone, as both sides see them."""

    chain: Chain
    who: str
    at: datetime | None
    skipped: str

    @property
    def length(self) -> int:
        return PREPARED_CHAIN_LENGTH


def list_prepared_rolls(acts: Sequence[Act], who: Sequence[str]) -> tuple[PreparedRolls, ...]:
    """Return all prepared rolls, newest first."""
    made = [act for act in acts if act.kind == PREPARE]
    return tuple(
        PreparedRolls(chain=chain, who=who[chain.side], at=act.at, skipped=", ".join(map(str, chain.skipped)))
        for chain, act in reversed(list(zip(chains_of(acts), made, strict=True)))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceStatistics:
    """Statistics of one source of dice, for one kind of die."""

    whose: str
    fairness: Fairness


def dice_statistics(state: TableState, who: Sequence[str]) -> tuple[DiceStatistics, ...]:
    """Return statistics of the table's dice, of prepared rolls, and of the dice typed by each side.

    Rolls that were undone or are disputed don't count.
    """
    hands: dict[str, list[Act]] = {}
    for act in state.rolls:
        if act.place not in state.undone and not act.facts.get("why"):
            whose = {ROLL: "The table’s dice", AHEAD: f"Prepared for {who[act.side]}"}.get(
                act.kind, f"Entered by {who[act.side]}"
            )
            hands.setdefault(whose, []).append(act)
    return tuple(
        DiceStatistics(whose=whose, fairness=fairness(faces, sides))
        for whose, made in hands.items()
        for sides, faces in faces_by_die([(act.number("sides"), faces_of(act)) for act in made]).items()
    )


def faces_of(act: Act) -> tuple[int, ...]:
    faces = act.facts.get("faces", ())
    assert isinstance(faces, list | tuple)
    return tuple(faces)


def fact_values(act: Act, name: str) -> tuple[Any, ...]:
    """Return a list that an act keeps under this name; empty if it keeps none."""
    found = act.facts.get(name, ())
    assert isinstance(found, list | tuple)
    return tuple(found)


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
    return tuple(_paired_row(sealed, lists, number) for number in numbers)


def paired_statistics(rolls: Sequence[RollVerdict]) -> tuple[Fairness, ...]:
    """Return statistics of both phones' dice, by kind of die, without disputed rolls."""
    thrown = [(each.sides, each.faces) for each in rolls if each.verdict != "disputed" and each.faces]
    return tuple(fairness(faces, sides) for sides, faces in faces_by_die(thrown).items())


def _paired_row(sealed: tuple[str, str], lists: Sequence[SentList | None], number: int) -> RollVerdict:
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
        by=author.name if author else "the other player",
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
    names = [each.name if each else "the other player" for each in lists]
    for side, row in enumerate(rows):
        other = names[1 - side]
        if row is None:
            if lists[side] is not None:
                yield f"Only {other}'s list has this roll, not {names[side]}'s."
            continue
        if row.refused:
            yield f"{names[side]} reports that {other} revealed something that doesn't match the seal."
        elif row.other is None:
            yield f"{names[side]} reports that {other} didn't reveal."
        elif row.other != _link(sealed, lists, 1 - side, row.roll):
            yield f"What {names[side]} has from {other} doesn't match {other}'s seal."
        elif is_whole and list(row.faces) != list(faces):
            faces_text = ", ".join(map(str, row.faces)) or "nothing"
            yield f"{names[side]} reports {faces_text}; the two secrets give {', '.join(map(str, faces))}."
    one, two = rows
    if one and two and (one.count, one.sides, one.about, one.by) != (two.count, two.sides, two.about, two.by):
        yield f"The lists differ: {_describe_roll(one, names)}, or {_describe_roll(two, names)}."


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
        raise RefusedError("other", "Both phones have the same seal. Each phone needs its own.")
    if links_of(sent.last)[0] != sent.sealed:
        raise RefusedError("last", "This doesn't match the seal.")
    numbers = [row.roll for row in sent.rolls]
    if len(set(numbers)) < len(numbers):
        raise RefusedError("rolls", "The list has a roll twice.")
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
        raise RefusedError("rolls", "This phone has already sent a different list. The first one counts.")
    return pair


def _check_limit(visitor: str) -> None:
    rows = PairedDice.objects.filter(asked_from=visitor, created_at__gt=timezone.now() - A_DAY)
    if rows.count() >= MAX_LISTS_A_DAY:
        raise RefusedError(
            "dice",
            (
                f"You've sent {MAX_LISTS_A_DAY} lists today, which is the maximum. Send this one tomorrow; it "
                "stays on the phone."
            ),
        )


def clear_paired_dice(run: Clearing) -> int:
    """Delete lists that were sent long ago."""
    old = expiry_cutoff(run.now, settings.KEEP_VISITORS_DAYS)
    return 0 if old is None else clear_rows(PairedDice.objects.filter(created_at__lt=old).only("pk"), run)
