"""The searches for the best force, change and build, for pages and the API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import parse_qsl
from uuid import UUID

from battles.models import BestAnswer, BestBuild, BestChange
from battles.odds.changes import Change, describe_change
from battles.searches.forces import describe_force
from rosters.database.queries import PreparedQuery
from rosters.designs.lab import lab_query
from systems import battle_rules, roster_rules
from systems.lab import DifferenceRow, Spec, side_by_side
from systems.reading import spec_of, stored_setup
from systems.roster import AnyRoster
from systems.setups import Setup
from systems.simulation.odds import Difference, difference
from systems.simulation.summary import Climb, Placed, Plan, surely_better
from systems.text import count_names

BEST_ANSWER = PreparedQuery(
    lambda key: BestAnswer.objects.filter(key=key).select_related("forecast", "asked_by"), key=UUID
)
MAX_ANSWER_SEARCHES = 10
BEST_ANSWERS = PreparedQuery(
    lambda forecast: (
        BestAnswer.objects.filter(forecast=forecast).defer("forces", "counts").order_by("-pk")[:MAX_ANSWER_SEARCHES]
    ),
    forecast=int,
)


def best_answer_readable(key: UUID) -> BestAnswer | None:
    """Return the search with that key; anybody with the link may see it."""
    return BEST_ANSWER.row(key=key)


def best_answers_of(forecast: int) -> list[BestAnswer]:
    """Return the forecast's searches, newest first."""
    return BEST_ANSWERS.rows(forecast=forecast)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceRow:
    """A force, ranked by the search."""

    place: int
    force: str
    designs: tuple[str, ...]  # empty: the side's own force
    specs: tuple[Mapping[str, object], ...]  # of its units
    placed: Placed

    @property
    def stands_there(self) -> bool:
        return not self.designs


@dataclass(frozen=True, slots=True, kw_only=True)
class BestAnswerPage:
    """The search with its results so far."""

    lines: tuple[ForceRow, ...]
    rungs: int
    rung: int  # the current one, from 1; the last once the search is over
    sure: float | None  # how likely the first is really better than the second
    standing: ForceRow | None  # the side's own force
    side: str
    enemy: str
    foes: tuple[str, ...]  # the published forces played against; empty: the enemy in the set-up

    @property
    def best(self) -> ForceRow | None:
        return self.lines[0] if self.lines else None

    @property
    def finalists(self) -> tuple[ForceRow, ...]:
        return tuple(line for line in self.lines if line.placed.rung == self.rung - 1)

    @property
    def others(self) -> tuple[ForceRow, ...]:
        return self.lines[len(self.finalists) :]


def best_answer_page(answer: BestAnswer) -> BestAnswerPage:
    """Return the search's forces, best first."""
    climb, setup = best_answer_climb(answer), stored_setup(answer.forecast.setup)
    lines = tuple(
        ForceRow(
            place=place,
            force=_describe_force(answer, placed.candidate),
            designs=tuple(answer.forces[placed.candidate - 1]) if placed.candidate else (),
            specs=_force_specs(answer, setup, placed.candidate),
            placed=placed,
        )
        for place, placed in enumerate(climb.order(), start=1)
    )
    return BestAnswerPage(
        lines=lines,
        rungs=len(climb.plan.rungs),
        rung=max((line.placed.rung for line in lines), default=0) + 1,
        sure=surely_better(lines[0].placed, lines[1].placed) if len(lines) > 1 else None,
        standing=next((line for line in lines if line.stands_there), None),
        side=setup.sides[answer.side].name,
        enemy="the published forces" if answer.foes else setup.sides[1 - answer.side].name,
        foes=tuple(foe["name"] for foe in answer.foes),
    )


def best_answer_climb(answer: BestAnswer) -> Climb:
    """Return the search's progress. Candidate 0 is the side's own force; `answer.forces` follow."""
    return Climb.from_json(Plan(len(answer.forces) + 1, answer.battles), answer.counts)


def _describe_force(answer: BestAnswer, candidate: int) -> str:
    """Describe the units of a candidate."""
    if candidate:
        return describe_force(answer.system, answer.forces[candidate - 1])
    setup = stored_setup(answer.forecast.setup)
    names = battle_rules(answer.system).unit_names(setup)
    return ", ".join(names[unit.key] for unit in setup.sides[answer.side].units)


