"""Charts of the design lab: a machine's average damage per turn by distance and evasion, and its DP by area."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from systems.charts import Chart, chart_series
from systems.hex_core.catalogue import CATALOGUE

from .chances import attack_count, mean_damage
from .datasheet import Datasheet, WeaponLine
from .spec import MachineSpec

DISTANCES = (1, 2, 3, 4, 6, 8, 10, 12)  # hexes


def list_charts(spec: MachineSpec, sheet: Datasheet) -> Iterator[Chart]:
    """Yield the charts for the fire of the best ready weapon in a turn. HX-061, HX-078, HX-082 to HX-089."""
    values = sorted({core.evasion for core in CATALOGUE.cores.values()})
    targets = [*((f"EVA {value}+", value) for value in values), ("can’t evade", None)]
    yield Chart(
        slug="damage",
        title="Mean damage of a turn",
        across="Distance",
        at=tuple(f"{distance} {'hex' if distance == 1 else 'hexes'}" for distance in DISTANCES),
        series=tuple(
            chart_series(name, [_best(spec, sheet, distance, evasion) for distance in DISTANCES]) for name, evasion in targets
        ),
        note="As many attacks as the mean AP pay for, with the one best weapon, not from the flank; drones left out.",
    )
    yield Chart(
        slug="dp",
        title="DP by area",
        across="Area",
        at=tuple(area.name for area in spec.areas),
        series=(chart_series("DP", [spec.dp[area.index] for area in spec.areas]),),
    )


def _best(spec: MachineSpec, sheet: Datasheet, distance: int, evasion: int | None) -> Fraction:
    lines = (line for line in sheet.lines if not line.is_carried and line.range >= distance)
    return max((_damage(spec, line, evasion) for line in lines), default=Fraction(0))


def _damage(spec: MachineSpec, line: WeaponLine, evasion: int | None) -> Fraction:
    number = spec.assault if line.kind == "melee" else spec.accuracy
    return attack_count(spec.base_ap, line.ap)[1] * mean_damage(number, evasion, line.damage, line.critical)
