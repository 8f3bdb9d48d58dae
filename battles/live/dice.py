"""Rolls at a live table as pages show them, and statistics of the dice. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

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
from systems.engine.dice import PREPARED_CHAIN_LENGTH, ahead_purpose
from systems.shots import describe_threshold
from systems.simulation.summary import Share, share

MIN_ROLLS_PER_FACE = 5  # fewer rolls per face tell nothing about all faces
ODD, VERY_ODD = 0.05, 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceCount:
    face: int
    count: int
    share: Share  # with its 95 % interval


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
        return f"{thrown} say nothing yet: a fair die looks as odd as this all the time. Ask again after {needed}."
    frequency = f"{chance * 100:.1f}" if chance >= VERY_ODD else "fewer than 0.1"
    if chance >= ODD:
        return f"Nothing speaks against fair dice: as odd as this or more so come {frequency} of 100 fair evenings."
    if chance >= VERY_ODD:
        return f"Odd, but no proof: {frequency} of 100 fair evenings look like this, and you look at many evenings."
    return (
        f"Very odd: {frequency} of 100 fair evenings look like this. Try the same dice again before anybody is blamed."
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
                act.kind, f"Typed by {who[act.side]}"
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
