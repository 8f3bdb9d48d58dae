"""Odds, and the effect of one change on them, for pages and the API."""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from battles.models import Forecast, WhatIf
from rosters.database.queries import PreparedQuery
from systems.reading import stored_setup
from systems.simulation.odds import Comparison, Difference, Tally, differences
from systems.simulation.summary import Odds, Share, UnitOdds, odds

FORECAST = PreparedQuery(lambda key: Forecast.objects.filter(key=key).select_related("asked_by"), key=UUID)
WHAT_IF = PreparedQuery(lambda key: WhatIf.objects.filter(key=key).select_related("forecast", "asked_by"), key=UUID)
MAX_WHAT_IFS = 20
WHAT_IFS = PreparedQuery(
    lambda forecast: (
        WhatIf.objects.filter(forecast=forecast, runs_done__gt=0).defer("setup").order_by("-pk")[:MAX_WHAT_IFS]
    ),
    forecast=int,
)


def forecast_readable(key: UUID) -> Forecast | None:
    """Return the odds with that key; anybody with the link may see them."""
    return FORECAST.row(key=key)


def forecast_odds(forecast: Forecast) -> Odds | None:
    """Return the odds as far as they are simulated; None before the first chunk."""
    if not forecast.runs_done:
        return None
    return odds(Tally.from_json(forecast.counts), stored_setup(forecast.setup))


@dataclass(frozen=True)
class WhatIfRow:
    """A comparison with its figures so far."""

    row: WhatIf

    @cached_property
    def comparison(self) -> Comparison:
        return Comparison.from_json(self.row.counts)

    @cached_property
    def _changes(self) -> tuple[Difference, Difference, Difference]:
        return differences(self.comparison)

    @property
    def a(self) -> Difference:
        return self._changes[0]

    @property
    def b(self) -> Difference:
        return self._changes[1]

    @cached_property
    def before(self) -> Odds:
        return odds(self.comparison.before, stored_setup(self.row.forecast.setup))

    @cached_property
    def after(self) -> Odds:
        return odds(self.comparison.after, stored_setup(self.row.setup))

    @property
    def chances(self) -> tuple[tuple[str, str, Share, Share, Difference], ...]:
        """Label, side, chance before, chance after, difference: for both sides and the draw."""
        (a, b), (new_a, new_b), (of_a, of_b, of_draws) = self.before.sides, self.after.sides, self._changes
        return (
            (f"{a.name} wins", "a", a.wins, new_a.wins, of_a),
            (f"{b.name} wins", "b", b.wins, new_b.wins, of_b),
            ("Draw", "", self.before.draws, self.after.draws, of_draws),
        )

    @property
    def units(self) -> tuple[tuple[UnitOdds, UnitOdds], ...]:
        """Each unit before and after."""
        return tuple(zip(self.before.units, self.after.units, strict=True))


def what_if_row(row: WhatIf) -> WhatIfRow | None:
    """Return a comparison with its figures; None before the first chunk."""
    return WhatIfRow(row) if row.runs_done else None


def what_ifs_of(forecast: Forecast) -> list[WhatIfRow]:
    """Return the forecast's comparisons that have figures, newest first."""
    return [WhatIfRow(row) for row in WHAT_IFS.rows(forecast=forecast.pk)]


def what_if_readable(key: UUID) -> WhatIf | None:
    """Return the comparison with that key; anybody with the link may see it."""
    return WHAT_IF.row(key=key)
