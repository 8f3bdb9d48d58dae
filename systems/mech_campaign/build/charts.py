"""The design lab's chart of a unit: the mean damage of its fire by the target's situation."""

from __future__ import annotations

from collections.abc import Iterator

from systems.charts import Chart, chart_series

from .chances import hit_chance, needed_number
from .spec import UnitSpec


def lab_charts(spec: UnitSpec) -> Iterator[Chart]:
    """Yield the chart for all shots of a unit of this kind in a turn. MC-056, MC-072 to MC-074."""
    kind = spec.unit_kind
    places = (
        ("in the open", needed_number(kind)),
        ("in cover", needed_number(kind, in_cover=True)),
        ("from higher ground", needed_number(kind, from_height=True)),
        ("locked on", needed_number(kind, is_locked=True)),
    )
    yield Chart(
        slug="damage",
        title="Mean damage of a turn’s fire",
        across="Target",
        at=tuple(name for name, _ in places),
        series=(chart_series("damage", [kind.shooting_actions * hit_chance(number) for _, number in places]),),
        note="All its shots paid for, and in range.",
    )
