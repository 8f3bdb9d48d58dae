"""The tables of the ledger's chapter 2: they fit each other and the rulebook."""

import dataclasses
import re

import pytest

from systems.blazing_steel.build import SYSTEM
from systems.blazing_steel.build.spec import OPTIONS, SLOTS
from systems.blazing_steel.catalogue import CATALOGUE, TABLE_IN


@pytest.mark.rule("BS-013")
def test_chassis_match_ledger():
    table = {
        slug: (
            each.weight,
            each.move_in,
            each.sprint_in,
            each.jump_in,
            each.dodge,
            each.melee,
            each.armor,
            each.structure,
            each.points,
            " ".join(each.slots),
            each.option_cap,
            each.has_improved_sinks,
        )
        for slug, each in CATALOGUE.chassis.items()
    }
    assert table == {
        "light": ("L", 6, 4, 6, 5, 1, 2, 4, 4, "l1 r1 c1 p1", 3, False),
        "medium": ("M", 4, 4, 4, 4, 1, 3, 6, 6, "l1 r1 c1 p1", None, False),
        "heavy": ("H", 4, 2, 4, 4, 1, 4, 8, 10, "l1 l2 r1 c1 p1", 5, True),
        "super-heavy": ("SH", 3, 3, 4, 3, 1, 5, 9, 18, "l1 l2 r1 c1 p1", None, True),
    }


def test_weapons_match_ledger():
    table = {
        slug: (each.range_in, each.rof, each.impact, each.damage, each.ap, each.ammo, " ".join(each.traits))
        for slug, each in CATALOGUE.weapons.items()
    }
    assert table == {
        "auto-cannon": (18, 2, 1, 1, 2, 2, ""),
        "rotary-cannon": (12, 3, 0, 1, 1, None, ""),
        "howitzer": (24, 1, 1, 2, 3, 2, "indirect"),
        "shotcannon": (12, 2, 2, 2, 3, 2, "short"),
        "railgun": (30, 1, 1, 1, 5, 1, ""),
        "submunition-launcher": (12, 1, 1, 2, 2, None, "flak short"),
        "laser": (30, 2, 0, 1, 3, None, "energy"),
        "particle-cannon": (18, 1, 0, 2, 4, None, "energy overcharge"),
        "rocket-pod": (12, 2, 1, 2, 3, 1, "munition"),
        "missile-launcher": (36, 1, 0, 3, 4, 1, "guided munition indirect"),
    }


def test_weapon_properties_follow_traits():
    missile, particle = CATALOGUE.weapons["missile-launcher"], CATALOGUE.weapons["particle-cannon"]
    assert (missile.is_guided, missile.is_munition, missile.is_indirect) == (True, True, True)
    assert (particle.is_energy, particle.overcharges, particle.is_short, particle.is_flak) == (True, True, False, False)
    assert not particle.has("munition")


def test_strikes_by_weight_match_ledger():
    assert {each.weight: (each.ap, each.damage) for each in CATALOGUE.strikes.values()} == {
        "L": (1, 1),
        "M": (2, 2),
        "H": (3, 2),
        "SH": (4, 3),
    }


def test_heat_of_actions_matches_ledger():
    actions = CATALOGUE.actions.values()
    assert {each.slug: each.heat for each in actions if each.heat} == {
        "sprint": 1,
        "jump": 2,
        "shoot": 1,
        "charge": 1,
        "strike": 1,
    }
    assert [each.slug for each in actions if each.is_offensive] == ["shoot", "charge", "strike"]
    assert [each.slug for each in actions if each.is_dodging] == ["move", "sprint", "jump"]


def test_crippling_results_have_one_face_each():
    assert [each.face for each in CATALOGUE.cripples.values()] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("table", CATALOGUE.maps.values(), ids=CATALOGUE.maps)
def test_maps_are_symmetric(table):
    for discs in (table.blocks, table.woods, table.hills):
        assert {(TABLE_IN - x, TABLE_IN - y, r) for x, y, r in discs} == set(discs)


def test_options_have_unique_slugs():
    assert len(OPTIONS) == len(CATALOGUE.weapons) + len(CATALOGUE.melee) + len(CATALOGUE.peripherals) == 19
    assert tuple(CATALOGUE.slots) == SLOTS


def test_every_catalogue_reference_exists():
    for chassis in CATALOGUE.chassis.values():
        assert chassis.base in CATALOGUE.bases
        assert set(chassis.slots) <= set(CATALOGUE.slots)
    assert {slot.mount for slot in CATALOGUE.slots.values() if slot.mount} <= set(CATALOGUE.mounts)
    assert {trait for weapon in CATALOGUE.weapons.values() for trait in weapon.traits} == set(CATALOGUE.traits)
    assert {arc for mount in CATALOGUE.mounts.values() for arc in mount.arcs} <= set(CATALOGUE.arcs)
    assert all(scenario.terrain in CATALOGUE.maps for scenario in CATALOGUE.scenarios.values())


def test_every_cited_rule_is_in_rulebook():
    named = {
        str(getattr(entry, field.name))
        for table in dataclasses.fields(CATALOGUE)
        for entry in getattr(CATALOGUE, table.name).values()
        for field in dataclasses.fields(entry)
        if field.name in ("rule", "victory_rule")
    }
    assert named <= set(SYSTEM.rulebook)
    assert len(named) > 30


def test_rulebook_has_every_row_of_ledger():
    kinds = [re.sub(r"\d+$", "", rule.removeprefix("BS-")) for rule in SYSTEM.rulebook]
    assert (kinds.count(""), kinds.count("C"), kinds.count("AR")) == (143, 9, 37)  # one is our own, on autoplay orders
