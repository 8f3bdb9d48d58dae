"""Any battle of Meks & Mercs: legal designs put together from mounts and slots, pilots, damage, ground."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from systems.meks_and_mercs.battle.state import ROUND_CAP
from systems.meks_and_mercs.catalogue import CATALOGUE, Chassis
from systems.reading import read_setup
from systems.setups import Setup
from tests.systems.any_battle import AnyBattle, Scratch, some

MASSIVE = [weapon.slug for weapon in CATALOGUE.weapons.values() if weapon.size == "massive"]
HUGE = [weapon.slug for weapon in CATALOGUE.weapons.values() if weapon.size == "huge"]
SMALL = [["ciws", "ciws"], ["grenade-launcher"], ["minigun"]]
SUPPORT = [slug for slug in CATALOGUE.support_units if slug != "commandos"]
SENSORS = {"sensor-improved", "sensor-advanced"}
ARMORS = {"reactive-armor", "bpc-armor", "space-lam-armor"}


def room_for(frame: Chassis, taken: list[str], slug: str) -> bool:
    """Return whether the chassis allows the system and has a free slot for it. MM-003, MM-004, MM-006."""
    system = CATALOGUE.systems[slug]
    used = sum(CATALOGUE.systems[other].slots for other in taken)
    if frame.slug not in system.sizes or used + system.slots > frame.system_slots:
        return False
    if slug in taken and slug != "heat-sink":
        return False
    return not any(slug in kind and kind & set(taken) for kind in (SENSORS, ARMORS))


@st.composite
def designs(draw: st.DrawFn) -> dict[str, Any]:
    """A legal design: any chassis, its mounts and slots filled or not."""
    frame = CATALOGUE.chassis[draw(st.sampled_from(sorted(CATALOGUE.chassis)))]
    weapons: list[str] = []
    for mounts, choices in ((frame.massive_mounts, MASSIVE), (frame.huge_mounts, HUGE)):
        weapons += draw(st.lists(st.sampled_from(choices), max_size=mounts))
    for pack in draw(st.lists(st.sampled_from(SMALL), max_size=frame.small_mounts)):
        weapons += pack
    systems: list[str] = []
    for slug in draw(st.lists(st.sampled_from(sorted(CATALOGUE.systems)), max_size=5)):
        if room_for(frame, systems, slug):
            systems.append(slug)
    return {"chassis": frame.slug, "weapons": draw(st.permutations(weapons)), "systems": systems}


@st.composite
def pilots(draw: st.DrawFn) -> dict[str, Any]:
    level = draw(st.sampled_from(["regular", "regular", "veteran", "elite", "green"]))
    most = 0 if level == "green" else 5
    skills = st.lists(st.sampled_from(sorted(CATALOGUE.skills)), max_size=most, unique=True)
    return {"experience": level, "skills": draw(skills)}


@st.composite
def conditions(draw: st.DrawFn, design: dict[str, Any]) -> dict[str, Any]:
    """Return an undamaged condition two times in three, otherwise a damaged one."""
    if draw(st.integers(0, 2)):
        return {}
    hits = CATALOGUE.chassis[design["chassis"]].hits
    slots = {
        "weapons_lost": st.lists(st.integers(0, max(0, len(design["weapons"]) - 1)), max_size=2, unique=True),
        "systems_lost": st.lists(st.integers(0, max(0, len(design["systems"]) - 1)), max_size=2, unique=True),
    }
    return {
        "hits": draw(st.integers(1, hits)),
        "weapons_lost": draw(slots["weapons_lost"]) if design["weapons"] else [],
        "systems_lost": draw(slots["systems_lost"]) if design["systems"] else [],
        "legs": draw(st.integers(0, 2)),
        "wounded": draw(st.booleans()),
        "computers": draw(st.booleans()),
        "carried_heat": draw(st.integers(0, 3)),
        "dug_in": draw(st.booleans()),
        "damage_control_used": draw(st.booleans()),
    }


@st.composite
def units(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.integers(0, 5)) == 0:
        return {"design": draw(st.sampled_from(SUPPORT))}
    if draw(st.integers(0, 4)) == 0:
        return {"design": "odin" if draw(st.booleans()) else "draken", "pilot": draw(pilots())}
    design = draw(designs())
    return {"design": design, "pilot": draw(pilots()), "condition": draw(conditions(design))}


@st.composite
def setups(draw: st.DrawFn, most: int = 4) -> Setup:
    """A legal zone battle with 1 to `most` units a side; some sides also have commandos."""
    sides = []
    for name, letter in (("Attacker", "a"), ("Defender", "d")):
        force = draw(st.lists(units(), min_size=1, max_size=most))
        if draw(st.integers(0, 4)) == 0:
            force += [{"design": "commandos"}] * draw(st.integers(1, 2))
        doctrine = draw(st.sampled_from(["aggressive", "cautious"]))
        named = [{"key": f"{letter}{place}", **unit} for place, unit in enumerate(force, start=1)]
        sides.append({"name": name, "doctrine": doctrine, "units": named})
    natural = draw(st.integers(0, 4)) == 0
    return read_setup(
        {
            "muster": "setup/1",
            "system": "meks-and-mercs",
            "scenario": "zone-battle",
            "terrain": draw(st.sampled_from(sorted(CATALOGUE.terrain))),
            "options": {"natural-rolls": "six-hits-one-misses"} if natural else {},
            "sides": sides,
        }
    )


def a_mek(luck: random.Random) -> dict[str, object]:
    return {
        "chassis": luck.choice(list(CATALOGUE.chassis)),
        "weapons": some(luck, CATALOGUE.weapons, 4),
        "systems": list(dict.fromkeys(some(luck, CATALOGUE.systems, 3))),
    }


ANY = AnyBattle(
    setups=setups(),
    acts=frozenset(
        {
            "movement-rolled",
            "targeting-rolled",
            "hawkeye-rolled",
            "identification-rolled",
            "unit-identified",
            "infantry-searched",
            "agility-declared",
            "shot-rolled",
            "kills-rolled",
            "heat-rolled",
            "infantry-attacked",
            "band-changed",
            "terrain-doubled",
        }
    ),
    attacks=frozenset({"shot-rolled", "kills-rolled", "infantry-attacked"}),
    gone=frozenset({"unit-destroyed", "contact-broken"}),
    most_rounds=ROUND_CAP,
    compared_battles=40,
    force=("viper", "wasp", "wasp"),
    build=a_mek,
    silent_in_ledgers=frozenset({"withdrew"}),
    scratch=(
        Scratch("weapons", ("weigh_weapons",), ("expected",)),
        Scratch("units", ("best",), ("chosen", "chosen_heat", "chosen_order", "chosen_all")),
        Scratch("shots", ("roll_fire", "fire_from_ambush")),
        Scratch("firings", ("start_round",)),
        Scratch("salvos", ("plan_fire",), but=("stamp",), forgotten=("stamp",)),
        Scratch("sights", ("plan_fire",), ("short", "medium", "long"), forgotten=("stamp",)),
    ),
)
