"""Set-ups that are refused, with field, reason and rule; what an outcome says."""

from __future__ import annotations

import pytest

from systems import battle_rules
from systems.documents import DocumentError
from systems.engine.resolve import resolve
from systems.hex_core.battle import SYSTEM

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
def test_what_can_not_be_fought_is_refused_with_its_field(field):
    with pytest.raises(DocumentError) as refused:
        REFUSED[field]()
    assert refused.value.path == field


@pytest.mark.rule("HX-035", "HX-119")
def test_an_outcome_says_what_the_season_asks():
    record = resolve(setup(["mauler", "wisp"], ["longbow", "trooper"]), 3)
    for unit in record.outcome["units"]:
        assert {"prey", "parts", "objects", "mark", "areas", "shield"} <= unit.keys()
        assert unit["hits"] == sum(unit["areas"])
    lost = [unit for unit in record.outcome["units"] if unit["lost"]]
    assert sum(unit["kills"] for unit in record.outcome["units"]) == len(lost)


@pytest.mark.parametrize("mission", SYSTEM.scenarios)
def test_every_event_of_a_battle_has_a_sentence_and_a_picture(mission):
    given = setup(["kestrel", "shepherd", "mauler"], ["comet", "longbow", "warden"], mission=mission)
    system = battle_rules("hex-core")
    record = resolve(given, 8)
    say, seen, ground = system.narrator(given), system.opening(given), SYSTEM.space.ground(given)
    for event in record.events:
        assert say(event).endswith(".")
        seen, ground = system.follow(seen, event), SYSTEM.space.follow(ground, event)
    for unit, told in zip(seen.units, record.outcome["units"], strict=True):
        assert (unit.key, unit.destroyed, unit.hits) == (told["key"], told["lost"], told["hits"])