def _force_specs(answer: BestAnswer, setup: Setup, candidate: int) -> tuple[Mapping[str, object], ...]:
    """Return the specs of a candidate's units."""
    units = [unit.design for unit in setup.sides[answer.side].units]
    designs = answer.forces[candidate - 1] if candidate else units
    return tuple(spec for design in designs if (spec := spec_of(setup, design)))


MAX_CHANGE_SEARCHES = 4
MIN_REACH = 0.05  # in the scale of a page
BEST_CHANGE = PreparedQuery(
    lambda key: BestChange.objects.filter(key=key).select_related("forecast", "asked_by"), key=UUID
)
BEST_CHANGES = PreparedQuery(
    lambda forecast: (
        BestChange.objects.filter(forecast=forecast).defer("changes", "counts").order_by("-pk")[:MAX_CHANGE_SEARCHES]
    ),
    forecast=int,
)


def best_change_readable(key: UUID) -> BestChange | None:
    """Return the search with that key; anybody with the link may see it."""
    return BEST_CHANGE.row(key=key)


def best_changes_of(forecast: int) -> list[BestChange]:
    """Return the forecast's searches, newest first."""
    return BEST_CHANGES.rows(forecast=forecast)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """A change, ranked by the search, and its effect on the side's win chance."""

    place: int
    description: str
    value: str  # as in the form of a comparison
    placed: Placed
    difference: Difference


@dataclass(frozen=True)
class BestChangePage:
    """The search with its results so far."""

    row: BestChange

    @cached_property
    def setup(self) -> Setup:
        return stored_setup(self.row.forecast.setup)

    @cached_property
    def climb(self) -> Climb:
        return Climb.from_json(Plan(len(self.row.changes), self.row.battles), self.row.counts)

    @cached_property
    def lines(self) -> tuple[ChangeRow, ...]:
        """The changes that were tried, best first."""
        rules = battle_rules(self.row.system)
        names = {**rules.levels, **rules.skills}
        return tuple(self._line(place, placed, names) for place, placed in enumerate(self.climb.order(), start=1))

    @property
    def side(self) -> str:
        return self.setup.sides[self.row.side].name

    @property
    def letter(self) -> str:
        return "ab"[self.row.side]

    @property
    def best(self) -> ChangeRow | None:
        return self.lines[0] if self.lines else None

    @property
    def finalists(self) -> tuple[ChangeRow, ...]:
        last = max((line.placed.rung for line in self.lines), default=0)
        return tuple(line for line in self.lines if line.placed.rung == last)

    @property
    def others(self) -> tuple[ChangeRow, ...]:
        return self.lines[len(self.finalists) :]

    @property
    def sure(self) -> float | None:
        """How likely the first is really better than the second."""
        return surely_better(self.lines[0].placed, self.lines[1].placed) if len(self.lines) > 1 else None

    @property
    def tables(self) -> tuple[tuple[tuple[ChangeRow, ...], float], ...]:
        """The changes in the last rung, and the others, each with the reach of its scale to either side."""
        return (self.finalists, _reach(self.finalists)), (self.others, _reach(self.others))

    def _line(self, place: int, placed: Placed, names: dict[str, str]) -> ChangeRow:
        change = Change.model_validate(self.row.changes[placed.candidate])
        gained, given = self.row.counts["paired"][str(placed.candidate)]
        return ChangeRow(
            place=place,
            description=describe_change(self.setup, change, names),
            value=f"{change.what}|{change.of}|{change.to}",
            placed=placed,
            difference=difference(gained, given, placed.battles),
        )


def _reach(lines: tuple[ChangeRow, ...]) -> float:
    ends = (abs(end) for line in lines for end in (line.difference.low, line.difference.high))
    return max(MIN_REACH, *ends) if lines else MIN_REACH


BEST_BUILD = PreparedQuery(
    lambda key: BestBuild.objects.filter(key=key).select_related("forecast", "asked_by"), key=UUID
)
MAX_BUILD_SEARCHES = 10
BEST_BUILDS = PreparedQuery(
    lambda forecast: (
        BestBuild.objects.filter(forecast=forecast).defer("builds", "counts").order_by("-pk")[:MAX_BUILD_SEARCHES]
    ),
    forecast=int,
)


def best_build_readable(key: UUID) -> BestBuild | None:
    """Return the search with that key; anybody with the link may see it."""
    return BEST_BUILD.row(key=key)


def best_builds_of(forecast: int) -> list[BestBuild]:
    """Return the forecast's searches, newest first."""
    return BEST_BUILDS.rows(forecast=forecast)


