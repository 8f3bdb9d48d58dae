"""The luck of a battle: its result among all battles of its set-up, and how the dice fell."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from django.db.models import Case, QuerySet, When

from battles.models import ASKED_BY_SITE, Battle, Forecast
from rosters.site.compiled import PreparedQuery
from systems import battle_rules
from systems.reading import stored_setup
from systems.setups import Setup, setup_hash, setup_json, with_styles, without_orders
from systems.simulation.luck import DiceLuck
from systems.simulation.odds import (
    Margins,
    Standing,
    Tally,
    margins_of,
    standing,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckReport:
    """The luck of a battle: its result among all battles of its set-up, and how the dice fell.

    `margin` is side A's; the standing is the winner's, or side A's after a draw. Without odds of the set-up there is no
    standing.
    """

    margin: int
    side: str  # the side whose standing it is
    forecast: Forecast | None = None
    margins: Margins | None = None
    standing: Standing | None = None
    dice: tuple[DiceLuck, ...] = ()

    @property
    def own_margin(self) -> int:
        """The margin from the point of view of the side whose standing is shown."""
        return self.margin if self.side == "a" else -self.margin


MIN_BATTLES_FOR_LUCK = 1_000  # in odds that can place a result


@cache
def _best_forecast(rules_version: int) -> PreparedQuery[Forecast]:
    """Return a query for a set-up's odds with the most simulated battles, under these rules."""

    def rows(setup_hash: str) -> QuerySet[Forecast]:
        return _finished_forecasts(rules_version).filter(setup_hash=setup_hash).order_by("-runs_done", "pk")[:1]

    return PreparedQuery(rows, setup_hash=str)


def _forecast_of(battle: Battle, setup: Setup) -> Forecast | None:
    """Return the odds that a battle's result is compared with.

    People who played it followed no AI style and no orders: then these are the odds that the site published for the
    set-up, in whatever styles, before any that somebody else asked for.
    """
    if not battle.fought_by_hand:
        return _best_forecast(battle.rules_version).row(setup_hash=battle.setup_hash)
    bare = stored_setup(without_orders(setup_json(setup)))
    styles = battle_rules(setup.system).doctrines
    hashes = {setup_hash(with_styles(bare, pair)) for pair in product(styles, styles)} | {battle.setup_hash}
    of_it = _finished_forecasts(battle.rules_version).filter(setup_hash__in=hashes)
    return of_it.order_by(Case(When(asked_from=ASKED_BY_SITE, then=0), default=1), "-runs_done", "pk").first()


def _finished_forecasts(rules_version: int) -> QuerySet[Forecast]:
    rows = Forecast.objects.filter(runs_done__gte=MIN_BATTLES_FOR_LUCK, counts__has_key="margins")
    return rows.filter(rules_version=rules_version)


def luck_report(battle: Battle, setup: Setup, dice: tuple[DiceLuck, ...]) -> LuckReport | None:
    """Return the luck of a finished battle; None if its result doesn't have the fate of each unit."""
    fates = {unit["key"]: unit for unit in (battle.result or {}).get("units", ())}
    worths = battle_rules(setup.system).worths(setup)
    if not fates.keys() >= worths.keys() or battle.result is None:
        return None
    left = [sum(worths[unit.key] for unit in side.units if not fates[unit.key]["lost"]) for side in setup.sides]
    margin = left[0] - left[1]
    is_b = battle.result["winner"] == setup.sides[1].name
    forecast = _forecast_of(battle, setup)
    report = LuckReport(margin=margin, side="b" if is_b else "a", dice=dice)
    if forecast is None:
        return report
    counts = Tally.from_json(forecast.counts).margins
    own = {-other: count for other, count in counts.items()} if is_b else counts
    found = standing(report.own_margin, own)
    return replace(report, forecast=forecast, margins=margins_of(counts), standing=found)
