"""Plain and compiled battles of MechaStellar are the same in both tiers, and records verify."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from systems.mechastellar.battle import state as c
from systems.mechastellar.build import SYSTEM as ROSTERS
from systems.mechastellar.catalogue import CATALOGUE
from systems.simulation.odds import tally_with_prints
from systems.simulation.records import read_record, resolve, verify

from .tables import setup

GAMES = {"core": 1_000, "advanced": 2_000}
SHIPS = ("escort-carrier",)
MACHINES = tuple(slug for slug in ROSTERS.published if slug not in SHIPS)


def document_of(slug: str, **more: Any) -> dict[str, Any]:
    return {**ROSTERS.spec_json(ROSTERS.published[slug].spec), **more}


def weapon_of(slug: str, **more: Any) -> dict[str, Any]:
    """Return a weapon of the catalogue as a document has it."""
    owner = next((each for each in CATALOGUE.profiles.values() if slug in each.weapons), None)
    if owner is not None:
        known = document_of(owner.slug)["weapons"]
        return {**next(each for each in known if each["slug"] == slug), **more}
    weapon = CATALOGUE.weapons[slug]
    given = {
        "slug": slug,
        "name": weapon.name,
        "type": weapon.type,
        "dice": weapon.dice,
        "hits": weapon.hits,
        "range_in": weapon.range_in,
        "dmg": weapon.dmg,
        "pen": weapon.pen,
        "tags": list(weapon.tags),
    }
    return {**{name: value for name, value in given.items() if value is not None}, **more}


OWN = {
    "brander": lambda: document_of("argonaut", weapons=[weapon_of("flamethrower"), weapon_of("combat-knife")]),
    "swarm": lambda: document_of("falconeye", weapons=[weapon_of("funnels"), weapon_of("beam-carbine")]),
    "volley": lambda: document_of(
        "falconeye", weapons=[weapon_of("micromissiles", dice=8, hits=6, tags=["explosive", "multi:3"])]
    ),
    "howitzer": lambda: document_of(
        "tankcrawler", havoc=3, weapons=[weapon_of("main-cannon", range_in=36), weapon_of("crush-treads")]
    ),
    "shover": lambda: document_of("trident-drake", weapons=[weapon_of("tail-lash", hits=9, pen=9)], havoc=4),
    "pusher": lambda: document_of("tankcrawler", move_in=8, weapons=[weapon_of("tail-lash", dice=9, hits=9, pen=9)]),
    "ram": lambda: document_of(
        "tankcrawler", size=4, move_in=10, havoc=3, weapons=[weapon_of("crush-treads", dice=1, hits=9, dmg=50, pen=2)]
    ),
    "green-captain": lambda: document_of("escort-carrier", level=0, hp=6000, catapult=1),
}


MORE = {  # extra designs of the games from FURTHER on, which may be in space too
    **OWN,
    "marksman": lambda: document_of(
        "dusk-wraith",
        weapons=[weapon_of("sniper-rifle", rf_in=18, tags=["multi:3", "360"]), weapon_of("heat-dagger")],
    ),
    "cannoneer": lambda: document_of(
        "tankcrawler",
        weapons=[weapon_of("main-cannon", tags=["idf", "cannon"], range_in=40), weapon_of("crush-treads")],
    ),
}
FURTHER = 1_000


def any_terrain(chance: random.Random) -> list[dict[str, Any]]:
    """Return pieces of all kinds, some of them in deployment zones."""
    kinds = ("low", "tall", "forest", "high", "deep-water", "low", "tall", "high")
    return [
        {
            "x": chance.randint(4, 44),
            "y": chance.choice([8, 12, 36, 40, chance.randint(6, 42), chance.randint(14, 34)]),
            "radius": chance.choice([1.5, 2, 3]),
            "kind": (kind := chance.choice(kinds)),
            "is_destructible": kind in ("low", "high") and chance.random() < 0.8,
            "is_high": kind in ("tall", "low") and chance.random() < 0.5,
            "has_roof": kind == "low" and chance.random() < 0.3,
        }
        for _ in range(chance.randint(4, 12))
    ]


def any_force(chance: random.Random, letter: str, own: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return up to six units, often with a Warship, sometimes with units on board."""
    designs: list[Any] = [chance.choice(MACHINES) for _ in range(chance.randint(1, 3))]
    designs += [own[name]() for name in chance.sample(list(own), chance.randint(1, 2))]
    if chance.random() < 0.6:
        designs.append(chance.choice(["escort-carrier", OWN["green-captain"]()]))
        for _ in range(chance.randint(0, 3)):
            designs.append(document_of(chance.choice(("green-viking", "white-asura", "midnight-manta")), aboard=True))
    chance.shuffle(designs)
    units = []
    for place, design in enumerate(designs, start=1):
        one: dict[str, Any] = {"key": f"{letter}{place}", "design": design}
        kind = design["kind"] if isinstance(design, dict) else ROSTERS.published[design].spec.kind
        if chance.random() < 0.4:
            level = chance.choice(["skilled", "ace"])
            if kind != "warship" or level == "ace":
                one["pilot"] = {"experience": level}
        units.append(one)
    return units


