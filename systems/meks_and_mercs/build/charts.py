"""The lab's charts of a Mek: Hits by range and armor, and heat."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from systems.charts import Chart, chart_series
from systems.meks_and_mercs.catalogue import CATALOGUE

from .chances import array_to_hit, best_sum, expected_hits
from .spec import MekSpec

BANDS = ("Short", "Medium", "Long")


def lab_charts(spec: MekSpec) -> Iterator[Chart]:
    """Yield the charts, for a regular pilot's best fire within the heat rating. MM-058, MM-A24, MM-A25."""
    armors = sorted({chassis.armor for chassis in CATALOGUE.chassis.values()}, reverse=True)
    yield Chart(
        slug="hits",
        title="Mean Hits of a turn’s fire",
        across="Range",
        at=BANDS,
        series=tuple(
            chart_series(f"AR {armor}", [_best(spec, band, armor) for band in range(len(BANDS))]) for armor in armors
        ),
        note="The best fire that the heat rating allows, by a regular pilot in the open at one target; armor systems of the target left out.",
    )
    jump = max((system.jump_heat for system in spec.fittings), default=0)
    fire = sum(weapon.heat for weapon in spec.armament)
    jumping = [("all its fire and a jump", fire + jump)] if jump else []
    figures = [("heat rating", spec.heat_rating), ("all its fire", fire), *jumping]
    yield Chart(
        slug="heat",
        title="Heat",
        across="What",
        at=tuple(name for name, _ in figures),
        series=(chart_series("heat", [heat for _, heat in figures]),),
    )


def _best(spec: MekSpec, band: int, armor: int) -> Fraction:
    to_hit = array_to_hit(spec.fittings)
    return best_sum(
        ((expected_hits(weapon, band, to_hit, armor), weapon.heat) for weapon in spec.armament), spec.heat_rating
    )
