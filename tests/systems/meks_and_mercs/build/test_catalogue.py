"""The numbers of the rulebook's tables, and the references between them."""

import pytest

from systems.meks_and_mercs.build import SYSTEM
from systems.meks_and_mercs.catalogue import CATALOGUE, SIZES

CHASSIS = {  # Hits, armor, heat, movement, massive, huge, small mounts, slots, points
    "light": (2, 5, 2, "2d6+2", 1, 0, 1, 1, 4),
    "medium": (3, 4, 4, "2d6", 2, 0, 2, 2, 6),
    "heavy": (4, 3, 5, "1d6+2", 2, 1, 2, 2, 8),
    "assault": (5, 2, 6, "1d6", 2, 2, 2, 3, 10),
    "titan": (6, 2, 8, "1d6", 2, 4, 2, 3, 12),
}
WEAPONS = {  # numbers, size, heat, points, dice
    "cannon": ((4, None, None), "massive", 1, 1, 1),
    "vulcan-cannon": ((4, None, None), "massive", 2, 2, 2),
    "rail-cannon": ((4, 5, None), "massive", 1, 3, 1),
    "howitzer-cannon": ((4, 4, 4), "huge", 2, 4, 1),
    "laser": ((2, 2, None), "huge", 2, 2, 1),
    "twin-laser": ((2, 2, None), "huge", 2, 3, 1),
    "turbo-laser": ((2, 2, 2), "huge", 3, 4, 1),
    "ppc": ((2, 2, 2), "huge", 4, 5, 1),
    "missile": ((3, 3, 3), "huge", 3, 3, 1),
    "swarm-missile": ((3, 3, None), "huge", 4, 4, 2),
    "hammer-missile": ((3, 3, 3), "huge", 3, 4, 1),
    "six-pack-missile": ((3, None, None), "massive", 2, 3, 1),
    "ciws": ((None, None, None), "small", 0, 1, 0),
    "grenade-launcher": ((None, None, None), "small", 0, 1, 0),
    "minigun": ((None, None, None), "small", 1, 1, 0),
}
PRICES_BY_CHASSIS = {  # None: not allowed there
    "servo-boosters": (2, 3, 4, None, None),
    "spaul-liner": (2, 3, 4, 5, 6),
    "jump-jets": (2, 3, None, None, None),
    "reactive-armor": (None, 4, 5, 6, 6),
    "bpc-armor": (None, 3, 4, 5, 5),
    "space-lam-armor": (None, 2, 3, None, None),
    "sensor-improved": (1, 2, 2, 3, 3),
    "sensor-advanced": (2, 3, 4, 5, 6),
    "masking": (2, 4, 5, 6, 8),
}
FLAT_PRICES = {
    "targeting-array": 2,
    "data-link": 4,
    "jammer": 3,
    "director": 3,
    "point-defense": 2,
    "phalanx": 4,
    "heat-sink": 2,
}


@pytest.mark.rule("MM-002", "MM-003", "MM-008")
@pytest.mark.parametrize("slug", SIZES)
def test_chassis_has_its_printed_numbers(slug):
    chassis = CATALOGUE.chassis[slug]
    assert CHASSIS[slug] == (
        chassis.hits,
        chassis.armor,
        chassis.heat_rating,
        chassis.movement,
        chassis.massive_mounts,
        chassis.huge_mounts,
        chassis.small_mounts,
        chassis.system_slots,
        chassis.points,
    )


def test_weapons_have_their_printed_numbers():
    found = {slug: (w.numbers, w.size, w.heat, w.points, w.dice) for slug, w in CATALOGUE.weapons.items()}
    assert found == WEAPONS


def test_special_abilities_belong_to_right_weapons():
    def having(attribute):
        return {slug for slug, weapon in CATALOGUE.weapons.items() if getattr(weapon, attribute)}

    assert having("rerolls_miss") == {"twin-laser", "six-pack-missile"}
    assert having("ignores_terrain") == {"howitzer-cannon", "grenade-launcher"}
    assert having("save_penalty") == {"hammer-missile"}
    assert having("rerolls_failed_critical_at_long") == {"ppc"}
    assert having("kills") == {"ciws", "grenade-launcher", "minigun"}
    assert {slug for slug, weapon in CATALOGUE.weapons.items() if weapon.pack == 2} == {"ciws"}
    assert {slug: w.point_defense_penalty for slug, w in CATALOGUE.weapons.items() if w.family == "missile"} == {
        "missile": 1,
        "swarm-missile": 1,
        "hammer-missile": 2,
        "six-pack-missile": 1,
    }


