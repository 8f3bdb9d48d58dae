"""Any battle of Blazing Steel: legal Warmechs, any table, AI styles and house rules."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from systems.blazing_steel.build.spec import MAGAZINE, WEAPON_SLOTS
from systems.blazing_steel.catalogue import CATALOGUE, MELEE_WEAPON
from systems.reading import read_setup
from systems.setups import Setup
from tests.systems.any_battle import AnyBattle, Scratch

DRAWN = {
    "name": "Drawn",
    "spec": {
        "hill": [15, 22.5],
        "zone_in": 16,
        "pieces": [
            {"kind": "block", "x": 24, "y": 24, "radius": 4.5},
            {"kind": "woods", "x": 12.25, "y": 27, "radius": 3},
            {"kind": "block", "x": 37.5, "y": 21, "radius": 2},
        ],
    },
}
WEAPONS = [*CATALOGUE.weapons, MELEE_WEAPON]


@st.composite
def warmechs(draw: st.DrawFn) -> dict[str, Any]:
    """A legal build. BS-001 to BS-012."""
    frame = CATALOGUE.chassis[draw(st.sampled_from(list(CATALOGUE.chassis)))]
    build: dict[str, Any] = {"chassis": frame.slug, "locomotion": draw(st.sampled_from(list(CATALOGUE.locomotion)))}
    slots = draw(st.permutations(frame.slots))[: frame.option_cap]
    for slot in slots:
        if slot in WEAPON_SLOTS and draw(st.integers(0, 4)):
            build[slot] = draw(st.sampled_from(WEAPONS))
    if "p1" in slots:
        with_ammo = [slot for slot in WEAPON_SLOTS if slot in build and build[slot] in CATALOGUE.weapons]
        with_ammo = [slot for slot in with_ammo if CATALOGUE.weapons[build[slot]].ammo is not None]
        build["p1"] = draw(st.sampled_from([each for each in CATALOGUE.peripherals if with_ammo or each != MAGAZINE]))
        if build["p1"] == MAGAZINE:
            build["magazine_on"] = draw(st.sampled_from(with_ammo))
    return build


@st.composite
def units(draw: st.DrawFn, letter: str) -> list[dict[str, Any]]:
    """One to three Warmechs, placed legally or left for their AI to place. BS-185, BS-186."""
    force = [
        {"key": f"{letter}{place}", "design": design}
        for place, design in enumerate(draw(st.lists(warmechs(), min_size=1, max_size=3)), start=1)
    ]
    if draw(st.booleans()):
        return force
    for place, unit in enumerate(force, start=1):
        ahead = draw(st.floats(2, 8))  # inches from its edge; slow and large Warmechs can stand there too
        unit["position"] = {"x": 10.0 * place, "y": ahead if letter == "a" else 48 - ahead}
        unit["position"]["facing"] = draw(st.integers(-179, 180))
    return force


@st.composite
def blazing_steel_setups(draw: st.DrawFn) -> Setup:
    """A legal battle: one to three Warmechs a side, any map or own table, AI styles and house rules."""
    sides = [
        {
            "name": name,
            "doctrine": draw(st.sampled_from(["aggressive", "cautious"])),
            "units": draw(units(letter)),
        }
        for name, letter in (("Red", "a"), ("Blue", "b"))
    ]
    options = {
        "cool-second-action": draw(st.sampled_from([True, True, False])),
        "contact-in-action-one": draw(st.booleans()),
        "max-activations": draw(st.sampled_from([4, 4, 0, 1, 2, 6])),
        "uncontested-hits": draw(st.sampled_from(["margin", "effective-dice"])),
        "impact-on-all-tns": draw(st.booleans()),
        "second-l": draw(st.sampled_from(["left-arm", "shoulder"])),
        "biped-disabled": draw(st.sampled_from(["out", "immobile"])),
        "kill-points": draw(st.sampled_from(["equalized", "per-warmech"])),
        "rounds": draw(st.integers(1, 5)),
    }
    terrain = draw(st.sampled_from([*CATALOGUE.maps, "own-table"]))
    return read_setup(
        {
            "muster": "setup/1",
            "system": "blazing-steel",
            "scenario": DRAWN if terrain == "own-table" else "skirmish",
            "terrain": terrain,
            "options": draw(st.sampled_from([{}, options])),
            "sides": sides,
        }
    )


def a_warmech(luck: random.Random) -> dict[str, object]:
    frame = luck.choice(list(CATALOGUE.chassis.values()))
    weapons = [*CATALOGUE.weapons, *CATALOGUE.melee, ""]
    slots = {slot: luck.choice(weapons) for slot in frame.slots if slot != "p1"}
    return {
        "chassis": frame.slug,
        "locomotion": luck.choice(list(CATALOGUE.locomotion)),
        **slots,
        "p1": luck.choice([each for each in CATALOGUE.peripherals if each != "extended-magazine"] + [""]),
    }


ANY = AnyBattle(
    setups=blazing_steel_setups(),
    acts=frozenset(
        {
            "unit-activated",
            "action-declared",
            "unit-cooled",
            "unit-fortified",
            "smoke-thrown",
            "flak-readied",
            "unit-charged",
            "unit-moved",
            "unit-sprinted",
            "unit-jumped",
            "shot-rolled",
            "strike-rolled",
            "dodge-rolled",
            "flak-rolled",
            "heat-rolled",
            "rods-used",
            "zone-scored",
            "hill-held",
        }
    ),
    attacks=frozenset({"shot-rolled", "strike-rolled", "damage-rolled"}),
    gone=frozenset({"unit-destroyed", "unit-disabled"}),
    most_rounds=5,
    compared_battles=3,
    force=("hawker", "skimmer"),
    build=a_warmech,
    silent_in_ledgers=frozenset({"hits_lost"}),
    scratch=(
        Scratch("faces", ("throw",)),
        Scratch("orders", ("clear_orders",), but=("unit", "declines")),  # no rule makes a unit decline
        Scratch("looks", ("look_around",)),
        Scratch("units", ("begin_step",), ("from_x", "from_y", "from_face_x", "from_face_y")),
    ),
)