@cache
def any_advanced_game(number: int):
    """Return the advanced set-up for a number."""
    chance = random.Random(number)
    forces = [any_force(chance, letter, OWN if number < FURTHER else MORE) for letter in "ab"]
    doctrines = (chance.choice(["aggressive", "cautious"]), chance.choice(["aggressive", "cautious"]))
    options = {"tier": "advanced", "points-limit": 0}
    if number % 5 == 0:
        options |= {"deployment": "alternate"}
    if chance.random() < 0.3:
        options |= {"tagged-pen-damage": True, "iron-wall-armour": True, "cp-vp": 1, "power-pen-step": 2}
    given: Any = "versus"
    if chance.random() < 0.7:
        given = {
            "name": "Somewhere",
            "spec": {"pieces": any_terrain(chance), "stellar": number >= FURTHER and number % 4 == 0},
        }
    return setup(*forces, doctrines=doctrines, scenario=given, options=options)


def any_core_game(number: int):
    """Return the core set-up for a number."""
    chance = random.Random(number)
    forces = [[chance.choice(MACHINES) for _ in range(chance.randint(1, 6))] for _side in range(2)]
    doctrines = (chance.choice(["aggressive", "cautious"]), chance.choice(["aggressive", "cautious"]))
    options = {"points-limit": 0, "counter-penalty": chance.choice([1, 2]), "bullseye-lock": chance.choice([0, 1])}
    return setup(*forces, doctrines=doctrines, terrain=chance.choice(list(CATALOGUE.maps)), options=options)


def test_plain_and_compiled_rules_fight_same_few_games():
    for number in (0, 1, 2):
        for game in (any_core_game(number), any_advanced_game(number), any_advanced_game(FURTHER + number)):
            assert tally_with_prints(game, number, 0, 2) == tally_with_prints(game, number, 0, 2, compiled=False)


@pytest.mark.proof
@pytest.mark.rule("ST-040", "ST-200")
@pytest.mark.parametrize("tier", GAMES)
def test_plain_and_compiled_rules_fight_same_games(tier):
    any_game = any_core_game if tier == "core" else any_advanced_game
    different = [
        number
        for number in range(GAMES[tier])
        if tally_with_prints(any_game(number), number, 0, 1)
        != tally_with_prints(any_game(number), number, 0, 1, compiled=False)
    ]
    assert not different


@pytest.mark.proof
def test_no_list_is_read_beyond_its_end():
    for number in range(60):
        for game in (any_core_game(number), any_advanced_game(number)):
            checked = tally_with_prints(game, number, 0, 20, boundscheck=True)
            assert checked == tally_with_prints(game, number, 0, 20)


