"""Plain and compiled battles of Blazing Steel are the same on every map, and records verify."""

from __future__ import annotations

import random
from typing import Any

import pytest

from systems.blazing_steel.build.spec import WEAPON_SLOTS
from systems.blazing_steel.catalogue import CATALOGUE, MELEE_WEAPON
from systems.simulation.odds import tally_with_prints
from systems.simulation.records import resolve, verify

from .tables import setup

GAMES = 2_000
RECORDS = 1_000
BLADES = {
    "chassis": "super-heavy",
    "locomotion": "bipedal",
    **dict.fromkeys(WEAPON_SLOTS, MELEE_WEAPON),
    "p1": "combat-gyros",
}
FLAK = {
    "chassis": "super-heavy",
    "locomotion": "tracked",
    **dict.fromkeys(WEAPON_SLOTS, "submunition-launcher"),
    "p1": "smoke-canisters",
}
ROCKETS = {
    "chassis": "light",
    "locomotion": "bipedal",
    "l1": "rocket-pod",
    "r1": "missile-launcher",
    "p1": "booster-jets",
}
HOUSE = {
    "contact-in-action-one": True,
    "impact-on-all-tns": True,
    "uncontested-hits": "effective-dice",
    "max-activations": 0,
    "biped-disabled": "immobile",
    "cool-second-action": False,
}


def any_warmech(chance: random.Random) -> dict[str, Any]:
    """A legal build with some weapons and a peripheral."""
    frame = chance.choice(list(CATALOGUE.chassis.values()))
    slots = [slot for slot in frame.slots if slot in WEAPON_SLOTS]
    most = min(len(slots), (frame.option_cap or len(slots) + 1) - 1)
    build = {"chassis": frame.slug, "locomotion": chance.choice(list(CATALOGUE.locomotion))}
    for slot in chance.sample(slots, chance.randint(0, most)):
        build[slot] = chance.choice([*CATALOGUE.weapons, MELEE_WEAPON])
    return build | {"p1": chance.choice([each for each in CATALOGUE.peripherals if each != "extended-magazine"])}


def any_game(number: int):
    """Return the set-up for a number."""
    chance = random.Random(number)
    forces = [[{"design": any_warmech(chance)} for _ in range(chance.randint(1, 3))] for _side in range(2)]
    doctrines = (chance.choice(["aggressive", "cautious"]), chance.choice(["aggressive", "cautious"]))
    return setup(*forces, doctrines=doctrines, terrain=list(CATALOGUE.maps)[number % 3])


@pytest.mark.proof
@pytest.mark.rule("BS-AR01", "BS-AR36")
def test_plain_and_compiled_rules_fight_same_games():
    different = [
        number
        for number in range(GAMES)
        if tally_with_prints(any_game(number), number, 0, 1)
        != tally_with_prints(any_game(number), number, 0, 1, compiled=False)
    ]
    assert not different


@pytest.mark.proof
@pytest.mark.parametrize(
    ("a", "b", "given"),
    [
        ((BLADES, BLADES), (BLADES, ROCKETS, FLAK), {}),
        ((FLAK, ROCKETS), (ROCKETS, "colossus"), {"terrain": "city", "options": HOUSE}),
        (("skimmer", "darter", "hawker", "bulwark"), ("bulwark", "hawker", "darter", "skimmer"), {}),
    ],
)
def test_no_list_is_read_beyond_its_end(a, b, given):
    battle_setup = setup(*([{"design": each} for each in force] for force in (a, b)), **given)
    checked = tally_with_prints(battle_setup, 1, 0, 300, boundscheck=True)
    assert checked == tally_with_prints(battle_setup, 1, 0, 300)


@pytest.mark.proof
@pytest.mark.rule("BS-AR36")
def test_thousand_records_verify():
    assert not [number for number in range(RECORDS) if verify(resolve(any_game(number), number).text())]
