"""Any battle of Mech Campaign: forces, damage, scenario, AI styles and house rules."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from systems.mech_campaign.catalogue import CATALOGUE
from systems.reading import read_setup
from systems.setups import Setup
from tests.systems.any_battle import AnyBattle, Scratch, some

OTHERS = [kind.slug for kind in CATALOGUE.unit_kinds.values() if not kind.is_mech]

PIECES = [  # on a table of 48 in
    {"kind": "hill", "x": 24, "y": 24},
    {"kind": "works", "x": 14, "y": 18},
    {"kind": "works", "x": 40.5, "y": 22},
    {"kind": "rubble", "x": 24, "y": 10.25},
]


@st.composite
def mech_campaign_forces(draw: st.DrawFn) -> list[str]:
    """Return the kinds of a legal force, in any order. MC-002, MC-003."""
    size = draw(st.integers(4, 6))
    others = draw(st.lists(st.sampled_from(OTHERS), max_size=(size - 1) // 2))
    heavies = draw(st.integers(0, size - len(others)))
    lights = size - len(others) - heavies
    return draw(st.permutations(["heavy-mech"] * heavies + ["light-mech"] * lights + others))


@st.composite
def mech_campaign_setups(draw: st.DrawFn) -> Setup:
    """A legal battle: any forces, some units damaged, any scenario, AI styles and house rules."""
    sides = []
    for name, letter in (("Attacker", "a"), ("Defender", "d")):
        units = [
            {"key": f"{letter}{place}", "design": kind, "condition": {"damage": draw(st.sampled_from([0, 0, 1, 2, 3]))}}
            for place, kind in enumerate(draw(mech_campaign_forces()), start=1)
        ]
        doctrine = draw(st.sampled_from(["aggressive", "cautious"]))
        sides.append({"name": name, "doctrine": doctrine, "units": units})
    options = {
        "suppression-roll": draw(st.sampled_from(["automatic", "to-hit"])),
        "lock-range": draw(st.sampled_from(["any", "12"])),
        "resolve-bonus": draw(st.integers(0, 3)),
    }
    short = {"goal": "beacons", "turn_limit": draw(st.integers(1, 4))}
    own = {"name": "Short", "spec": short}
    wide = {"name": "Wide", "spec": {**short, "table_in": 48, "zone_in": 8, "pieces": PIECES}}
    scenario = draw(st.sampled_from([*CATALOGUE.scenarios, own, wide]))
    return read_setup(
        {
            "muster": "setup/1",
            "system": "mech-campaign",
            "scenario": scenario,
            "terrain": "own-table" if scenario == wide else draw(st.sampled_from(["rolled", "rolled", "open"])),
            "options": options,
            "sides": sides,
        }
    )


WORDS = ("cannon", "twin autocannon", "claw", "rocket pod", "laser", "flamer", "railgun", "a big stick", "missiles")


def a_unit(luck: random.Random) -> dict[str, object]:
    kind = luck.choice(list(CATALOGUE.unit_kinds))
    base = (
        {"base_vehicle": luck.choice(("jeep", "jet", "crane"))} if CATALOGUE.unit_kinds[kind].has_base_vehicle else {}
    )
    return {"kind": kind, "armament": ", ".join(some(luck, WORDS, 4)), **base}


ANY = AnyBattle(
    setups=mech_campaign_setups(),
    acts=frozenset(
        {
            "unit-moved",
            "unit-flew",
            "unit-returned",
            "unit-emerged",
            "unit-turned",
            "shot-rolled",
            "suppression-rolled",
            "suppression-placed",
            "lock-placed",
            "repair-rolled",
            "suppression-removed",
            "beacon-claimed",
            "charge-rolled",
        }
    ),
    attacks=frozenset({"shot-rolled", "suppression-rolled", "suppression-placed", "lock-placed"}),
    gone=frozenset({"unit-eliminated"}),
    most_rounds=30,
    compared_battles=3,
    force=("heavy-mech", "heavy-mech", "light-mech", "light-mech", "track"),
    build=a_unit,
    silent_in_ledgers=frozenset({"hits_lost", "withdrew"}),
    silent_on_pages=frozenset({"specials"}),
    scratch=(
        Scratch(
            "units",
            ("begin_player_turn",),
            ("done", "runner", "actions", "moves", "moves_over", "shots", "repairs", "special_actions"),
        ),
    ),
)
