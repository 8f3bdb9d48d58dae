"""Charts of the design lab: how a Warmech moves and how hot it gets, by the rules themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.distributions import heat_weights, overheat_chance
from systems.blazing_steel.battle.muster import state_unit, state_weapon
from systems.blazing_steel.battle.rules.actions import heat_of, heat_of_order
from systems.blazing_steel.battle.rules.facts import allowance, has_no_legs
from systems.blazing_steel.battle.state import Battle, State
from systems.blazing_steel.build.spec import WEAPON_SLOTS, WarmechSpec
from systems.blazing_steel.options import BY_THE_BOOK
from systems.charts import Chart, chart_series

MOVEMENTS = {"Move": c.MOVE, "Sprint": c.SPRINT, "Jump": c.JUMP}
RIGHT, LEFT = 1 << c.CRIPPLED_RIGHT_LEG, 1 << c.CRIPPLED_LEFT_LEG
LEGS = {"whole": 0, "one side lost": RIGHT, "both lost": RIGHT | LEFT}
RODS = "coolant-rods"


def list_charts(spec: WarmechSpec) -> Iterator[Chart]:
    """Yield the charts of a build; none without locomotion, as it can't be fielded."""
    if spec.drive is not None:
        yield _speed(spec)
        yield _heat(spec)


def _speed(spec: WarmechSpec) -> Chart:
    """Return the chart of its movement, whole and crippled. BS-040 to BS-042, BS-155, BS-160."""
    unit = state_unit(spec, c.SIDE_A)
    lines = []
    for name, cripples in LEGS.items():
        unit.cripples = cripples
        if unit.locomotion != c.BIPEDAL or not has_no_legs(unit):
            lines.append(chart_series(name, [allowance(unit, action) for action in MOVEMENTS.values()]))
    out = " A biped that has lost both is out of action." if len(lines) < len(LEGS) else ""
    return Chart(
        slug="speed",
        title="Inches of a movement",
        across="Action",
        at=tuple(MOVEMENTS),
        series=tuple(lines),
        note=f"With its Locomotion whole or crippled; a Charge goes as far as a Move.{out}",
    )


def _heat(spec: WarmechSpec) -> Chart:
    """Return the chance to overheat, turn by turn of a round. BS-037, BS-056, BS-100 to BS-106, BS-127, BS-174."""
    attack = heat_of(c.SHOOT)  # a strike makes as much
    what = {attack: "a Move and an attack"}
    for heat, name in ((_two_attacks(spec), "two attacks"), (heat_of(c.JUMP) + attack, "a Jump and an attack")):
        what[heat] = f"{what[heat]}, or {name}" if heat in what else name
    turns = BY_THE_BOOK.max_activations - 1  # the last one must hold a Cool, and what it has made is not rolled for
    told = "; ".join(f"{heat} heat: {name}" for heat, name in sorted(what.items()))
    rods = " Coolant Rods take the heat of one turn away, once a round." if spec.p1 == RODS else ""
    sinks = spec.frame.has_improved_sinks
    shed = "Improved heat sinks shed each 1 that is rolled." if sinks else "No heat is shed before the round ends."
    return Chart(
        slug="heat",
        title="Chance to overheat, in percent",
        across="Turns of a round like this",
        at=tuple(f"{turn} turn{'s' if turn > 1 else ''}" for turn in range(1, turns + 1)),
        series=tuple(chart_series(f"{heat} heat a turn", _overheats(heat, turns, sinks)) for heat in sorted(what)),
        note=f"{told}. {shed}{rods}",
    )


def _two_attacks(spec: WarmechSpec) -> int:
    """Return the most heat that two attacks of a turn make. BS-127."""
    state = _state(spec)
    unit = state.units[0]
    most = 2 * heat_of(c.STRIKE)
    guns = [at for at, slot in enumerate(WEAPON_SLOTS) if spec.weapon(slot)]
    for first, second in product(guns, repeat=2):
        unit.energy_slot = first if state.weapons[first].energy else c.NOBODY
        most = max(most, heat_of(c.SHOOT) + heat_of_order(state, 0, c.SHOOT, second))
    return most


def _overheats(heat: int, turns: int, sinks: bool) -> list[Fraction]:
    """Return the chance by the end of each turn with `heat` dice, in percent. BS-101 to BS-105.

    Heat dice stay and add up.
    """
    cool: Mapping[int, Fraction] = {0: Fraction(1)}  # weight of the heat dice -> chance of it, not overheated
    so_far, found = Fraction(0), []
    for _ in range(turns):
        so_far += sum((chance * overheat_chance(weight, heat, sinks) for weight, chance in cool.items()), Fraction(0))
        found.append(100 * so_far)
        after: dict[int, Fraction] = defaultdict(Fraction)
        for (weight, chance), (more, ways) in product(cool.items(), heat_weights(heat, sinks).items()):
            if weight + more < c.OVERHEAT:
                after[weight + more] += chance * Fraction(ways, 6**heat)
        cool = after
    return found


def _state(spec: WarmechSpec) -> State:
    """Return a state with only this Warmech."""
    return State(
        battle=Battle(count_a=1),
        sides=[],
        units=[state_unit(spec, c.SIDE_A)],
        weapons=[state_weapon(spec, slot, BY_THE_BOOK) for slot in WEAPON_SLOTS],
        orders=[],
        discs=[],
        faces=[],
        looks=[],
        chances=[],
    )
