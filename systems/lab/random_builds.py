"""Random builds, forces and replacements: legal, close to a number of points, reproducible by seed.

Locked parts of a build stay; the rest is first removed, then replaced by anything the editor offers. A replacement
costs no more than the build. These limit the work: MAX_FILL_TRIES for a build, MAX_BUILDS and MAX_RIVAL_TRIES for
replacements, MAX_FORCE_CHECKS for a force.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from systems.design_editor import DesignEditor, EditorPick, EditorTick
from systems.documents import DocumentError
from systems.engine.dice import Dice, SeededDice
from systems.lab import Change, EditedBuild, Outcome, Spec, offered, spec_of
from systems.lab.advice import kinds_of
from systems.legality import Check
from systems.roster import AnyRoster

MAX_FILL_TRIES = 900
FILL_ATTEMPTS = 8
STEPS_PER_ATTEMPT = 40  # per attempt


@dataclass(frozen=True, slots=True)
class LockablePart:
    """A part of a build that can be locked, with the fields and parts it covers."""

    key: str
    label: str
    stands_for: tuple[str, ...]


def lockable_parts(rules: AnyRoster, editor: DesignEditor) -> tuple[LockablePart, ...]:
    """Return the lockable parts, in the order of the editor: the frame, each used part and pick, each section."""
    frame = next((each.name for each in editor.frames if each.slug == editor.frame), editor.frame)
    found = [LockablePart(rules.lab_fields[0], f"{rules.frame_word}: {frame}", (rules.lab_fields[0],))]
    for pick in editor.picks:
        if pick.value:
            name = next((each.name for each in pick.choices if each.slug == pick.value), pick.value)
            found.append(LockablePart(pick.slug, f"{pick.label}: {name}", (pick.slug,)))
    for group in editor.groups:
        for part in group.choices:
            if part.count:
                label = part.name if part.count == 1 else f"{part.count} {part.name}"
                found.append(LockablePart(part.slug, label, (part.slug,)))
    for section in editor.sections:
        fields = tuple(each.slug for each in section.fields)
        if any(getattr(each, "value", "") or getattr(each, "is_set", False) for each in section.fields):
            found.append(LockablePart(section.slug, section.title, fields))
    return tuple(found)


def locked_names(rules: AnyRoster, editor: DesignEditor, locked: frozenset[str]) -> frozenset[str]:
    """Return the fields and parts for those keys."""
    return frozenset(name for each in lockable_parts(rules, editor) if each.key in locked for name in each.stands_for)


def fill_build(rules: AnyRoster, spec: Spec, *, points: int, seed: int, locked: frozenset[str]) -> Outcome | None:
    """Return the legal build with the locked parts that is nearest to `points`, never above; None if none was found.

    `locked` are keys of the build's parts.
    """
    search = FillSearch(rules, EditedBuild(rules, spec), SeededDice(seed), points, locked)
    best: Outcome | None = None
    for _ in range(FILL_ATTEMPTS):
        found = search.attempt()
        if found is not None and (best is None or found.check.points > best.check.points):
            best = found
        if search.left <= 0 or (best is not None and best.check.points == points):
            break
    return best


class FillSearch:
    """A search for random builds, grown from the locked parts; `left` is how many more changes may be tried."""

    def __init__(
        self,
        rules: AnyRoster,
        start: EditedBuild,
        dice: Dice,
        points: int,
        locked: frozenset[str],
        most: int = MAX_FILL_TRIES,
    ) -> None:
        self.rules, self.start, self.dice, self.points = rules, start, dice, points
        self.kept = locked_names(rules, start.editor, locked)
        self.left = most

    def attempt(self) -> Outcome | None:
        """Return one build, grown step by step from the locked parts; None if it isn't legal."""
        spec = self._bare()
        if spec is None:
            return None
        for _ in range(STEPS_PER_ATTEMPT):
            build = EditedBuild(self.rules, spec)
            change = self._step(build)
            if change is None:
                break
            spec = change.spec
        check = self.rules.check_design(spec)
        return Outcome(Change(""), spec, check) if check.legal and check.points <= self.points else None

    def _bare(self) -> Spec | None:
        """Return the locked parts alone, on a random frame unless the frame is locked."""
        editor, frame_field = self.start.editor, self.rules.lab_fields[0]
        fields = {**self.start.fields}
        if frame_field not in self.kept:
            affordable = [each.slug for each in editor.frames if each.points <= self.points]
            fields[frame_field] = self.chosen(affordable) if affordable else editor.frame
        for pick in _picks(editor):
            if pick.slug not in self.kept:
                fields[pick.slug] = "" if pick.empty else self.chosen([each.slug for each in pick.choices])
        fields |= {each.slug: "" for each in _ticks(editor) if each.slug not in self.kept}
        counts = {slug: count if slug in self.kept else 0 for slug, count in self.start.counts.items()}
        try:
            return self.rules.parse_spec(spec_of(self.rules, fields, counts if editor.groups else None))
        except DocumentError:
            return None

    def _step(self, build: EditedBuild) -> Outcome | None:
        """Return a random change that removes a problem or adds points; None if there is none.

        It causes no other problem and stays within the points.
        """
        changes = self.shuffled([each for each in offered(build.editor, self.rules) if self._may(build, each)])
        before = kinds_of(build.check)
        for change in changes:
            if self.left <= 0:
                return None
            self.left -= 1
            outcome = build.after(change)
            if outcome is None or outcome.check.points > self.points:
                continue
            after = kinds_of(outcome.check)
            if after < before or (after == before and outcome.check.points > build.check.points):
                return outcome
        return None

    def _may(self, build: EditedBuild, change: Change) -> bool:
        """Return whether the change leaves the locked parts in place; adding more of a locked part is allowed."""
        if any(name in self.kept for name, _ in change.fields):
            return False
        return all(count >= build.counts.get(slug, 0) for slug, count in change.counts if slug in self.kept)

    def chosen(self, slugs: list[str]) -> str:
        return slugs[self.dice.choice(len(slugs))]

    def shuffled(self, changes: list[Change]) -> Iterator[Change]:
        """Yield each change once, in random order."""
        while changes:
            yield changes.pop(self.dice.choice(len(changes)))