def best_build_rules(row: BestBuild) -> AnyRoster:
    """Return the rules that list and price the search's builds.

    They are those of the forecast's catalogue version, or the newest for a search from the lab.
    """
    release = "" if row.forecast is None else stored_setup(row.forecast.setup).catalogue_release
    return roster_rules(row.system, release)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRow:
    """A build, ranked by the search."""

    place: int
    name: str
    description: str  # its kind and its parts, in words
    spec: dict[str, object]
    points: int
    placed: Placed
    query: str  # the query that opens it in the lab
    stands_there: bool

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The query as fields of a form."""
        return parse_qsl(self.query)


@dataclass(frozen=True)
class BestBuildPage:
    """The search with its results so far."""

    row: BestBuild

    @cached_property
    def rules(self) -> AnyRoster:
        return best_build_rules(self.row)

    @property
    def release(self) -> str:
        """The catalogue version of the search; empty for the newest, which the lab uses."""
        named = self.rules.catalogue_release
        return named if named != roster_rules(self.row.system).newest else ""

    @cached_property
    def climb(self) -> Climb:
        return Climb.from_json(Plan(len(self.row.builds) + 1, self.row.battles or 1), self.row.counts)

    @cached_property
    def lines(self) -> tuple[BuildRow, ...]:
        """The builds played, best first."""
        order = self.climb.order() if self.row.battles else ()
        return tuple(self._line(place, placed) for place, placed in enumerate(order, start=1))

    @property
    def best(self) -> BuildRow | None:
        return self.lines[0] if self.lines else None

    @property
    def standing(self) -> BuildRow | None:
        """The build to improve."""
        return next((line for line in self.lines if line.stands_there), None)

    @property
    def rungs(self) -> int:
        return len(self.climb.plan.rungs)

    @property
    def finalists(self) -> tuple[BuildRow, ...]:
        last = max((line.placed.rung for line in self.lines), default=0)
        return tuple(line for line in self.lines if line.placed.rung == last)

    @property
    def others(self) -> tuple[BuildRow, ...]:
        return self.lines[len(self.finalists) :]

    @property
    def sure(self) -> float | None:
        """How likely the first is really better than the second."""
        return surely_better(self.lines[0].placed, self.lines[1].placed) if len(self.lines) > 1 else None

    @property
    def improvement_certainty(self) -> float | None:
        """How likely the first is really better than the build to improve."""
        if self.best is None or self.standing is None or self.best.stands_there:
            return None
        return surely_better(self.best.placed, self.standing.placed)

    @cached_property
    def differing_rows(self) -> tuple[DifferenceRow, ...]:
        """The rows in which the best build differs from the one to improve."""
        if self.best is None or self.best.stands_there:
            return ()
        rules = self.rules
        rows = side_by_side(rules, rules.parse_spec(self.row.start["spec"]), rules.parse_spec(self.best.spec))
        return tuple(row for row in rows if row.differs)

    @property
    def against(self) -> str:
        """The enemies, in words."""
        row = self.row
        if row.forecast is not None:
            setup = stored_setup(row.forecast.setup)
            side = next(side for side in setup.sides if all(unit.key != row.unit for unit in side.units))
            return side.name
        if len(row.foes) == 1:
            return str(row.foes[0]["name"])
        kind = "designs" if battle_rules(row.system).duel else "forces"
        return f"the {len(row.foes)} published {kind}"

    def _line(self, place: int, placed: Placed) -> BuildRow:
        row, rules = self.row, self.rules
        spec = row.builds[placed.candidate - 1] if placed.candidate else row.start["spec"]
        build = rules.parse_spec(spec)
        printed = next((each.name for each in rules.published.values() if each.spec == build), "")
        name = (printed or f"Build {placed.candidate}") if placed.candidate else row.start["name"]
        return BuildRow(
            place=place,
            name=name,
            description=_describe_build(rules, build),
            spec=spec,
            points=rules.check_design(build).points,
            placed=placed,
            query=lab_query(row.system, name, spec),
            stands_there=not placed.candidate,
        )


def _describe_build(rules: AnyRoster, build: Spec) -> str:
    """Describe its kind and its parts from the lab; its weapons if the lab has no parts."""
    groups = rules.editor(build).groups
    parts = {part.name: part.count for group in groups for part in group.choices if part.count}
    part_names = count_names(Counter(parts).elements() if parts else rules.arms(build))
    return ": ".join(each for each in (rules.kind_name(build), part_names) if each)
