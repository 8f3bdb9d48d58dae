"""Odds and what one change does to them."""

from dataclasses import dataclass
from uuid import UUID

from battles.models import Forecast, WhatIf
from rosters.site.compiled import Compiled
from systems.engine.odds import Comparison, Difference, Odds, Share, Tally, UnitOdds, differences, odds
from systems.reading import stored_setup

FORECAST = Compiled(lambda key: Forecast.objects.filter(key=key).select_related("asked_by"), key=UUID)
WHAT_IF = Compiled(lambda key: WhatIf.objects.filter(key=key).select_related("forecast", "asked_by"), key=UUID)
WHAT_IFS_SHOWN = 20
WHAT_IFS = Compiled(
    lambda forecast: (
        WhatIf.objects.filter(forecast=forecast, runs_done__gt=0).defer("setup").order_by("-pk")[:WHAT_IFS_SHOWN]
    ),
    forecast=int,
)


def forecast_readable(key: UUID) -> Forecast | None:
    """The odds of that key; who has the link may see them."""
    return FORECAST.row(key=key)


def forecast_odds(forecast: Forecast) -> Odds | None:
    """The odds as far as they are counted; None before the first chunk."""
    if not forecast.runs_done:
        return None
    return odds(Tally.from_json(forecast.counts), stored_setup(forecast.setup))


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfLine:
    """A comparison with its figures so far; `a`, `b` and `draw` are None before the first chunk."""

    row: WhatIf
    battles: int = 0
    a: Difference | None = None
    b: Difference | None = None
    draw: Difference | None = None
    before: Odds | None = None
    after: Odds | None = None

    @property
    def chances(self) -> tuple[tuple[str, str, Share, Share, Difference], ...]:
        """What, its side, before, after, difference: for both sides and the draw."""
        if not (self.before and self.after and self.a and self.b and self.draw):
            return ()
        (a, b), (new_a, new_b) = self.before.sides, self.after.sides
        return (
            (f"{a.name} wins", "a", a.wins, new_a.wins, self.a),
            (f"{b.name} wins", "b", b.wins, new_b.wins, self.b),
            ("Draw", "", self.before.draws, self.after.draws, self.draw),
        )

    @property
    def units(self) -> tuple[tuple[UnitOdds, UnitOdds], ...]:
        """Each unit before and after."""
        return tuple(zip(self.before.units, self.after.units, strict=True)) if self.before and self.after else ()


def what_if_line(row: WhatIf) -> WhatIfLine:
    """A comparison with all its figures."""
    if not row.runs_done:
        return WhatIfLine(row=row)
    counted = Comparison.from_json(row.counts)
    a, b, draw = differences(counted)
    return WhatIfLine(
        row=row,
        battles=counted.battles,
        a=a,
        b=b,
        draw=draw,
        before=odds(counted.before, stored_setup(row.forecast.setup)),
        after=odds(counted.after, stored_setup(row.setup)),
    )


def what_ifs_of(forecast: Forecast) -> tuple[WhatIfLine, ...]:
    """The comparisons asked beside a forecast that have figures, newest first, without the odds behind them."""
    lines = []
    for row in WHAT_IFS.rows(forecast=forecast.pk):
        counted = Comparison.from_json(row.counts)
        a, b, draw = differences(counted)
        lines.append(WhatIfLine(row=row, battles=counted.battles, a=a, b=b, draw=draw))
    return tuple(lines)


def what_if_readable(key: UUID) -> WhatIf | None:
    """The comparison of that key; who has the link may see it."""
    return WHAT_IF.row(key=key)