def _picks(editor: DesignEditor) -> Iterator[EditorPick]:
    yield from editor.picks
    for section in editor.sections:
        yield from (each for each in section.fields if isinstance(each, EditorPick) and not section.is_fixed)


def _ticks(editor: DesignEditor) -> Iterator[EditorTick]:
    for section in editor.sections:
        yield from (each for each in section.fields if isinstance(each, EditorTick) and not section.is_fixed)


MAX_RIVALS = 60  # rivals that are simulated
MAX_BUILDS = 120  # builds that are changed in every possible way
MAX_CHANGES = 1_500  # changes to those builds
MAX_RIVAL_TRIES = 2_500  # random changes
MAX_NEIGHBOURS = 20  # builds one change away, used if not all rivals can be simulated


@dataclass(frozen=True, slots=True)
class Rivals:
    """The rival builds in a fixed order; `is_whole`: there are no others."""

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
    """Return builds that could replace this one: legal, no more expensive, with the same locked parts.

    If there are few, all of them are returned; otherwise published ones, some that are one change away, and random
    ones. `locked` are keys of the build's parts; `fits` tests whether a build is allowed where it will be used.
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
    """A search over all builds that an editor can make from a build without touching its locked parts."""

    def __init__(self, rules: AnyRoster, spec: Spec, points: int, locked: frozenset[str]) -> None:
        self.rules, self.points = rules, points
        self.start = EditedBuild(rules, spec)
        self.words = frozenset(text.slug for text in self.start.editor.texts)  # text fields have no effect in a battle
        self.kept = locked_names(rules, self.start.editor, locked)
        self.near: list[Spec] = []

    def closed(self) -> tuple[list[Spec], bool]:
        """Return the legal builds that changes can reach, and whether those are all.

        Fewer changes come first; the search also passes through illegal and too expensive builds.
        """
        known: dict[Spec, bool] = {self.start.spec: False}  # whether the build is a rival
        waiting = deque([self.start])
        looked = 0
        while waiting:
            if looked == MAX_BUILDS or len(known) > MAX_CHANGES:
                return [], False
            build = waiting.popleft()
            looked += 1
            for change in self.changes(build):
                spec = build.spec_after(change)
                if spec is None or spec in known:
                    continue
                check = self.rules.check_design(spec)
                known[spec] = check.legal and check.points <= self.points
                if known[spec] and build is self.start:
                    self.near.append(spec)
                if check.points <= self.points:
                    waiting.append(EditedBuild(self.rules, spec))
        return [spec for spec, is_rival in known.items() if is_rival], True

    def changes(self, build: EditedBuild) -> Iterator[Change]:
        for change in offered(build.editor, self.rules):
            fields = {name for name, _ in change.fields}
            is_free = not fields & (self.kept | self.words)
            counts = ((slug, count) for slug, count in change.counts if slug in self.kept)
            if is_free and all(count >= self.start.counts.get(slug, 0) for slug, count in counts):
                yield change

    def published(self) -> Iterator[Spec]:
        """Yield the rulebook's designs that have the locked parts."""
        for design in self.rules.published.values():
            build = EditedBuild(self.rules, design.spec)
            has_fields = all(
                build.fields.get(name, "") == self.start.fields.get(name, "")
                for name in self.kept
                if name not in self.start.counts
            )
            has_parts = all(build.counts.get(name, 0) >= self.start.counts.get(name, 0) for name in self.kept)
            is_other = design.spec != self.start.spec
            if is_other and has_fields and has_parts and build.check.legal and build.check.points <= self.points:
                yield design.spec


MAX_FORCE_CHECKS = 1200
ENOUGH = 60  # more draws after the first legal one


@dataclass(frozen=True, slots=True)
class RandomForce:
    """Designs by slug, the kept ones first."""

    designs: tuple[str, ...]
    points: int


def draw_force(
    check: Callable[[Sequence[str]], Check],
    pool: Mapping[str, int],
    *,
    kept: Sequence[str] = (),
    points: int,
    seed: int,
    side: int = 0,
    most: int = 16,
) -> RandomForce | None:
    """Return the legal force with the most points within `points` among random forces; None if none was legal.

    It has at most `most` designs; `pool` maps each design to its points; `kept` are in every force.
    """
    dice, checks, draws = SeededDice(seed, side), 0, 0
    best: RandomForce | None = None
    while checks < MAX_FORCE_CHECKS and not (best is not None and (draws >= ENOUGH or best.points == points)):
        designs, draws = list(kept), draws + 1
        while checks < MAX_FORCE_CHECKS and len(designs) <= most:
            if designs:
                found, checks = check(designs), checks + 1
                if found.points > points:
                    break
                if found.legal and (best is None or found.points > best.points):
                    best = RandomForce(tuple(designs), found.points)
            left = points - sum(pool[design] for design in designs)
            affordable = [design for design, each in pool.items() if each <= left]
            if not affordable:
                break
            designs.append(affordable[dice.choice(len(affordable))])
        if draws > MAX_FORCE_CHECKS:
            break
    return best
