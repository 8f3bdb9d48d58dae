"""Advice on a build: the cheapest fixes for an illegal one, and the effects of each option in its editor.

A fix removes a problem without causing another. Single changes are tried first; if none helps, pairs of changes that
affect the problem; then up to MAX_REMOVALS removals. MAX_TRIES limits the work.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from systems.design_editor import EditorPick, EditorTick
from systems.lab import Change, EditedBuild, Outcome, Spec, less_of, more_of, offered
from systems.legality import Check, Problem
from systems.roster import AnyRoster
from systems.text import format_signed

MAX_TRIES = 1500
MAX_REPAIRS = 4
MAX_REMOVALS = 4
BEARING = 24  # changes affecting a problem that are tried in pairs
HARMFUL = 3  # changes that fix a problem but cause another; they are tried with all others


@dataclass(frozen=True, slots=True)
class Repair:
    """A change that removes a problem."""

    description: str
    points: int  # difference in points; negative: fewer
    steps: int
    spec: Spec
    is_legal: bool  # no other problem remains


@dataclass(frozen=True, slots=True)
class RepairedProblem:
    """A problem and its fixes, smallest change first."""

    problem: Problem
    repairs: tuple[Repair, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on a build: fixes for each problem, and for all at once if there are several."""

    problems: tuple[RepairedProblem, ...]
    whole: Repair | None = None


@lru_cache(maxsize=64)
def advice(rules: AnyRoster, spec: Spec) -> Advice:
    """Return fixes for everything that is wrong with the build."""
    search = _Search(EditedBuild(rules, spec), MAX_TRIES)
    found = tuple(RepairedProblem(each, search.repairs(each)) for each in search.build.check.problems)
    whole = _whole(rules, search) if len(found) > 1 else None
    return Advice(found, whole)


class _Search:
    """A search over changes to one build."""

    def __init__(self, build: EditedBuild, most: int) -> None:
        self.build, self.most = build, most
        self.singles: list[Outcome] = [
            outcome for change in offered(build.editor, build.rules) if (outcome := self.tried(change)) is not None
        ]

    def tried(self, change: Change) -> Outcome | None:
        return self.build.after(change) if self.build.tried < self.most else None

    def repairs(self, problem: Problem) -> tuple[Repair, ...]:
        found = [each for each in self.singles if self.mends(problem, each)]
        found = found or self._among(problem, self._pairs(problem))
        found = found or self._among(problem, self._taken_away(problem))
        return tuple(self.repair(each) for each in _least(found, self.build.check.points)[:MAX_REPAIRS])

    def repair(self, outcome: Outcome) -> Repair:
        points = outcome.check.points - self.build.check.points
        return Repair(outcome.change.description, points, outcome.change.steps, outcome.spec, outcome.check.legal)

    def mends(self, problem: Problem, outcome: Outcome) -> bool:
        """Return whether the change removes that problem and causes no new one."""
        before, after = kinds_of(self.build.check), kinds_of(outcome.check)
        kind = _kind(problem)
        return after[kind] < before[kind] and after <= before and not self._is_still_there(problem, outcome)

    def _is_still_there(self, problem: Problem, outcome: Outcome) -> bool:
        same = [each for each in outcome.check.problems if each.message == problem.message]
        return len(same) >= sum(each.message == problem.message for each in self.build.check.problems)

    def _among(self, problem: Problem, changes: Iterable[Change]) -> list[Outcome]:
        tried = (self.tried(each) for each in changes)
        return [each for each in tried if each is not None and self.mends(problem, each)]

    def _bearing(self, problem: Problem) -> list[Outcome]:
        """Return the single changes that remove or affect that problem, with the fewest remaining problems first."""
        found = [each for each in self.singles if not self._is_still_there(problem, each)]
        return sorted(found, key=lambda each: len(each.check.problems))

    def _pairs(self, problem: Problem) -> Iterator[Change]:
        bearing, before = self._bearing(problem), kinds_of(self.build.check)
        kind = _kind(problem)
        harmful = [each for each in bearing if kinds_of(each.check)[kind] < before[kind]]  # cause another problem
        within = combinations(bearing[:BEARING], 2)
        beside = product(harmful[:HARMFUL], self.singles)
        for first, second in (*within, *beside):
            if not first.change.touched & second.change.touched:
                yield first.change.and_then(second.change)

    def _taken_away(self, problem: Problem) -> Iterator[Change]:
        """Yield combinations of three or more removals."""
        less = [each.change for each in self._bearing(problem) if each.change.is_less]
        for number in range(3, MAX_REMOVALS + 1):
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
    """Return the smallest changes first, by points, then by the number of changes.

    Of several replacements for the same thing only the smallest is listed.
    """
    ordered = sorted(found, key=lambda each: (abs(each.check.points - points), each.change.steps))
    kept: list[Outcome] = []
    seen: set[tuple[object, bool]] = set()
    for each in ordered:
        key = (each.change.about or each.change.touched, each.change.is_less)
        if key not in seen:
            seen.add(key)
            kept.append(each)
    return kept


