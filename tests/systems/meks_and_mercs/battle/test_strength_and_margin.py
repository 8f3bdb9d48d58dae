"""The AI's value of a unit, and what a margin counts: two numbers that only Meks & Mercs separates."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.meks_and_mercs.battle import SYSTEM
from systems.meks_and_mercs.battle.play import decide_breaks, movement_phase, set_up
from systems.meks_and_mercs.battle.rules.support import roll_support
from systems.meks_and_mercs.battle.state import DEFENDER, HUNT, Unit
from systems.meks_and_mercs.build import SYSTEM as ROSTERS
from systems.meks_and_mercs.build.spec import mek_points
from systems.meks_and_mercs.options import Options
from systems.simulation.odds import tally
from systems.simulation.records import resolve

from .games import Map, game, games, in_fight

GAMES = 8_000
COUNTED = 100_000  # games behind the shares below
CAUTIOUS = ("aggressive", "cautious")


def points(unit: Unit) -> float:
    return unit.price * unit.hits / unit.full_hits


@pytest.mark.rule("MM-A06")
@pytest.mark.parametrize(
    ("result", "price"),
    [("gun-sled", 8), ("panzer", 5), ("mech-infantry", 3), ("gunship", 7), ("howitzer-battery", 7), ("commandos", 0)],
)
def test_support_unit_is_worth_its_map_price(result, price):
    table = Map(doctrines=CAUTIOUS, support=((), (result,)))
    table.play(set_up, [])
    assert points(table["d+1"]) == price
    in_fight(table.put(**{"a1": 6, "d1": 6, "d+1": 6}), 6)
    for more in (0, 1):  # the Mek beside it stays while the enemy is worth at most twice both of them
        table["a1"].price = 2 * (table["d1"].price + price) + more
        decide_breaks(table.state, [])
        assert table["d1"].wants_break == more


@pytest.mark.rule("MM-A06", "MM-088")
def test_rolled_support_unit_is_worth_its_price():
    table = Map(support=((), ("roll",)))
    table.play(roll_support, [6, 5])  # Howitzer Battery
    assert points(table["d+1"]) == 7


@pytest.mark.rule("MM-A06", "MM-A39", "MM-A41")
@pytest.mark.parametrize(("support", "zone"), [((), 6), (("howitzer-battery",), 5)])
def test_cautious_mek_enters_with_support_unit_beside(support, zone):
    table = Map(doctrines=CAUTIOUS, support=((), support))
    table.play(set_up, [])
    with_howitzer = {"d+1": 6} if support else {}
    table.put(a2=5, a3=5, d1=6, **with_howitzer)  # 24 points against 26; 31 with the Howitzer Battery
    for key in ("d1", *with_howitzer):
        table[key].order = HUNT
    table.play(movement_phase, [], DEFENDER)
    assert {table[key].zone for key in ("d1", *with_howitzer)} == {zone}


@pytest.mark.rule("MM-A06", "MM-A14", "MM-A39", "MM-A41")
@pytest.mark.parametrize(
    ("doctrines", "support", "wins", "without_prices"),
    [
        (("aggressive", "cautious"), ("howitzer-battery", "mech-infantry"), 0.4159, 0.532),
        (("cautious", "aggressive"), ("mech-infantry", "howitzer-battery"), 0.2992, 0.460),
    ],
)
def test_support_value_decides_how_cautious_side_fights(doctrines, support, wins, without_prices):
    setup = game("head-to-head", doctrines=doctrines, support=tuple((result,) for result in support))
    share = tally(setup, 912, 0, GAMES).battle["attacker_wins"] / GAMES
    error = math.sqrt(wins * (1 - wins) * (1 / GAMES + 1 / COUNTED))
    assert abs(share - wins) <= 4 * error
    assert abs(share - without_prices) > 8 * error


@pytest.mark.rule("MM-083", "MM-014")
@pytest.mark.parametrize("scenario", ["opening-shots", "hot-gates"])
def test_margin_counts_only_fielded_meks(scenario):
    setup = game(scenario, support=(("roll",), ("decoy",)))
    table = SYSTEM.prepare(setup)
    named = {unit.key for side in setup.sides for unit in side.units}
    for (key, _side), unit in zip(SYSTEM.fielded(setup), table.units, strict=False):
        assert (unit.cost > 0) == (key in named)


@settings(max_examples=60, deadline=None)
@given(setup=games(), seed=st.integers(0, 2**32))
def test_margin_matches_direct_count_and_stays_within_points(setup, seed):
    costs = {
        unit.key: mek_points(ROSTERS.published[unit.design].spec, Options.read(setup.options))
        for side in setup.sides
        for unit in side.units
    }
    forces = [sum(costs[unit.key] for unit in side.units) for side in setup.sides]
    fates = {unit["key"]: unit for unit in resolve(setup, seed).outcome["units"]}
    left = [sum(costs[unit.key] for unit in side.units if not fates[unit.key]["lost"]) for side in setup.sides]
    (margin,) = tally(setup, seed, 0, 1, compiled=False).margins
    assert margin == left[0] - left[1]
    assert -forces[1] <= margin <= forces[0]