@pytest.mark.rule("MM-007")
@pytest.mark.parametrize("slug", PRICES_BY_CHASSIS)
def test_price_by_chassis_matches_worked_out_one(slug):
    system = CATALOGUE.systems[slug]
    for size, price in zip(SIZES, PRICES_BY_CHASSIS[slug], strict=True):
        chassis = CATALOGUE.chassis[size]
        if price is None:
            assert size not in system.sizes or system.slots > chassis.system_slots
        else:
            assert size in system.sizes
            assert system.slots <= chassis.system_slots
            assert system.points_on(chassis) == price


@pytest.mark.rule("MM-007")
def test_other_systems_cost_the_same_on_every_chassis():
    flat = {slug: system for slug, system in CATALOGUE.systems.items() if slug not in PRICES_BY_CHASSIS}
    assert {slug: {system.points_on(c) for c in CATALOGUE.chassis.values()} for slug, system in flat.items()} == {
        slug: {price} for slug, price in FLAT_PRICES.items()
    }


@pytest.mark.rule("MM-003")
def test_phalanx_and_the_armor_systems_take_two_slots():
    two = {slug for slug, system in CATALOGUE.systems.items() if system.slots == 2}
    assert two == {"phalanx", "reactive-armor", "bpc-armor", "space-lam-armor"}
    assert {slug for slug, system in CATALOGUE.systems.items() if system.is_armor} == two - {"phalanx"}
    assert all(system.slots in (1, 2) for system in CATALOGUE.systems.values())


def test_each_armor_helps_against_its_own_family():
    assert {
        slug: (system.rerolls_save_against, system.save_bonus_against)
        for slug, system in CATALOGUE.systems.items()
        if system.is_armor
    } == {
        "reactive-armor": ("missile", None),
        "bpc-armor": ("laser", None),
        "space-lam-armor": (None, "cannon"),
    }


def test_terrain_has_its_printed_numbers():
    assert {slug: (t.movement, t.to_hit, t.heat_rating) for slug, t in CATALOGUE.terrain.items()} == {
        "plain": (0, 0, 0),
        "desert": (0, 0, 0),
        "wood": (-1, -1, 0),
        "urban": (-2, -2, 0),
        "highlands": (-2, -1, 0),
        "moors": (-1, -1, 1),
    }


def test_sensors_have_their_printed_reaches():
    found = {
        slug: (
            (s.targeting_reach, s.id_reach, s.id_adjacent_zones, s.infantry),
            (s.masked_targeting.reach, s.masked_targeting.die),
            (s.masked_id.reach, s.masked_id.die),
        )
        for slug, s in CATALOGUE.sensors.items()
    }
    assert found == {
        "basic": (("Long", "Medium", False, 6), ("Medium", 4), ("Short", 4)),
        "improved": (("Long", "Long", False, 5), ("Long", 4), ("Medium", 3)),
        "advanced": (("Long", "Long", True, 3), ("Long", 2), ("Long", 2)),
    }


def test_critical_table_covers_all_die_faces():
    assert [critical.face for critical in CATALOGUE.criticals.values()] == [1, 2, 3, 4, 5, 6]


def test_infantry_kills_depend_on_die_and_family():
    def by_face(family):
        return [CATALOGUE.infantry_kills[family].kills(result) for result in range(-1, 8)]

    assert by_face("cannon") == [0, 0, 0, 0, 1, 1, 2, 2, 2]
    assert by_face("missile") == [0, 0, 0, 0, 0, 1, 1, 1, 1]
    assert by_face("laser") == [0] * 9
    assert by_face("small") == [0, 0, 1, 2, 3, 4, 5, 6, 7]


def test_levels_have_their_printed_numbers():
    found = {
        slug: (lv.movement, lv.to_hit, lv.skill_roll, lv.kills, lv.games, lv.hire_points)
        for slug, lv in CATALOGUE.levels.items()
    }
    assert found == {
        "green": (-1, -1, None, 0, 0, 0),
        "regular": (0, 0, 0, 0, 1, 5),
        "veteran": (1, 0, 1, 5, 3, None),
        "elite": (2, 1, 2, 10, 10, None),
    }


