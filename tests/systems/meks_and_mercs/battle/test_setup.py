"""From the set-up to the first state."""

import pytest

from systems.documents import DocumentError
from systems.meks_and_mercs.battle import SYSTEM, replay
from systems.meks_and_mercs.battle.rules.firepower import terrain_modifier
from systems.meks_and_mercs.battle.state import INFANTRY as STRONGPOINT
from systems.meks_and_mercs.battle.state import MEK, VEHICLE
from systems.reading import read_setup
from systems.setups import setup_json
from systems.simulation.records import resolve, verify

from .games import crew, game
from .states import COMMANDOS, INFANTRY, battle, duel, mek, setup, support

TITAN = mek("titan")


@pytest.mark.rule("MM-088")  # MM-D67
def test_vehicle_has_plain_crew_and_no_heat():
    sled = battle([support("gun-sled")], [TITAN]).units[0]
    assert sled.kind == VEHICLE
    assert (sled.hits, sled.armor, sled.movement_dice, sled.movement_bonus) == (3, 3, 1, 2)
    assert (sled.level_movement, sled.level_to_hit, sled.skills, sled.cost) == (0, 0, 0, 8)


def test_unit_enters_with_damage_of_its_condition():
    damaged = mek(
        "assault",
        ["cannon", "ppc"],
        ["jammer", "heat-sink"],
        hits=3,
        weapons_lost=[1],
        systems_lost=[0],
        legs=1,
        wounded=True,
        computers=True,
        carried_heat=2,
        dug_in=True,
        damage_control_used=True,
    )
    state = duel(TITAN, damaged, terrain="wood")
    unit = state.units[1]
    assert unit.kind == MEK
    assert (unit.hits, unit.legs, unit.wounded, unit.computers) == (3, 1, 1, 1)
    assert (unit.carried_heat, unit.damage_control_used, unit.sinks) == (2, 1, 1)
    assert [state.weapons[10 + slot].intact for slot in range(2)] == [1, 0]
    assert [state.fittings[3 + slot].intact for slot in range(2)] == [0, 1]
    assert terrain_modifier(state, 1, state.weapons[10], 0) == -2


def test_strongpoint_takes_six_kills():
    unit = battle([INFANTRY], [TITAN]).units[0]
    assert (unit.kind, unit.hits, unit.detected) == (STRONGPOINT, 6, 0)


@pytest.mark.rule("MM-002")  # MM-D02
def test_points_follow_house_rules():
    odin = {"design": "odin"}
    assert battle([odin], [TITAN]).units[0].cost == 33
    assert battle([odin], [TITAN], options={"odin-printed-cost": True}).units[0].cost == 27


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"system": "chess"}, "system"),
        ({"scenario": "last-stand"}, "scenario"),
        ({"terrain": "swamp"}, "terrain"),
        ({"options": {"free-beer": True}}, "options"),
        ({"sides": []}, "sides"),
        ({"sides.0.doctrine": "rash"}, "sides[0].doctrine"),
        ({"sides.0.support": ["ambush"]}, "sides[0].support"),
        ({"sides.0.name": "Defender"}, "sides[1].name"),
        ({"sides.0.units": []}, "sides[0].units"),
        ({"sides.0.units.0.key": "d1"}, "sides[1].units[0].key"),
        ({"sides.0.units.0.design": "wesp"}, "sides[0].units[0].design"),
        ({"sides.0.units.0.design": {"chassis": "light", "weapons": ["ppc"]}}, "sides[0].units[0].design"),
        ({"sides.0.units.0.design": {"chassis": "light", "weapons": ["pcp"]}}, "sides[0].units[0].design.weapons[0]"),
        ({"sides.0.units.0.pilot": {"experience": "green", "skills": ["spoof"]}}, "sides[0].units[0].pilot"),
        ({"sides.0.units.0.condition": {"hits": 0}}, "sides[0].units[0].condition.hits"),
        ({"sides.0.units.0.condition": {"weapons_lost": [9]}}, "sides[0].units[0].condition.weapons_lost[0]"),
        ({"sides.0.units.0": {"key": "a1", "design": "commandos"}}, "sides[0].units"),
        ({"sides.0.units.0": {"key": "a1", "design": "apc", "pilot": {}}}, "sides[0].units[0].pilot"),
        ({"sides.0.units.0": {"key": "a1", "design": "apc", "condition": {"hits": 1}}}, "sides[0].units[0].condition"),
        ({"sides.0.units.0.colour": "red"}, "sides[0].units[0].colour"),
    ],
)
def test_impossible_setup_is_refused_with_its_place(change, place):
    body = setup_json(setup([TITAN], [TITAN]))
    for path, value in change.items():
        *way, last = path.split(".")
        part = body
        for step in way:
            part = part[int(step)] if step.isdigit() else part[step]
        part[int(last) if last.isdigit() else last] = value
    with pytest.raises(DocumentError) as refused:
        read_setup(body)
    assert refused.value.path == place


def test_setup_reads_back_as_written():
    given = setup([mek("heavy", ["ppc"], skills=["spoof"], legs=1)], [INFANTRY, COMMANDOS, TITAN], terrain="moors")
    assert read_setup(setup_json(given)) == given


def test_opening_shows_every_unit():
    given = setup([mek("heavy", ["cannon", "ppc"], ["jammer"], hits=2, weapons_lost=[0], legs=1)], [INFANTRY])
    view = replay.opening(given).units
    assert (view[0].hits, view[0].max_hits, view[0].legs) == (2, 4, 1)
    assert view[0].weapons == (("Cannon", False), ("PPC", True))
    assert view[0].systems == (("Jammer", True),)
    assert (view[1].chassis, view[1].hits) == ("infantry", 6)


def test_units_of_same_name_get_distinct_names():
    names = SYSTEM.unit_names(setup([{"design": "wasp"}, {"design": "wasp"}], [{"design": "thor"}]))
    assert names == {"a1": "WASP A1", "a2": "WASP A2", "d1": "THOR"}


@pytest.mark.rule("MM-010")
def test_points_limit_number_of_meks():
    light = {
        "design": {"chassis": "light", "weapons": ["rail-cannon"], "systems": []},
        "pilot": {"experience": "green"},
    }
    given = game("citadel", attackers=[light] * 14, support=(("roll",), ("roll",)))
    record = resolve(given, 1)
    assert verify(record.text()) is None
    assert len([unit for unit in record.outcome["units"] if unit["key"].removeprefix("a").isdigit()]) == 14


@pytest.mark.rule("MM-010")
def test_side_with_too_many_units_is_refused():
    with pytest.raises(
        DocumentError, match=r"sides\[0\].units: illegal \(MM-010\): .* up to 30 units a side. Leave out 1 of 31."
    ):
        game("citadel", attackers=[crew("wasp", "green")] * 31)
