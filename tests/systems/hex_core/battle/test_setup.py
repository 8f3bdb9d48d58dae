"""Set-ups refused with field, reason and rule, and the contents of an outcome."""

from __future__ import annotations

import pytest

from systems import battle_rules
from systems.documents import DocumentError
from systems.hex_core.battle import SYSTEM
from systems.hex_core.build import SYSTEM as ROSTERS
from systems.simulation.records import resolve
from tests.systems.bad_input import refused_by_api, refused_by_command

from .tables import setup

REFUSED = {
    "options.board-orientation": lambda: setup(["warden"], ["warden"], board_orientation="deep"),
    "terrain": lambda: setup(["warden"], ["warden"], terrain="swamp"),
    "scenario": lambda: setup(["warden"], ["warden"], mission="siege"),
    "sides[0].units": lambda: setup(["bastion"] * 4, ["warden"]),
    "sides[1].units": lambda: setup(["warden"], ["bastion"], mission="assassination"),
    "sides[0].units[a1]": lambda: setup(["pike"], ["warden"]),
    "sides[0].doctrine": lambda: setup(["warden"], ["warden"], doctrines=("bold", "aggressive")),
}


@pytest.mark.rule("HX-054", "HX-059", "HX-163", "HX-169")
@pytest.mark.parametrize("field", REFUSED)
def test_impossible_setup_is_refused_with_its_field(field):
    with pytest.raises(DocumentError) as refused:
        REFUSED[field]()
    assert refused.value.path == field


BIG = [{"key": f"a{at}", "design": "bastion"} for at in range(1, 5)]
BAZOOKA = {"core": "standard", "weapons": [{"weapon": "bazooka", "place": "right"}]}
UNDER_ROOFS = {
    "buildings": [[3, 11, 4], [12, 1, 4]],
    "starts": {"a": [[at, 11] for at in range(3, 12)], "b": [[15 - at, 1] for at in range(3, 12)]},
}


def on_map(**spec):
    return {"scenario": {"name": "Own", "spec": {"map": spec}}, "terrain": "own-map"}


def with_first(*units):
    sides = setup(["warden"], ["warden"]).model_dump(mode="json")["sides"]
    return {"sides": [{**sides[0], "units": list(units)}, sides[1]]}


BAD = {
    "squad over its limit": (with_first(*BIG), "sides[0].units", "HX-054"),
    "two hands": (
        {**with_first({"key": "a1", "design": BAZOOKA}), "options": {"two-handed": "both-hands"}},
        "sides[0].units[0].design.weapons[0].place",
        "HX-047",
    ),
    "map of 40 x 40": (on_map(columns=40, rows=40), "scenario.spec.map.columns", "HX-055"),
    "unit in a building": (on_map(**UNDER_ROOFS), "scenario.spec.map.starts.a[0]", "HX-068"),
    "unknown colour": (on_map(hexes={"purple": [[1, 1]]}), "scenario.spec.map.hexes", "HX-136"),
    "deep board": ({"options": {"board-orientation": "deep"}}, "options.board-orientation", "HX-055"),
    "no water": (with_first({"key": "a1", "design": "pike"}), "sides[0].units[a1]", "HX-019"),
}


@pytest.mark.django_db
@pytest.mark.rule("HX-047", "HX-054", "HX-055", "HX-068", "HX-136")
@pytest.mark.parametrize(("change", "field", "rule"), BAD.values(), ids=BAD)
def test_api_and_command_refuse_rule_violations(client, tmp_path, change, field, rule):
    given = {**setup(["warden"], ["warden"]).model_dump(mode="json"), **change}
    place, reason = refused_by_api(client, "battles", given)
    assert place in (field, f"setup.{field}")
    assert f"({rule})" in reason
    assert refused_by_command(tmp_path, "resolve", given) == f"{field}: {reason}"


@pytest.mark.rule("HX-047")
def test_two_handed_weapon_in_one_hand_does_half_damage():
    hits = [event for event in resolve(setup([BAZOOKA], ["warden"]), 1).events if event.kind == "critical-rolled"]
    plain = [event for event in hits if event.unit == "a1" and not event.result["flank"] and not event.result["made"]]
    assert plain
    assert {event.result["amount"] for event in plain} == {4}  # half of 8


@pytest.mark.rule("HX-023", "HX-096")
def test_fourth_drone_waits_docked():
    four = {"core": "standard", "drones": ["gun-drone"] * 4}
    check = ROSTERS.check_design(ROSTERS.parse_spec(four))
    assert (check.legal, [(each.rule, each.place) for each in check.warnings]) == (True, [("HX-023", "drones")])


@pytest.mark.rule("HX-035", "HX-119")
def test_outcome_contains_season_data():
    record = resolve(setup(["mauler", "wisp"], ["longbow", "trooper"]), 3)
    for unit in record.outcome["units"]:
        assert {"prey", "parts", "objects", "mark", "areas", "shield"} <= unit.keys()
        assert unit["hits"] == sum(unit["areas"])
    lost = [unit for unit in record.outcome["units"] if unit["lost"]]
    assert sum(unit["kills"] for unit in record.outcome["units"]) == len(lost)


@pytest.mark.parametrize("mission", SYSTEM.scenarios)
def test_every_event_has_sentence_and_picture(mission):
    given = setup(["kestrel", "shepherd", "mauler"], ["comet", "longbow", "warden"], mission=mission)
    system = battle_rules("hex-core")
    record = resolve(given, 8)
    narrate, seen, ground = system.narrator(given), system.opening(given), SYSTEM.space.ground(given)
    for event in record.events:
        assert narrate(event).endswith(".")
        seen, ground = system.follow(seen, event), SYSTEM.space.follow(ground, event)
    for unit, end in zip(seen.units, record.outcome["units"], strict=True):
        assert (unit.key, unit.destroyed, unit.hits) == (end["key"], end["lost"], end["hits"])