def test_catalogue_has_sixteen_skills_one_per_size():
    assert len({skill.skill for skill in CATALOGUE.skills.values()}) == 16
    sized = {skill.slug: skill.chassis for skill in CATALOGUE.skills.values() if skill.chassis}
    assert sized == {f"chassis-familiarity-{size}": size for size in SIZES}


def test_support_tables_are_three_full_dice():
    assert [(s.table, s.face) for s in CATALOGUE.support.values()] == [
        (table, face) for table in "ABC" for face in range(1, 7)
    ]


def test_support_units_have_their_printed_numbers():
    found = {
        slug: (u.hits, u.armor, u.movement_dice, u.movement_bonus, u.weapons, u.systems, u.worth)
        for slug, u in CATALOGUE.support_units.items()
    }
    assert found == {
        "gun-sled": (3, 3, 1, 2, ("rail-cannon",), (), 8),
        "panzer": (2, 4, 1, 0, ("cannon",), ("space-lam-armor",), 5),
        "apc": (1, 5, 1, 0, (), (), 3),
        "gunship": (1, 5, 2, 0, ("swarm-missile",), (), 7),
        "howitzer-battery": (2, 5, 1, 0, ("howitzer-cannon",), (), 7),
        "commandos": (None, None, 0, 0, (), (), 0),
        "infantry": (None, None, 1, 0, (), (), 5),
    }


def test_scenarios_have_their_printed_numbers():
    found = {
        slug: (
            (s.attacker.points, s.defender.points),
            s.max_size,
            (s.attacker.support_rolls, s.defender.support_rolls),
            s.turn_limit,
            s.key_zone,
            s.exit_zones,
        )
        for slug, s in CATALOGUE.scenarios.items()
    }
    assert found == {
        "opening-shots": ((30, 30), "medium", (1, 1), 12, 3, ()),
        "hot-gates": ((50, 50), "heavy", (1, 3), 12, 8, (8,)),
        "buying-time": ((60, 30), "heavy", (1, 1), 6, 5, (1, 2, 3)),
        "breach": ((60, 60), "titan", (1, 1), 12, 5, ()),
        "head-to-head": ((60, 60), "heavy", (1, 1), 20, 5, ()),
        "citadel": ((100, 100), "titan", (1, 1), 6, 5, ()),
    }


def test_every_catalogue_reference_exists():
    for system in CATALOGUE.systems.values():
        assert set(system.sizes) <= set(CATALOGUE.chassis)
        assert system.sensor is None or system.sensor in CATALOGUE.sensors
    for support in CATALOGUE.support.values():
        assert support.unit is None or support.unit in CATALOGUE.support_units
        assert support.rule in SYSTEM.rulebook
    for unit in CATALOGUE.support_units.values():
        assert set(unit.weapons) <= set(CATALOGUE.weapons)
        assert set(unit.systems) <= set(CATALOGUE.systems)
    for scenario in CATALOGUE.scenarios.values():
        assert scenario.max_size in CATALOGUE.chassis
        assert set(scenario.terrain) <= set(CATALOGUE.terrain)
        assert scenario.victory_rule in SYSTEM.rulebook
        assert (scenario.exit_edge is None) == (not scenario.exit_zones)
        for side in (scenario.attacker, scenario.defender):
            assert set(side.composition) <= set(CATALOGUE.chassis)
            assert set(side.free_pilots) <= set(CATALOGUE.levels)
            assert {extra.unit for extra in side.extra} <= set(CATALOGUE.support_units)
            assert (side.arrival is None) == bool(side.setup)
    for mek in CATALOGUE.published.values():
        assert mek.printed_points_option is None or mek.printed_points_option in CATALOGUE.options
    assert {weapon.family for weapon in CATALOGUE.weapons.values()} == set(CATALOGUE.infantry_kills)


def test_house_rules_accept_their_defaults():
    defaults = {slug: option.default for slug, option in CATALOGUE.options.items()}
    assert SYSTEM.parse_options(defaults) == defaults
    assert defaults["tzc-rounds"] == 12
    assert len(defaults) == 7
