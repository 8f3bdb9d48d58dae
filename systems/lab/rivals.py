"""Builds that could replace another: legal, at most as expensive, with its locked parts.

All of them if they are few, else those one change away and many random ones, the same for the same seed. The work is
limited: the changes of MAX_BUILDS builds are tried to find all, and MAX_TRIES changes after that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from systems.engine.dice import Dice, SeededDice
from systems.roster import AnyRoster

from .changes import Change, Spec, Workbench, offered
from .fill import FillSearch, locked_names

MAX_RIVALS = 60  # that are simulated
MAX_BUILDS = 120  # builds whose changes are all tried
MAX_CHANGES = 1_500  # changes of them
MAX_RIVAL_TRIES = 2_500  # random changes
MAX_NEIGHBOURS = 20  # one change away, if not all can be simulated


@dataclass(frozen=True, slots=True)
class Rivals:
    """The builds in a fixed order; `is_whole`: there are no others."""

    specs: tuple[Spec, ...]
    is_whole: bool


def build_rivals(
    rules: AnyRoster,
    spec: Spec,
    *,
    points: int,
    seed: int,
    locked: frozenset[str],
    fits: Callable[[Spec], bool] = lambda spec: True,
) -> Rivals:
    """Return builds that could replace this one, without itself.

    `locked` are keys of its parts; `fits` tests whether a build may be used where it is meant for.
    """
    field = _RivalSearch(rules, spec, points, locked)
    found, is_whole = field.closed()
    dice = SeededDice(seed)
    if is_whole and len(found) <= MAX_RIVALS:
        return Rivals(tuple(each for each in found if fits(each)), True)
    if is_whole:
        return Rivals(_first(_shuffled(dice, found), fits, MAX_RIVALS), False)
    chosen = dict.fromkeys(_first(iter(field.published()), fits, MAX_RIVALS))
    chosen |= dict.fromkeys(_first(_shuffled(dice, field.near), fits, MAX_NEIGHBOURS))
    tries = MAX_RIVAL_TRIES
    while tries > 0 and len(chosen) < MAX_RIVALS:
        search = FillSearch(rules, field.start, dice, points, locked, most=tries)
        drawn = search.attempt()
        tries = min(search.left, tries - 1)
        if drawn is not None and drawn.spec != spec and drawn.spec not in chosen and fits(drawn.spec):
            chosen[drawn.spec] = None
    return Rivals(tuple(chosen)[:MAX_RIVALS], False)


def _first(specs: Iterator[Spec], fits: Callable[[Spec], bool], most: int) -> tuple[Spec, ...]:
    found: list[Spec] = []
    for each in specs:
        if len(found) == most:
            break
        if fits(each):
            found.append(each)
    return tuple(found)


def _shuffled(dice: Dice, specs: list[Spec]) -> Iterator[Spec]:
    left = list(specs)
    while left:
        yield left.pop(dice.choice(len(left)))


class _RivalSearch:
    """All builds that a build's bench can make of it without touching locked parts."""

    def __init__(self, rules: AnyRoster, spec: Spec, points: int, locked: frozenset[str]) -> None:
        self.rules, self.points = rules, points
        self.start = Workbench(rules, spec)
        self.words = frozenset(text.slug for text in self.start.bench.texts)  # they have no effect in a battle
        self.kept = locked_names(rules, self.start.bench, locked)
        self.near: list[Spec] = []

    def closed(self) -> tuple[list[Spec], bool]:
        """Return the legal builds that can be reached by changes, and whether those are all.

        Fewer changes come first; builds that are illegal or cost too much are passed through too.
        """
        known: dict[Spec, bool] = {self.start.spec: False}  # whether it is a rival
        waiting = deque([self.start])
        looked = 0
        while waiting:
            if looked == MAX_BUILDS or len(known) > MAX_CHANGES:
                return [], False
            bench = waiting.popleft()
            looked += 1
            for change in self.changes(bench):
                spec = bench.spec_after(change)
                if spec is None or spec in known:
                    continue
                check = self.rules.check_design(spec)
                known[spec] = check.legal and check.points <= self.points
                if known[spec] and bench is self.start:
                    self.near.append(spec)
                if check.points <= self.points:
                    waiting.append(Workbench(self.rules, spec))
        return [spec for spec, is_rival in known.items() if is_rival], True

    def changes(self, bench: Workbench) -> Iterator[Change]:
        for change in offered(bench.bench, self.rules):
            fields = {name for name, _ in change.fields}
            is_free = not fields & (self.kept | self.words)
            counts = ((slug, count) for slug, count in change.counts if slug in self.kept)
            if is_free and all(count >= self.start.counts.get(slug, 0) for slug, count in counts):
                yield change

    def published(self) -> Iterator[Spec]:
        """Yield designs of the rulebook that have the locked parts."""
        for design in self.rules.published.values():
            bench = Workbench(self.rules, design.spec)
            has_fields = all(
                bench.fields.get(name, "") == self.start.fields.get(name, "")
                for name in self.kept
                if name not in self.start.counts
            )
            has_parts = all(bench.counts.get(name, 0) >= self.start.counts.get(name, 0) for name in self.kept)
            is_other = design.spec != self.start.spec
            if is_other and has_fields and has_parts and bench.check.legal and bench.check.points <= self.points:
                yield design.spec
