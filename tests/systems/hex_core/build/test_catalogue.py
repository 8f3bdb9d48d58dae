"""The tables of the ledger's chapter 2: they fit each other and the rulebook."""

import dataclasses
import re

import pytest

from systems.hex_core.build import SYSTEM
from systems.hex_core.build.spec import AREAS_OF
from systems.hex_core.catalogue import CATALOGUE, COLUMNS, ROWS


@pytest.mark.rule("HX-037")
def test_core_types_match_ledger():
    table = {
        slug: (core.accuracy, core.assault, core.evasion, core.counter, core.base_ap, core.movement, core.dp, core.cost)
        for slug, core in CATALOGUE.cores.items()
    }
    assert table == {
        "militia": (6, 6, 6, 8, 3, 3, (3, 9, 3, 3, 3, 3), 26),
        "standard": (5, 5, 6, 8, 4, 3, (4, 14, 5, 5, 6, 6), 40),
        "gunner": (4, 6, 7, 8, 4, 3, (4, 14, 6, 6, 6, 6), 40),
        "striker": (6, 4, 6, 7, 4, 4, (4, 15, 6, 6, 6, 6), 42),
        "scout": (5, 5, 5, 7, 5, 4, (3, 10, 4, 4, 4, 4), 38),
        "heavy": (5, 5, 7, 8, 6, 2, (6, 22, 8, 8, 9, 9), 52),
        "terrestrial": (5, 8, 7, 8, 4, 3, (5, 15, 5, 5, 6, 6), 40),
        "aerial": (5, 8, 5, 8, 4, 5, (3, 9, 3, 3, 3, 3), 40),
        "aquatic": (5, 7, 6, 8, 4, 4, (4, 12, 4, 4, 5, 5), 34),
        "extraterrestrial": (4, 8, 6, 7, 5, 4, (4, 12, 4, 4, 4, 4), 42),
    }


@pytest.mark.rule("HX-043")
def test_weapons_match_ledger():
    table = {
        slug: f"{each.kind[0]}{each.type[0]}{each.hands} {each.damage}/{each.critical} {each.range} {each.ap} {each.dp} {each.cost}"
        for slug, each in CATALOGUE.weapons.items()
    }
    assert table == {
        "vulcan": "rk0 2/3 3 2 2 4",
        "beam-pistol": "re1 4/6 4 3 2 7",
        "machine-gun": "rk1 3/5 5 3 3 6",
        "assault-rifle": "rk1 4/6 6 3 4 10",
        "beam-rifle": "re1 5/8 7 4 4 12",
        "gatling-gun": "rk2 6/9 5 4 5 13",
        "bazooka": "rk2 8/12 6 6 5 12",
        "sniper-rifle": "re2 8/12 9 5 4 16",
        "missile-pod": "rk0 5/8 8 4 3 12",
        "beam-cannon": "re2 9/14 8 7 5 15",
        "combat-knife": "mk1 2/3 1 2 2 3",
        "beam-saber": "me1 5/8 1 3 2 8",
        "heat-axe": "mk1 7/11 1 4 4 9",
        "great-sword": "mk2 9/14 1 5 6 11",
        "lance": "mk2 7/11 2 4 5 11",
    }
    assert [slug for slug, each in CATALOGUE.weapons.items() if not each.mountable] == ["great-sword"]
    assert CATALOGUE.weapons["lance"].tagged == "Lance [2H]"


@pytest.mark.rule("HX-020", "HX-021")
def test_drones_match_ledger():
    table = {
        slug: (each.accuracy, each.assault, each.evasion, each.dp, each.move, each.damage, each.critical, each.range, each.ap, each.cost)
        for slug, each in CATALOGUE.drones.items()
    }  # fmt: skip
    assert table == {
        "gun-drone": (5, None, 6, 3, 1, 3, 5, 4, 2, 7),
        "blade-drone": (None, 5, 6, 3, 1, 3, 5, 1, 2, 6),
        "sentry-drone": (5, None, 8, 5, 0, 4, 6, 6, 3, 7),
    }