def _whole(rules: AnyRoster, search: _Search) -> Repair | None:
    """Return one change that fixes everything, or the smallest fix for each problem in turn; None if that fails."""
    at_once = _least([each for each in search.singles if each.check.legal], search.build.check.points)
    if at_once:
        return search.repair(at_once[0])
    points, descriptions, steps = search.build.check.points, [], 0
    for _ in range(len(search.build.check.problems)):
        repairs = next((found for each in search.build.check.problems if (found := search.repairs(each))), ())
        if not repairs:
            return None
        descriptions.append(repairs[0].description)
        steps += repairs[0].steps
        search = _Search(EditedBuild(rules, repairs[0].spec), MAX_TRIES // 2)
        if search.build.check.legal:
            return Repair("; ".join(descriptions), search.build.check.points - points, steps, search.build.spec, True)
    return None


def kinds_of(check: Check) -> Counter[tuple[str, str, str]]:
    """Return the number of problems of each kind; breaking a rule for two weapons counts as one kind."""
    return Counter(_kind(problem) for problem in check.problems)


def _kind(problem: Problem) -> tuple[str, str, str]:
    return problem.rule, problem.code, re.sub(r"\[\d+\]", "[]", problem.place)


MAX_PRICED = 400
ONE_MORE, ONE_LESS = "+", "-"  # for counts, in place of a value


@dataclass(frozen=True, slots=True)
class Price:
    """The effects of one click."""

    points: int
    breaks: tuple[str, ...] = ()  # rules that the build would newly break
    titles: tuple[str, ...] = ()  # the titles of these rules
    measures: tuple[str, ...] = ()  # other differences: "Move 6 to 5"
    is_cure: bool = False  # it makes an illegal build legal

    @property
    def is_plain(self) -> bool:
        """Return whether it changes nothing but points."""
        return not (self.breaks or self.measures or self.is_cure)

    @property
    def summary(self) -> str:
        """Describe all effects in a few words."""
        parts = [f"{format_signed(self.points)} pt", *self.measures]
        parts += ["makes it legal"] if self.is_cure else [f"breaks {self._broken}"] if self.breaks else []
        return "; ".join(parts)

    @property
    def _broken(self) -> str:
        """The broken rules, as text like “Weapon mounts” (MM-005)."""
        titles = self.titles or ("",) * len(self.breaks)
        named = zip(titles, self.breaks, strict=True)
        return ", ".join(f"“{title}” ({rule})" if title else rule for title, rule in named)


Prices = Mapping[tuple[str, str], Price]  # by field and value; by part and MORE or LESS


@lru_cache(maxsize=64)
def prices(rules: AnyRoster, spec: Spec) -> Prices:
    """Return the price of every frame, pick, tick and count in the editor, for at most MAX_PRICED of them.

    Options without effect and unreadable ones have none.
    """
    build = EditedBuild(rules, spec)
    now = dict(rules.measures(spec))
    found: dict[tuple[str, str], Price] = {}
    for key, change in _options(build):
        if build.tried >= MAX_PRICED:
            break
        outcome = build.after(change)
        if outcome is not None:
            found[key] = _price(build, outcome, now)
    return found


def _price(build: EditedBuild, outcome: Outcome, now: Mapping[str, str]) -> Price:
    broken = kinds_of(outcome.check) - kinds_of(build.check)
    then, rulebook = build.rules.measures(outcome.spec), build.rules.rulebook
    breaks = tuple(dict.fromkeys(rule for rule, _, _ in broken))
    return Price(
        points=outcome.check.points - build.check.points,
        breaks=breaks,
        titles=tuple(rulebook[rule].title if rule in rulebook else "" for rule in breaks),
        measures=tuple(
            f"{label} {now.get(label) or 'none'} to {value or 'none'}"
            for label, value in then
            if now.get(label) != value
        ),
        is_cure=outcome.check.legal and not build.check.legal,
    )


def _options(build: EditedBuild) -> Iterator[tuple[tuple[str, str], Change]]:
    frame_field = build.rules.lab_fields[0]
    for frame in build.editor.frames:
        yield _field(frame_field, frame.slug)
    for group in build.editor.groups:
        for part in group.choices:
            yield (part.slug, ONE_MORE), more_of(part)
            if part.count:
                yield (part.slug, ONE_LESS), less_of(part)
    in_sections = (each for section in build.editor.sections for each in section.fields)
    for each in (*build.editor.picks, *in_sections):
        if isinstance(each, EditorPick):
            values = (*([""] if each.empty else []), *(choice.slug for choice in each.choices))
            yield from (_field(each.slug, value) for value in values if value != each.value)
        elif isinstance(each, EditorTick):
            yield _field(each.slug, "" if each.is_set else "on")


def _field(slug: str, value: str) -> tuple[tuple[str, str], Change]:
    return (slug, value), Change("", ((slug, value),))
