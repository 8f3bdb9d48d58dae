"""The change that helps most: the search as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from battles.models import BestChange
from battles.odds.what_if import Change, describe_change
from rosters.site.compiled import PreparedQuery
from systems import battle_rules
from systems.reading import stored_setup
from systems.setups import Setup
from systems.simulation.halving import Climb, Placed, Plan, surely_better
from systems.simulation.odds import Difference, difference

MAX_CHANGE_SEARCHES = 4
MIN_REACH = 0.05  # in the scale of a page
BEST_CHANGE = PreparedQuery(lambda key: BestChange.objects.filter(key=key).select_related("forecast", "asked_by"), key=UUID)
BEST_CHANGES = PreparedQuery(
    lambda forecast: (
        BestChange.objects.filter(forecast=forecast).defer("changes", "counts").order_by("-pk")[:MAX_CHANGE_SEARCHES]
    ),
    forecast=int,
)


def best_change_readable(key: UUID) -> BestChange | None:
    """Return the search with that key; everybody with the link may see it."""
    return BEST_CHANGE.row(key=key)


def best_changes_of(forecast: int) -> list[BestChange]:
    """Return the searches that belong to a forecast, newest first."""
    return BEST_CHANGES.rows(forecast=forecast)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """A change in the order of the search, and its effect on the side's win chance."""

    place: int
    told: str
    value: str  # as the form of a comparison sends it
    placed: Placed
    difference: Difference


@dataclass(frozen=True)
class BestChangePage:
    """The search as far as it has got."""

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
        """The changes that reached the end, and those given up, each with the reach of its scale to either side."""
        return (self.finalists, _reach(self.finalists)), (self.others, _reach(self.others))

    def _line(self, place: int, placed: Placed, names: dict[str, str]) -> ChangeRow:
        change = Change.model_validate(self.row.changes[placed.candidate])
        gained, given = self.row.counts["paired"][str(placed.candidate)]
        return ChangeRow(
            place=place,
            told=describe_change(self.setup, change, names),
            value=f"{change.what}|{change.of}|{change.to}",
            placed=placed,
            difference=difference(gained, given, placed.battles),
        )


def _reach(lines: tuple[ChangeRow, ...]) -> float:
    ends = (abs(end) for line in lines for end in (line.difference.low, line.difference.high))
    return max(MIN_REACH, *ends) if lines else MIN_REACH
