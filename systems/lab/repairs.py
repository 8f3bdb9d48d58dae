"""The cheapest ways out of what is illegal about a build: changes that its bench offers, tried through the same check.

A repair of a problem takes it away and makes no other. Single changes are tried first, pairs of those that bear on the
problem where none helps, and as many as MAX_TOGETHER that only take away after that. The work is bounded: MAX_TRIES.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from systems.legality import Check, Problem
from systems.roster import AnyRoster

from .changes import Change, Outcome, Spec, Workbench, offered

MAX_TRIES = 1500
MAX_SHOWN = 4
MAX_TOGETHER = 4
BEARING = 24  # changes that bear on a problem and are tried in pairs
HARMFUL = 3  # that mend it for another problem, and are tried with all


@dataclass(frozen=True, slots=True)
class Repair:
    """A change after which a problem is gone."""

    told: str
    points: int  # more than now; negative: fewer
    steps: int
    spec: Spec
    is_legal: bool  # nothing else is wrong then


@dataclass(frozen=True, slots=True)
class Mended:
    """A problem with its repairs, what changes least first."""

    problem: Problem
    repairs: tuple[Repair, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """What can be done about a build: problem by problem, and about all of them at once if there are several."""

    problems: tuple[Mended, ...]
    whole: Repair | None = None


@lru_cache(maxsize=64)
def advice(rules: AnyRoster, spec: Spec) -> Advice:
    """The repairs of everything that is wrong with the build."""
    search = _Search(Workbench(rules, spec), MAX_TRIES)
    found = tuple(Mended(each, search.repairs(each)) for each in search.bench.check.problems)
    whole = _whole(rules, search) if len(found) > 1 else None
    return Advice(found, whole)


class _Search:
    """What was tried on one build."""

    def __init__(self, bench: Workbench, most: int) -> None:
        self.bench, self.most = bench, most
        self.singles: list[Outcome] = [
            outcome for change in offered(bench.bench, bench.rules) if (outcome := self.tried(change)) is not None
        ]

    def tried(self, change: Change) -> Outcome | None:
        return self.bench.after(change) if self.bench.tried < self.most else None

    def repairs(self, problem: Problem) -> tuple[Repair, ...]:
        found = [each for each in self.singles if self.mends(problem, each)]
        found = found or self._among(problem, self._pairs(problem))
        found = found or self._among(problem, self._taken_away(problem))
        return tuple(self.repair(each) for each in _least(found, self.bench.check.points)[:MAX_SHOWN])

    def repair(self, outcome: Outcome) -> Repair:
        points = outcome.check.points - self.bench.check.points
        return Repair(outcome.change.told, points, outcome.change.steps, outcome.spec, outcome.check.legal)

    def mends(self, problem: Problem, outcome: Outcome) -> bool:
        """Whether that problem is gone then, and there is none that there wasn't."""
        before, after = kinds_of(self.bench.check), kinds_of(outcome.check)
        kind = _kind(problem)
        return after[kind] < before[kind] and after <= before and not self._is_still_there(problem, outcome)

    def _is_still_there(self, problem: Problem, outcome: Outcome) -> bool:
        same = [each for each in outcome.check.problems if each.message == problem.message]
        return len(same) >= sum(each.message == problem.message for each in self.bench.check.problems)

    def _among(self, problem: Problem, changes: Iterable[Change]) -> list[Outcome]:
        tried = (self.tried(each) for each in changes)
        return [each for each in tried if each is not None and self.mends(problem, each)]

    def _bearing(self, problem: Problem) -> list[Outcome]:
        """Single changes after which that problem reads otherwise or is gone, those that do the least harm first."""
        found = [each for each in self.singles if not self._is_still_there(problem, each)]
        return sorted(found, key=lambda each: len(each.check.problems))

    def _pairs(self, problem: Problem) -> Iterator[Change]:
        bearing, before = self._bearing(problem), kinds_of(self.bench.check)
        kind = _kind(problem)
        harmful = [each for each in bearing if kinds_of(each.check)[kind] < before[kind]]  # gone, for another problem
        within = combinations(bearing[:BEARING], 2)
        beside = product(harmful[:HARMFUL], self.singles)
        for first, second in (*within, *beside):
            if not first.change.touched & second.change.touched:
                yield first.change.and_then(second.change)

    def _taken_away(self, problem: Problem) -> Iterator[Change]:
        """Three and more together, of what only takes away."""
        less = [each.change for each in self._bearing(problem) if each.change.is_less]
        for number in range(3, MAX_TOGETHER + 1):
            for chosen in combinations(less, number):
                if len(frozenset().union(*(each.touched for each in chosen))) < sum(
                    len(each.touched) for each in chosen
                ):
                    continue
                whole = chosen[0]
                for each in chosen[1:]:
                    whole = whole.and_then(each)
                yield whole


def _least(found: Sequence[Outcome], points: int) -> list[Outcome]:
    """What changes least first: by points, then by the number of changes. Of the changes of one thing that put something
    else in its place only the least is told."""
    ordered = sorted(found, key=lambda each: (abs(each.check.points - points), each.change.steps))
    told: list[Outcome] = []
    seen: set[tuple[object, bool]] = set()
    for each in ordered:
        key = (each.change.about or each.change.touched, each.change.is_less)
        if key not in seen:
            seen.add(key)
            told.append(each)
    return told


def _whole(rules: AnyRoster, search: _Search) -> Repair | None:
    """One change that mends all, or the least repairs of one problem after the other; None if that leads nowhere."""
    at_once = _least([each for each in search.singles if each.check.legal], search.bench.check.points)
    if at_once:
        return search.repair(at_once[0])
    points, told, steps = search.bench.check.points, [], 0
    for _ in range(len(search.bench.check.problems)):
        repairs = next((found for each in search.bench.check.problems if (found := search.repairs(each))), ())
        if not repairs:
            return None
        told.append(repairs[0].told)
        steps += repairs[0].steps
        search = _Search(Workbench(rules, repairs[0].spec), MAX_TRIES // 2)
        if search.bench.check.legal:
            return Repair("; ".join(told), search.bench.check.points - points, steps, search.bench.spec, True)
    return None


def kinds_of(check: Check) -> Counter[tuple[str, str, str]]:
    """How many problems of each kind there are; two of one rule about two weapons are of one kind."""
    return Counter(_kind(problem) for problem in check.problems)


def _kind(problem: Problem) -> tuple[str, str, str]:
    return problem.rule, problem.code, re.sub(r"\[\d+\]", "[]", problem.place)
