"""Random builds and forces: filled up to a number of points, legal by their game's check, the same for the same seed.

Locked parts stay as they are; the rest is removed first and replaced by anything that the bench offers. The work is
limited: MAX_TRIES changes are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from systems.documents import DocumentError
from systems.engine.dice import Dice, SeededDice
from systems.roster import AnyRoster, Bench, BenchPick, BenchTick

from .changes import Change, Outcome, Spec, Workbench, offered, spec_of
from .repairs import kinds_of

MAX_FILL_TRIES = 900
FILL_ATTEMPTS = 8
STEPS_PER_ATTEMPT = 40  # per attempt


@dataclass(frozen=True, slots=True)
class LockablePart:
    """A part of a build that can be locked, with the fields and parts it covers."""

    key: str
    told: str
    stands_for: tuple[str, ...]


def lockable_parts(rules: AnyRoster, bench: Bench) -> tuple[LockablePart, ...]:
    """Return what can be locked, in the order of the bench: the frame, each used part and pick, each section."""
    frame = next((each.name for each in bench.frames if each.slug == bench.frame), bench.frame)
    found = [LockablePart(rules.lab_fields[0], f"{rules.frame_word}: {frame}", (rules.lab_fields[0],))]
    for pick in bench.picks:
        if pick.value:
            name = next((each.name for each in pick.choices if each.slug == pick.value), pick.value)
            found.append(LockablePart(pick.slug, f"{pick.label}: {name}", (pick.slug,)))
    for group in bench.groups:
        for part in group.choices:
            if part.count:
                told = part.name if part.count == 1 else f"{part.count} {part.name}"
                found.append(LockablePart(part.slug, told, (part.slug,)))
    for section in bench.sections:
        fields = tuple(each.slug for each in section.fields)
        if any(getattr(each, "value", "") or getattr(each, "is_set", False) for each in section.fields):
            found.append(LockablePart(section.slug, section.title, fields))
    return tuple(found)


def locked_names(rules: AnyRoster, bench: Bench, locked: frozenset[str]) -> frozenset[str]:
    """Return the fields and parts of those keys."""
    return frozenset(name for each in lockable_parts(rules, bench) if each.key in locked for name in each.stands_for)


def fill_build(rules: AnyRoster, spec: Spec, *, points: int, seed: int, locked: frozenset[str]) -> Outcome | None:
    """Return the legal build with the locked parts that is nearest to the points, never above; None if none was found.

    `locked` are keys of the build's parts.
    """
    search = FillSearch(rules, Workbench(rules, spec), SeededDice(seed), points, locked)
    best: Outcome | None = None
    for _ in range(FILL_ATTEMPTS):
        found = search.attempt()
        if found is not None and (best is None or found.check.points > best.check.points):
            best = found
        if search.left <= 0 or (best is not None and best.check.points == points):
            break
    return best


class FillSearch:
    """Random builds, grown from the locked parts; `left` is how many changes may still be tried."""

    def __init__(
        self,
        rules: AnyRoster,
        start: Workbench,
        dice: Dice,
        points: int,
        locked: frozenset[str],
        most: int = MAX_FILL_TRIES,
    ) -> None:
        self.rules, self.start, self.dice, self.points = rules, start, dice, points
        self.kept = locked_names(rules, start.bench, locked)
        self.left = most

    def attempt(self) -> Outcome | None:
        """Return one build, grown from the locked parts step by step; None if it is not legal."""
        spec = self._bare()
        if spec is None:
            return None
        for _ in range(STEPS_PER_ATTEMPT):
            bench = Workbench(self.rules, spec)
            change = self._step(bench)
            if change is None:
                break
            spec = change.spec
        check = self.rules.check_design(spec)
        return Outcome(Change(""), spec, check) if check.legal and check.points <= self.points else None

    def _bare(self) -> Spec | None:
        """Return the locked parts alone, on a random frame if the frame isn't locked."""
        bench, frame_field = self.start.bench, self.rules.lab_fields[0]
        fields = {**self.start.fields}
        if frame_field not in self.kept:
            affordable = [each.slug for each in bench.frames if each.points <= self.points]
            fields[frame_field] = self.chosen(affordable) if affordable else bench.frame
        for pick in _picks(bench):
            if pick.slug not in self.kept:
                fields[pick.slug] = "" if pick.empty else self.chosen([each.slug for each in pick.choices])
        fields |= {each.slug: "" for each in _ticks(bench) if each.slug not in self.kept}
        counts = {slug: count if slug in self.kept else 0 for slug, count in self.start.counts.items()}
        try:
            return self.rules.parse_spec(spec_of(self.rules, fields, counts if bench.groups else None))
        except DocumentError:
            return None

    def _step(self, bench: Workbench) -> Outcome | None:
        """Return a random change that removes a problem or adds points; None if there is none.

        It causes no other problem and stays within the points.
        """
        changes = self.shuffled([each for each in offered(bench.bench, self.rules) if self._may(bench, each)])
        before = kinds_of(bench.check)
        for change in changes:
            if self.left <= 0:
                return None
            self.left -= 1
            outcome = bench.after(change)
            if outcome is None or outcome.check.points > self.points:
                continue
            after = kinds_of(outcome.check)
            if after < before or (after == before and outcome.check.points > bench.check.points):
                return outcome
        return None

    def _may(self, bench: Workbench, change: Change) -> bool:
        """Return whether the change leaves locked parts as they are; it may add more of a locked part."""
        if any(name in self.kept for name, _ in change.fields):
            return False
        return all(count >= bench.counts.get(slug, 0) for slug, count in change.counts if slug in self.kept)

    def chosen(self, slugs: list[str]) -> str:
        return slugs[self.dice.choice(len(slugs))]

    def shuffled(self, changes: list[Change]) -> Iterator[Change]:
        """Yield each once, in random order."""
        while changes:
            yield changes.pop(self.dice.choice(len(changes)))


def _picks(bench: Bench) -> Iterator[BenchPick]:
    yield from bench.picks
    for section in bench.sections:
        yield from (each for each in section.fields if isinstance(each, BenchPick) and not section.is_fixed)


def _ticks(bench: Bench) -> Iterator[BenchTick]:
    for section in bench.sections:
        yield from (each for each in section.fields if isinstance(each, BenchTick) and not section.is_fixed)
