"""Battles on own maps: set-up areas, placed objectives, raised ground."""

from __future__ import annotations

import pytest

from systems.engine.dice import NullLog, SeededDice
from systems.hex_core.battle import SYSTEM
from systems.hex_core.battle.initial_state import build_state
from systems.hex_core.battle.play import set_up
from systems.hex_core.build import example_spec
from systems.hex_core.build.scenario import check_scenario, parse_scenario
from systems.hex_core.catalogue import CATALOGUE, COLUMNS
from systems.hex_core.options import BY_THE_BOOK

STARTS = {
    "a": [[c, r] for c in range(4, 9) for r in (8, 9)],
    "b": [[15 - c, 12 - r] for c in range(4, 9) for r in (8, 9)],
}
RAISED = [[7, 7, 1], [7, 6, 2], [8, 5, 1], [8, 6, 2], [6, 7, 1], [9, 5, 1]]


def state(mission: str = "elimination", squad: str = "line", **given: object):
    spec = parse_scenario({"mission": mission, "map": given})
    assert check_scenario(spec).legal
    units = [example_spec(CATALOGUE.examples[slug]) for slug in CATALOGUE.squads[squad].units]
    return build_state([units, units], ["aggressive", "cautious"], mission, spec.map.board, BY_THE_BOOK)


def number(place) -> int:
    return place[1] * COLUMNS + place[0]


@pytest.mark.rule("HX-059")
@pytest.mark.parametrize("squad", CATALOGUE.squads)
def test_sides_set_up_in_areas_of_map(squad):
    if squad == "shore":
        pytest.skip("its Pikes need water")
    s = state(squad=squad, starts=STARTS)
    set_up(s, SeededDice(3, 0), NullLog())
    for unit in s.units:
        assert unit.at in set(map(number, STARTS["ab"[unit.side]]))


@pytest.mark.rule("HX-166")
def test_objectives_of_map_are_not_placed_by_dice():
    places = [[7, 12], [7, 6], [7, 0]]
    s = state("domination", objectives=places)
    set_up(s, SeededDice(3, 0), NullLog())
    assert [each.at for each in s.objects] == list(map(number, places))


@pytest.mark.rule("HX-067")
@pytest.mark.parametrize("mission", CATALOGUE.missions)
def test_battle_on_raised_ground_ends(mission):
    s = state(mission, levels=RAISED, starts=STARTS)
    assert s.hexes[number((7, 6))].level == 2
    SYSTEM.fight(s, SeededDice(5, 1), NullLog())
    assert s.battle.over
