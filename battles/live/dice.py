"""Statistics of how dice fell: the count of each face with its interval, and how odd the result is. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from systems.simulation.odds import Share
from systems.simulation.odds import share


MIN_ROLLS_PER_FACE = 5  # rolls per face that a test of all faces needs to mean anything
ODD, VERY_ODD = 0.05, 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceCount:
    face: int
    count: int
    share: Share  # with its 95 % interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairness:
    """How dice of one kind fell."""

    sides: int
    count: int
    mean: float
    expected: float  # mean of a fair die
    low: float  # the range of the mean of that number of fair dice, 95 times in 100
    high: float
    faces: tuple[FaceCount, ...]
    chance: float | None  # the chance that fair dice fall as oddly or more so; None: too few to ask
    verdict: str


def fairness(faces: Sequence[int], sides: int) -> Fairness:
    """Return the statistics of these rolls of a die; there must be at least one."""
    count, expected = len(faces), (sides + 1) / 2
    around = 1.96 * math.sqrt((sides * sides - 1) / 12 / count)
    counts = [faces.count(face) for face in range(1, sides + 1)]
    needed = MIN_ROLLS_PER_FACE * sides
    chance = oddness(counts) if count >= needed else None
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


def oddness(counts: Sequence[int]) -> float:
    """Return the chance that equally likely faces come as unevenly as this, or more so: Pearson's test."""
    expected = sum(counts) / len(counts)
    return chi_square_tail(math.fsum((each - expected) ** 2 for each in counts) / expected, len(counts) - 1)


def chi_square_tail(value: float, degrees: int) -> float:
    """Return the chance that chi-square with these degrees of freedom is at least `value`: its closed form."""
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
    """Return the verdict in one honest sentence."""
    thrown = "1 die" if count == 1 else f"{count} dice"
    if chance is None:
        return f"{thrown} say nothing yet: a fair die looks as odd as this all the time. Ask again after {needed}."
    told = f"{chance * 100:.1f}" if chance >= VERY_ODD else "fewer than 0.1"
    if chance >= ODD:
        return f"Nothing speaks against fair dice: as odd as this or more so come {told} of 100 fair evenings."
    if chance >= VERY_ODD:
        return f"Odd, but no proof: {told} of 100 fair evenings look like this, and you look at many evenings."
    return f"Very odd: {told} of 100 fair evenings look like this. Try the same dice again before anybody is blamed."


def faces_by_die(thrown: Sequence[tuple[int, Sequence[int]]]) -> Mapping[int, list[int]]:
    """Group all faces by the sides of their die; `thrown` are pairs of sides and faces."""
    found: dict[int, list[int]] = {}
    for sides, faces in thrown:
        found.setdefault(sides, []).extend(faces)
    return dict(sorted(found.items()))
