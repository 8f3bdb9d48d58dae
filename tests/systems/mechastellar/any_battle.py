"""Any battle of MechaStellar: sample profiles, crews, table, AI styles and house rules, in both tiers."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.ai import SCRATCH
from systems.mechastellar.build import SYSTEM as ROSTERS
from systems.mechastellar.catalogue import CATALOGUE
from systems.reading import read_setup
from systems.setups import Setup
from tests.systems.any_battle import AnyBattle, Scratch

SHIPS = [slug for slug, each in ROSTERS.published.items() if each.spec.is_warship]
MACHINES = [slug for slug in ROSTERS.published if slug not in SHIPS]


@st.composite
def forces(draw: st.DrawFn, letter: str, advanced: bool) -> list[dict[str, Any]]:
    """One to four units; in the advanced rules perhaps with a Warship and a unit on board."""
    designs: list[Any] = draw(st.lists(st.sampled_from(MACHINES), min_size=1, max_size=3))
    if advanced and draw(st.booleans()):
        designs.append(draw(st.sampled_from(SHIPS)))
        if draw(st.booleans()):
            designs.append({**ROSTERS.spec_json(ROSTERS.published["green-viking"].spec), "aboard": True})
    return [
        {"key": f"{letter}{place}", "design": design, **draw(st.sampled_from([{}, {"pilot": {"experience": "ace"}}]))}
        for place, design in enumerate(designs, start=1)
    ]


@st.composite
def mechastellar_setups(draw: st.DrawFn) -> Setup:
    """A legal battle."""
    advanced = draw(st.booleans())
    sides = [
        {
            "name": name,
            "doctrine": draw(st.sampled_from(["aggressive", "cautious"])),
            "units": draw(forces(letter, advanced)),
        }
        for name, letter in (("Red", "a"), ("Blue", "b"))
    ]
    options = {
        "tier": "advanced" if advanced else "core",
        "points-limit": 0,
        "deployment": draw(st.sampled_from(["standard", "alternate"])),
        "counter-penalty": draw(st.sampled_from([1, 2])),
        "bullseye-lock": draw(st.sampled_from([0, 1])),
        "power-pen-step": draw(st.sampled_from([1, 2])),
        "iron-wall-armour": draw(st.booleans()),
        "tagged-pen-damage": draw(st.booleans()),
        "cp-vp": draw(st.sampled_from([0, 1])),
        "finale": draw(st.booleans()),
    }
    return read_setup(
        {
            "muster": "setup/1",
            "system": "mechastellar",
            "scenario": "versus",
            "terrain": draw(st.sampled_from(list(CATALOGUE.maps))),
            "options": options,
            "sides": sides,
        }
    )


def a_profile(luck: random.Random) -> dict[str, object]:
    base = luck.choice(list(ROSTERS.published.values())).spec
    weapons = [each for design in ROSTERS.published.values() for each in ROSTERS.spec_json(design.spec)["weapons"]]
    spec = ROSTERS.spec_json(base)
    return {
        **spec,
        "hp": luck.randint(6, 30) * 500,
        "weapons": [luck.choice(weapons) for _ in range(luck.randint(1, 3))],
    }


ANY = AnyBattle(
    setups=mechastellar_setups(),
    acts=frozenset(
        {
            "unit-activated",
            "turn-skipped",
            "unit-moved",
            "ship-moved",
            "unit-accelerated",
            "unit-disengaged",
            "point-blank-paid",
            "attack-declared",
            "counter-made",
            "attack-rolled",
            "defence-rolled",
            "zeal-used",
            "trust-ordered",
            "rally-tested",
            "unit-recovered",
            "point-taken",
        }
    ),
    attacks=frozenset({"attack-declared", "attack-rolled", "damage-taken", "counter-made"}),
    gone=frozenset({"unit-destroyed"}),
    most_rounds=5,
    die=10,
    compared_battles=3,
    force=("gamma-apollo", "green-viking"),
    build=a_profile,
    scratch=(
        Scratch("faces", ("attack", "attack_one")),
        Scratch("faces", ("answer", "roll_pools"), ("hit", "guard", "other")),
        Scratch("faces", ("roll_others",), ("other",)),
        Scratch("clashes", ("attack",)),
        Scratch("clashes", ("attack_one", "attack_again", "answer"), ("pool", "dealt"), first=c.ANSWER),
        Scratch("clashes", ("best_counter", "plan_all", "strip_value"), first=c.PLANNED),
        Scratch("plans", ("activate", "pick")),
        Scratch("units", ("activate",), ("moved_from_x", "moved_from_y")),
        Scratch(
            "units",
            ("begin_turn",),
            ("skill", "supported", "more", "steps_dmg", "steps_pen", "steps_power_barrier"),
        ),
        Scratch("memos", ("attack",), ("value",), forgotten=("key",)),
        Scratch("chances", ("attack",), first=c.POOLS_AT + SCRATCH * c.DICE * c.SUMS, end=c.FAILS_AT),
        Scratch("chances", ("attack",), first=c.CURVE_AT),
    ),
)