@pytest.mark.rule("HX-049", "HX-050", "HX-051")
def test_costs_of_systems_mods_and_traits_match_ledger():
    costs = {
        name: {slug: each.cost for slug, each in getattr(CATALOGUE, name).items()}
        for name in ("systems", "mods", "traits", "shields")
    }
    assert costs == {
        "systems": {
            "thrusters": 6, "high-thrusters": 10, "jump": 5, "flight": 14, "marine-kit": 6, "transform-terrestrial": 8,
            "transform-aerial": 14, "transform-aquatic": 8, "transform-extraterrestrial": 16,
        },
        "mods": {
            "capacitor": 8, "coolant-loop": 3, "winter-joints": 3, "reinforced-grip": 4, "smoke-filters": 2, "range-finder": 6,
        },
        "traits": {"marksman": 5, "duellist": 5, "quick-draw": 3, "ironside": 4, "wary": 4},
        "shields": {"buckler": 5, "shield": 8, "tower-shield": 11},
    }  # fmt: skip


def test_critical_damage_is_one_and_a_half_rounded_up():
    for weapon in (*CATALOGUE.weapons.values(), *CATALOGUE.drones.values()):
        assert weapon.critical == weapon.damage + -(-weapon.damage // 2), weapon.slug


@pytest.mark.rule("HX-038")
def test_each_type_has_six_areas_in_order():
    for of in ("mech", "vehicle"):
        assert [area.index for area in AREAS_OF[of]] == [0, 1, 2, 3, 4, 5]


def test_published_maps_are_symmetric():
    for each in CATALOGUE.maps.values():
        for colour, hexes in each.hexes.items():
            assert {(COLUMNS - 1 - column, ROWS - 1 - row) for column, row in hexes} == set(hexes), (each.slug, colour)
        turned = {(COLUMNS - 1 - column, ROWS - 1 - row, floors) for column, row, floors in each.buildings}
        assert turned == set(each.buildings)
    assert {slug: sum(map(len, each.hexes.values())) for slug, each in CATALOGUE.maps.items()} == {
        "open-plain": 0, "broken-town": 14, "coast": 36, "frost-pass": 20,
    }  # fmt: skip


def test_house_rules_have_their_defaults():
    assert {slug: rule.default for slug, rule in SYSTEM.house_rules.items()} == {
        "board-orientation": "wide", "move-arc": "front", "counter-rolls": "on", "hit-location": "called",
        "freeze-roll": "at-or-over", "domination-scoring": "round", "two-handed": "one-hand",
        "squad-size": "standard", "rounds": 12,
    }  # fmt: skip


@pytest.mark.rule("HX-070")
def test_thruster_texts_agree_on_directions():
    texts = [
        *(each.effect for each in CATALOGUE.systems.values() if each.slug == "thrusters"),
        CATALOGUE.terms["thruster-movement-term"].meaning,
        SYSTEM.rulebook["HX-070"].text,
    ]
    for text in texts:
        assert "one of six directions" in text
        assert "ahead" not in text
        assert "nothing else" not in text


def test_every_entry_names_an_existing_rule():
    for table in dataclasses.fields(CATALOGUE):
        for entry in getattr(CATALOGUE, table.name).values():
            for field in ("rule", "victory_rule"):
                rule = getattr(entry, field, None)
                assert rule is None or rule in SYSTEM.rulebook, f"{table.name}: {entry}"


def test_rulebook_has_every_row_of_ledger():
    numbers = [int(found[1]) for rule in SYSTEM.rulebook if (found := re.fullmatch(r"HX-(\d{3})", rule))]
    assert numbers == list(range(1, 185))
    assert [rule for rule in SYSTEM.rulebook if rule.startswith("HX-A")] == [
        f"HX-A{n:02}" for n in range(1, 61)
    ]  # the 60th is our own: autoplay orders
    kinds = [rule.kind for rule in SYSTEM.rulebook.values()]
    assert {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)} == {
        "battle": 136, "table-only": 12, "build": 24, "campaign": 12, "doctrine": 60,
    }  # fmt: skip
