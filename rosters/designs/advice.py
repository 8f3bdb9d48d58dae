"""The lab's advice on a design, besides its check: how to fix problems, what each option would change, charts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rosters.designs.lab import Lab
from systems import BATTLES, battle_rules, roster_rules
from systems.charts import Chart, chart_shares
from systems.lab.changes import offered
from systems.lab.prices import Price, Prices, prices
from systems.lab.repairs import Repair, advice
from systems.legality import Problem

FEW_CHANGES = 100  # each is checked once; hundreds would delay the page


@dataclass(frozen=True, slots=True)
class WayOut:
    """A repair, with the lab's query string for the repaired design."""

    repair: Repair
    query: str

    @property
    def price(self) -> str:
        """Its effect on the points."""
        return Price(self.repair.points).told


@dataclass(frozen=True, slots=True)
class Wrong:
    problem: Problem
    ways: tuple[WayOut, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    problems: tuple[Wrong, ...]
    whole: WayOut | None  # fixes all of them at once
    prices: Prices
    charts: tuple[Chart, ...]


def advice_of(lab: Lab) -> Advice:
    """Return the advice on a valid spec."""
    rules = roster_rules(lab.system)
    spec = rules.parse_spec(lab.spec)

    def way(repair: Repair) -> WayOut:
        return WayOut(repair, lab.query_of(rules.spec_json(repair.spec)))

    found = advice(rules, spec)
    return Advice(
        tuple(Wrong(each.problem, tuple(way(repair) for repair in each.repairs)) for each in found.problems),
        way(found.whole) if found.whole else None,
        prices(rules, spec),
        tuple(chart for chart in charts_of(lab.system, spec) if len(chart.at) > 1),
    )


def is_soon_advised(lab: Lab) -> bool:
    """Return whether the advice on a valid spec is fast enough for a page: nothing to fix, and few changes."""
    if not lab.check or not lab.check.legal:
        return False
    changes = offered(lab.bench, roster_rules(lab.system))
    return sum(1 for _ in islice(changes, FEW_CHANGES + 1)) <= FEW_CHANGES


def charts_of(system: str, spec: Any) -> tuple[Chart, ...]:
    """Return all charts of a design: its effects, its movement and heat, and its points by part."""
    rules = roster_rules(system)
    in_battle = battle_rules(system).charts(spec) if system in BATTLES else ()
    return (*rules.charts(spec), *in_battle, chart_shares(rules.check_design(spec)))


def price_of(advised: Advice | None, field: str, value: str) -> Price | None:
    """Return what that option would change; None if it was not calculated, or nothing would change."""
    known: Mapping[tuple[str, str], Price] = advised.prices if advised else {}
    return known.get((field, value))
