"""The best build: the search as its page and the API show it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import parse_qsl
from uuid import UUID

from battles.models import BestBuild
from rosters.designs.lab import lab_query
from rosters.site.compiled import PreparedQuery
from systems import battle_rules, roster_rules
from systems.lab.changes import Spec
from systems.lab.differences import DifferenceRow, side_by_side
from systems.reading import stored_setup
from systems.roster import AnyRoster
from systems.simulation.halving import Climb, Placed, Plan, surely_better

BEST_BUILD = PreparedQuery(lambda key: BestBuild.objects.filter(key=key).select_related("forecast", "asked_by"), key=UUID)
MAX_BUILD_SEARCHES = 10
BEST_BUILDS = PreparedQuery(
    lambda forecast: (
        BestBuild.objects.filter(forecast=forecast).defer("builds", "counts").order_by("-pk")[:MAX_BUILD_SEARCHES]
    ),
    forecast=int,
)


def best_build_readable(key: UUID) -> BestBuild | None:
    """Return the search with that key; everybody with the link may see it."""
    return BEST_BUILD.row(key=key)


def best_builds_of(forecast: int) -> list[BestBuild]:
    """Return the searches that belong to a forecast, newest first."""
    return BEST_BUILDS.rows(forecast=forecast)


def best_build_rules(row: BestBuild) -> AnyRoster:
    """Return the rules that its builds are listed and priced by.

    They are of the forecast set-up's catalogue version, or of the newest for a search from the lab.
    """
    release = "" if row.forecast is None else stored_setup(row.forecast.setup).catalogue_release
    return roster_rules(row.system, release)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRow:
    """A build in the order of the search."""

    place: int
    name: str
    told: str  # its kind and its parts, in words
    spec: dict[str, object]
    points: int
    placed: Placed
    query: str  # the query that opens it in the lab
    stands_there: bool

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The same as fields of a form."""
        return parse_qsl(self.query)


@dataclass(frozen=True)
class BestBuildPage:
    """The search as far as it has got."""

    row: BestBuild

    @cached_property
    def rules(self) -> AnyRoster:
        return best_build_rules(self.row)

    @property
    def release(self) -> str:
        """The catalogue version that all of this uses; empty for the newest, which the lab uses too."""
        named = self.rules.catalogue_release
        return named if named != roster_rules(self.row.system).newest else ""

    @cached_property
    def climb(self) -> Climb:
        return Climb.from_json(Plan(len(self.row.builds) + 1, self.row.battles or 1), self.row.counts)

    @cached_property
    def lines(self) -> tuple[BuildRow, ...]:
        """The builds that were played, best first."""
        order = self.climb.order() if self.row.battles else ()
        return tuple(self._line(place, placed) for place, placed in enumerate(order, start=1))

    @property
    def best(self) -> BuildRow | None:
        return self.lines[0] if self.lines else None

    @property
    def standing(self) -> BuildRow | None:
        """The build that is to be improved."""
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
        """How likely the first is really better than the build to be improved."""
        if self.best is None or self.standing is None or self.best.stands_there:
            return None
        return surely_better(self.best.placed, self.standing.placed)

    @cached_property
    def differing_rows(self) -> tuple[DifferenceRow, ...]:
        """The rows in which the best build differs from the one to be improved."""
        if self.best is None or self.best.stands_there:
            return ()
        rules = self.rules
        rows = side_by_side(rules, rules.parse_spec(self.row.start["spec"]), rules.parse_spec(self.best.spec))
        return tuple(row for row in rows if row.differs)

    @property
    def against(self) -> str:
        """The enemies in words."""
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
            told=_describe_build(rules, build),
            spec=spec,
            points=rules.check_design(build).points,
            placed=placed,
            query=lab_query(row.system, name, spec),
            stands_there=not placed.candidate,
        )


def _describe_build(rules: AnyRoster, build: Spec) -> str:
    """Describe its kind and its parts, as the lab lists them; its weapons if the lab lists none."""
    groups = rules.bench(build).groups
    parts = {part.name: part.count for group in groups for part in group.choices if part.count}
    counted = parts or Counter(rules.arms(build))
    told = ", ".join(f"{number} {name}" if number > 1 else name for name, number in counted.items())
    return ": ".join(each for each in (rules.kind_name(build), told) if each)
