"""The design lab's chart of a unit: the mean damage of its fire by the target's situation."""

from __future__ import annotations

from collections.abc import Iterator

from systems.charts import Chart, series

from .chances import hit_chance, need
from .spec import UnitSpec


def charts(spec: UnitSpec) -> Iterator[Chart]:
    """Yield the chart for all shots of a unit of this kind in a turn. MC-056, MC-072 to MC-074."""
    kind = spec.unit_kind
    places = (
        ("in the open", need(kind)),
        ("in cover", need(kind, in_cover=True)),
        ("from higher ground", need(kind, from_height=True)),
        ("locked on", need(kind, is_locked=True)),
    )
    yield Chart(
        slug="damage",
        title="Mean damage of a turn’s fire",
        across="Target",
        at=tuple(name for name, _ in places),
        series=(series("damage", [kind.shooting_actions * hit_chance(number) for _, number in places]),),
        note="All its shots paid for, and in range.",
    )