MANNERS = {
    c.INDIRECT: "ST-097 indirect fire",
    c.THROUGH_WALLS: "ST-350 through walls",
    c.STRIP: "ST-323 area",
    c.CRASH: "ST-193 crash",
    c.REMOTE: "ST-330 remote",
    c.OVERWATCH: "ST-204 overwatch",
}
STEPS = {c.STEP_CRASH: "ST-231 Havoc on a crash", c.STEP_COVER: "ST-230 Havoc on Cover"}
KINDS = {
    "deployment-rolled": "ST-024 roll for deployment by turns",
    "challenge-made": "ST-047 challenge",
    "revenge-sworn": "ST-048 revenge",
    "ship-moved": "ST-062 ship moves",
    "unit-dropped": "ST-069 drops off",
    "unit-on-high-ground": "ST-080 High Ground",
    "unit-transformed": "ST-087 transforms",
    "weapon-sacrificed": "ST-146 weapon given up",
    "counter-lost": "ST-169 counter lost",
    "unit-launched": "ST-203 launch",
    "weapon-reloaded": "ST-205 reload",
    "unit-boarded": "ST-206 boards",
    "unit-repaired": "ST-206 repaired",
    "unit-pushed": "ST-310 push",
    "unit-knocked": "ST-313 knocked",
    "piece-knocked-down": "ST-314 piece knocked down",
    "further-target": "ST-320 further target",
    "area-checked": "ST-348 area and Cover",
    "area-stopped": "ST-325 area ends",
    "remote-jammed": "ST-331 remote shot down",
    "cover-attacked": "ST-345 Cover attacked",
    "unit-fell": "ST-349 falls",
    "ship-scraped": "ST-352 ship runs into terrain",
    "wreck-left": "ST-353 wreck",
    "passenger-saved": "ST-353 passenger",
}
ORDERS = {c.TACTICAL_SUPPORT: "ST-281 Tactical Support", c.OPERATIONS_SUPPORT: "ST-282 Operations Support"}


ALL_FIRE = (
    48,
    210,
    223,
    238,
    297,
    302,
    328,
)  # numbers of games that together have each of these at least once


def fired(record: Any) -> Counter[str]:
    """Return how often each rule of the advanced tier did something in a recorded battle."""
    found: Counter[str] = Counter()
    for event in record.events:
        if event.kind in KINDS:
            found[KINDS[event.kind]] += 1
        elif event.kind == "attack-declared" and event.number("manner") in MANNERS:
            found[MANNERS[event.number("manner")]] += 1
        elif event.kind == "havoc-spent" and event.number("step") in STEPS:
            found[STEPS[event.number("step")]] += 1
        elif event.kind == "captain-ordered":
            found[ORDERS[event.number("order")]] += 1
        elif event.kind == "attack-rolled" and any(part.rule == "ST-083" for part in event.modifiers):
            found["ST-083 at High Ground"] += 1
        elif event.kind == "defence-rolled" and any(part.rule == "ST-047" for part in event.modifiers):
            found["ST-047 DEF of a challenge"] += 1
    return found


@pytest.mark.rule("ST-044", "ST-062", "ST-087", "ST-146", "ST-203", "ST-204", "ST-206", "ST-323", "ST-330", "ST-353")
@pytest.mark.parametrize(
    "numbers", [ALL_FIRE, pytest.param(range(GAMES["core"]), marks=pytest.mark.proof)], ids=["few", "thousand"]
)
def test_advanced_records_verify_and_use_every_rule(numbers):
    table: Counter[str] = Counter()
    broken = []
    for number in numbers:
        record = resolve(any_advanced_game(number), number)
        table += fired(record)
        if verify(record.text()):
            broken.append(number)
    assert not broken
    expected = {*MANNERS.values(), *STEPS.values(), *KINDS.values(), *ORDERS.values()}
    expected |= {"ST-083 at High Ground", "ST-047 DEF of a challenge"}
    summary = "\n".join(f"{name}: {count}" for name, count in sorted(table.items()))
    assert expected <= table.keys(), f"never fired: {sorted(expected - table.keys())}\n{summary}"


def test_record_reads_back_as_written():
    record = resolve(any_advanced_game(1), 1)
    assert read_record(record.text()).text() == record.text()
