"""The lab's movement chart of a Mek: every movement roll that it can make, calculated by the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product

from systems.charts import Chart, chart_series
from systems.engine.dice import ScriptedDice
from systems.engine.mute import MuteLog
from systems.meks_and_mercs.battle.rules.contact import roll_total
from systems.meks_and_mercs.battle.setup import SYSTEM_BITS
from systems.meks_and_mercs.battle.state import Battle, State, Unit, Zone
from systems.meks_and_mercs.build.spec import MekSpec

LEGS = ("undamaged", "1 leg hit", "2 legs hit")
JETS = "jump-jets"


def movement_charts(spec: MekSpec) -> Iterator[Chart]:
    """Yield the movement chart, for a regular pilot. MM-028, MM-029."""
    grounds: dict[int, list[str]] = {}
    for terrain in spec.catalogue.terrain.values():
        grounds.setdefault(terrain.movement, []).append(terrain.name)
    ways = [(names[0], modifier, 0) for modifier, names in sorted(grounds.items(), reverse=True)]
    if JETS in spec.systems:
        ways.append(("jumping", 0, 1))
    least, most = min(_totals(spec, *ways[0][1:], 0)), max(_totals(spec, *ways[0][1:], 0))
    alike = [f"{' and '.join(names[1:])} as {names[0]}" for names in grounds.values() if len(names) > 1]
    yield Chart(
        slug="speed",
        title="Mean movement roll",
        across="Terrain",
        at=tuple(name for name, _, _ in ways),
        series=tuple(
            chart_series(name, [_mean(_totals(spec, modifier, jets, legs)) for _, modifier, jets in ways])
            for legs, name in enumerate(LEGS)
        ),
        note=f"By a regular pilot: {least} to {most} when undamaged on {ways[0][0]}. {'; '.join(alike)}.",
    )


def _totals(spec: MekSpec, modifier: int, jets: int, legs: int) -> tuple[int, ...]:
    systems = sum(SYSTEM_BITS[slug] for slug in set(spec.systems))
    frame = spec.frame
    return _movement_totals(frame.movement_dice, frame.movement_bonus, systems, modifier, jets, legs)


@lru_cache(maxsize=1024)
def _movement_totals(dice: int, bonus: int, systems: int, modifier: int, jets: int, legs: int) -> tuple[int, ...]:
    """Return the total of each combination of dice."""
    unit = Unit(movement_dice=dice, movement_bonus=bonus, systems=systems, legs=legs)
    state = State(
        battle=Battle(),
        sides=[],
        rolls=[],
        zones=[Zone(movement=modifier)],
        units=[unit],
        weapons=[],
        fittings=[],
        pairs=[],
        sights=[],
        salvos=[],
        firings=[],
        shots=[],
    )
    totals = []
    for faces in product(range(1, 7), repeat=dice + jets):
        roll_total(state, 0, jets, ScriptedDice(faces), MuteLog())
        totals.append(unit.total)
    return tuple(totals)


def _mean(totals: tuple[int, ...]) -> Fraction:
    return Fraction(sum(totals), len(totals))
