"""The numbers on a data sheet and a card, with the filled-in example of the rules ledger."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.documents import DocumentError
from systems.meks_and_mercs.build import SYSTEM
from systems.meks_and_mercs.build.datasheet import support_card
from systems.meks_and_mercs.build.lab import best_sum, mean_infantry_kills, movement_span, save_chance
from systems.meks_and_mercs.build.spec import MekSpec
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.roster import PilotCard

F = Fraction


def sheet(design, pilot=None, condition=None, options=None):
    published = SYSTEM.published[design]
    return SYSTEM.datasheet(
        published.spec,
        name=published.name,
        design_name=published.name,
        company="The Red Hand",
        pilot=pilot,
        condition=condition or {},
        options=options or {},
    )


def sheet_of(chassis, weapons="", systems="", pilot=None):
    spec = MekSpec(chassis, tuple(weapons.split()), tuple(systems.split()))
    return SYSTEM.datasheet(spec, name="Test", design_name="Test", pilot=pilot)


@pytest.fixture
def draken():
    return sheet("draken", PilotCard("example", "regular", kills=1, games=1))


def test_example_sheet_has_its_identity(draken):
    assert (draken.name, draken.design, draken.size, draken.company) == ("DRAKEN", "draken", "heavy", "The Red Hand")
    assert (draken.points, draken.printed_points, draken.notes, draken.house_rules) == (24, None, (), ())


def test_example_sheet_has_its_frame(draken):
    assert (draken.hits, draken.hits_left, draken.armor, draken.heat_rating) == (4, 4, 3, 5)
    assert draken.movement == "1d6+2"
    assert (draken.movement_min, draken.movement_mean, draken.movement_max) == (3, F("5.5"), 8)
    mounts = (draken.massive_mounts, draken.huge_mounts, draken.small_mounts, draken.slots)
    assert [str(use) for use in mounts] == ["2/2", "1/1", "1/2", "2/2"]


def test_example_sheet_has_its_weapons(draken):
    rail, rail_again, hammer, ciws, ciws_again = draken.weapons
    assert (rail.name, rail.numbers, rail.heat) == ("Rail-Cannon", (4, 5, None), 1)
    assert rail.hit_chances == (F(1, 2), F(1, 3), None)
    assert (rail_again.slot, rail_again.hit_chances) == (1, rail.hit_chances)
    assert (hammer.name, hammer.numbers, hammer.heat) == ("Hammer-Missile", (3, 3, 3), 3)
    assert hammer.special == "save −1; −2 vs Point Defense at Medium and Long"
    assert hammer.hit_chances == (F(2, 3), F(2, 3), F(2, 3))
    assert (ciws.name, ciws.kills, ciws.reach, ciws.heat) == ("CIWS", "1d6", "Short", 0)
    assert (ciws_again.slot, ciws_again.kills) == (4, "1d6")


def test_example_sheet_has_its_systems_and_sensors(draken):
    assert [str(line) for line in draken.systems] == [
        "Director: two targets",
        "Point Defense: enemy missiles −1 at Medium and Long",
    ]
    sensor = draken.sensor
    assert (sensor.slug, sensor.targeting_reach, sensor.id_reach, sensor.infantry) == ("basic", "Long", "Medium", 6)


@pytest.mark.rule("MM-051", "MM-054", "MM-064")
def test_example_sheet_has_its_derived_numbers(draken):
    assert (draken.heat_all, draken.is_overheating) == (5, False)
    assert draken.save_chance == F(2, 3)
    assert {line.hits_left: line.face for line in draken.criticals} == {3: 4, 2: 3, 1: 2}
    assert {line.hits_left: line.chance for line in draken.criticals} == {3: F(1, 2), 2: F(2, 3), 1: F(5, 6)}
    assert draken.expected_hits == (F(17, 18), F(7, 9), F(4, 9))
    assert draken.infantry_kills == F(19, 2)


def test_example_sheet_has_its_pilot(draken):
    pilot = draken.pilot
    assert (pilot.name, pilot.level, pilot.movement, pilot.to_hit) == ("example", "regular", 0, 0)
    assert (pilot.kills, pilot.games, pilot.skills) == (1, 1, ())


@pytest.mark.rule("MM-058", "MM-059")
@pytest.mark.parametrize(
    ("design", "heat", "rating"),
    [
        ("wasp", 1, 2),
        ("viper", 3, 4),
        ("demon", 2, 4),
        ("saber", 2, 4),
        ("sagitarii", 4, 4),
        ("draken", 5, 5),
        ("thor", 10, 7),
        ("warthog", 8, 7),
        ("odin", 11, 8),
    ],
)
def test_sheet_shows_heat_of_all_weapons(design, heat, rating):
    found = sheet(design)
    assert (found.heat_all, found.heat_rating) == (heat, rating)
    assert found.is_overheating == (heat > rating)
    assert found.heat_all_with_jets == (4 if design == "saber" else None)


def test_odin_shows_printed_points_unless_house_rule_uses_them():
    formula, printed = sheet("odin"), sheet("odin", options={"odin-printed-cost": True})
    assert (formula.points, formula.printed_points, len(formula.notes), formula.house_rules) == (33, 27, 1, ())
    assert (printed.points, printed.printed_points, printed.notes) == (27, None, ())
    assert printed.house_rules == ("ODIN at its printed points",)


@pytest.mark.rule("MM-028", "MM-044")
@pytest.mark.parametrize(("level", "movement", "short"), [("green", -1, F(1, 3)), ("elite", 2, F(2, 3))])
def test_pilot_level_changes_movement_and_hit_chances(level, movement, short):
    found = sheet("draken", PilotCard("P", level))
    assert (found.movement_min, found.movement_max) == (3 + movement, 8 + movement)
    assert found.weapons[0].hit_chances[0] == short


@pytest.mark.rule("MM-028", "MM-058")
def test_maneuver_and_chassis_familiarity_add_up():
    pilot = PilotCard("P", "veteran", ("maneuver", "chassis-familiarity-heavy", "chassis-familiarity-light"))
    found = sheet("draken", pilot)
    assert found.movement_modifier == 1 + 2 + 1
    assert found.card.movement == "1d6+6"
    assert (found.heat_rating, found.heat_limit, found.card.heat_boxes) == (5, 6, 6)
    assert [line.name for line in found.pilot.skills] == [
        "Maneuver",
        "Chassis Familiarity (Heavy)",
        "Chassis Familiarity (Light)",
    ]
    assert all(line.effect for line in found.pilot.skills)


@pytest.mark.rule("MM-028")
def test_servo_boosters_and_leg_damage_change_movement_roll():
    assert sheet_of("heavy", systems="servo-boosters").movement_min == 4
    assert sheet("draken", condition={"legs": 2}).movement_min == 1


@pytest.mark.rule("MM-028")
def test_movement_total_is_never_below_zero():
    found = sheet("thor", PilotCard("P", "green"), {"legs": 2})
    assert (found.movement_min, found.movement_mean, found.movement_max) == (0, F(0 + 0 + 0 + 1 + 2 + 3, 6), 3)
    assert movement_span(2, 0) == (2, 7, 12)


@pytest.mark.rule("MM-048")
def test_hit_chance_includes_rerolled_miss():
    assert sheet("viper").weapons[1].hit_chances == (1 - F(1, 3) ** 2, None, None)


@pytest.mark.rule("MM-043")
def test_natural_rolls_house_rule_changes_hit_chance():
    elite = PilotCard("P", "elite")
    natural = {"natural-rolls": "six-hits-one-misses"}
    assert sheet("odin", elite).weapons[0].hit_chances[0] == 1
    assert sheet("odin", elite, options=natural).weapons[0].hit_chances[0] == F(5, 6)


@pytest.mark.rule("MM-052")
def test_armor_system_improves_saves_against_its_family():
    def better(systems):
        return {line.family: line.chance for line in sheet_of("heavy", systems=systems).better_saves}

    assert better("reactive-armor") == {"missile": 1 - F(2, 6) ** 2}
    assert better("bpc-armor") == {"laser": 1 - F(2, 6) ** 2}
    assert better("space-lam-armor") == {"cannon": F(5, 6)}
    assert better("") == {}
    assert save_chance(5, penalty=1) == F(1, 6)


def test_expected_hits_use_best_set_within_heat_rating():
    # rating 8: two Lasers and one Missile are 7 heat; all four weapons would be 10
    missile, laser = F(2, 3) * F(1, 2), F(5, 6) * F(1, 2)
    assert sheet("odin").expected_hits == (2 * laser + missile, 2 * laser + missile, 2 * missile)


@pytest.mark.rule("MM-064")
def test_weapons_have_mean_infantry_kills():
    means = {
        slug: mean_infantry_kills(weapon) for slug, weapon in CATALOGUE.weapons.items() if weapon.family != "laser"
    }
    assert means == {
        "cannon": 1,
        "vulcan-cannon": 2,
        "rail-cannon": 1,
        "howitzer-cannon": 1,
        "missile": F(1, 2),
        "swarm-missile": 1,
        "hammer-missile": F(1, 2),
        "six-pack-missile": F(3, 4),
        "ciws": F(7, 2),
        "grenade-launcher": F(7, 2),
        "minigun": 7,
    }
    assert mean_infantry_kills(CATALOGUE.weapons["ppc"]) == 0


def test_best_sensor_counts():
    assert sheet_of("medium").sensor.slug == "basic"
    assert sheet_of("medium", systems="sensor-improved").sensor.slug == "improved"
    assert sheet_of("medium", systems="sensor-advanced sensor-improved").sensor.slug == "advanced"


def test_lost_parts_are_struck_out_and_do_not_count():
    found = sheet("thor", condition={"hits": 3, "weapons_lost": [0], "systems_lost": [0], "wounded": True})
    assert [line.is_lost for line in found.weapons] == [True, False, False, False, False, False]
    assert [line.is_lost for line in found.systems] == [True, False]
    assert (found.hits_left, found.heat_all, found.heat_rating) == (3, 6, 6)
    assert found.track.wounded
    assert "PPC 2/2/2 h4" in found.card.weapons


def test_armor_systems_cannot_be_lost():
    assert [line.can_be_lost for line in sheet("odin").systems] == [True, False]


@pytest.mark.parametrize(
    ("condition", "path"),
    [
        ({"hits": 5}, "condition.hits"),
        ({"hits": -1}, "condition.hits"),
        ({"weapons_lost": [5]}, "condition.weapons_lost[0]"),
        ({"systems_lost": [0, 9]}, "condition.systems_lost[1]"),
        ({"legs": "1"}, "condition.legs"),
        ({"paint": "red"}, "condition.paint"),
    ],
)
def test_an_impossible_condition_is_refused(condition, path):
    with pytest.raises(DocumentError) as refused:
        sheet("draken", condition=condition)
    assert refused.value.path == path


def test_example_sheet_has_its_pocket_card(draken):
    card = draken.card
    assert (card.name, card.size, card.points, card.hits, card.armor, card.heat_boxes) == (
        "DRAKEN",
        "Heavy",
        24,
        4,
        3,
        5,
    )
    assert card.movement == "1d6+2"
    assert card.weapons == ("2 × Rail-Cannon 4/5/- h1", "Hammer-Missile 3/3/3 h3", "2 × CIWS 1d6 kills h0")
    assert card.systems == ("Director", "Point Defense")
    assert (card.pilot, card.skills) == ("example, Regular", ())
    assert [critical.face for critical in card.criticals] == [1, 2, 3, 4, 5, 6]
    assert len(card.terrain) == 6
    assert card.pilot_track


def test_card_shows_two_dice():
    assert sheet("saber").card.weapons == ("Vulcan-Cannon x2 4/-/- h2",)


@pytest.mark.rule("MM-088", "MM-090")
def test_support_unit_has_a_card():
    card = support_card("gun-sled")
    assert (card.name, card.hits, card.armor, card.movement) == ("Gun Sled", 3, 3, "1d6+2")
    assert card.weapons == ("Rail-Cannon 4/5/- h1",)
    assert "identify one enemy unit, or friends +1 to hit one Mek or vehicle" in support_card("commandos").notes[-1]
    assert support_card("panzer").systems == ("Space-Lam Armor",)


@pytest.mark.rule("MM-063", "MM-065")
def test_infantry_card_counts_kills():
    card = support_card("infantry")
    assert (card.hits, card.armor, card.kill_boxes) == (0, None, 6)
    assert "attack: below AR at Short" in card.notes[0]
    assert "kills" in card.notes[1]


@pytest.mark.parametrize("slug", CATALOGUE.support_units)
def test_every_support_unit_has_a_card(slug):
    assert support_card(slug).name == CATALOGUE.support_units[slug].name


@given(
    st.lists(st.tuples(st.fractions(0, 3, max_denominator=6), st.integers(0, 4)), max_size=7),
    st.integers(0, 9),
)
def test_best_sum_is_maximum_over_all_sets(weapons, limit):
    sets = (chosen for size in range(len(weapons) + 1) for chosen in combinations(weapons, size))
    fitting = (chosen for chosen in sets if sum(heat for _, heat in chosen) <= limit)
    assert best_sum(weapons, limit) == max(sum(worth for worth, _ in chosen) for chosen in fitting)


@given(
    st.builds(
        MekSpec,
        st.sampled_from(list(CATALOGUE.chassis)),
        st.lists(st.sampled_from(list(CATALOGUE.weapons)), max_size=24).map(tuple),
        st.lists(st.sampled_from(list(CATALOGUE.systems)), max_size=24).map(tuple),
    ),
    st.none()
    | st.builds(
        PilotCard,
        st.text(max_size=10),
        st.sampled_from(list(CATALOGUE.levels)),
        st.lists(st.sampled_from(list(CATALOGUE.skills)), max_size=8).map(tuple),
    ),
)
def test_every_parsed_design_has_datasheet(spec, pilot):
    found = SYSTEM.datasheet(spec, name="Any", design_name="Any", pilot=pilot)
    assert found.points == SYSTEM.check_design(spec).points
    assert 0 <= found.movement_min <= found.movement_mean <= found.movement_max
    assert all(0 <= chance <= 1 for line in found.weapons for chance in line.hit_chances if chance is not None)
    assert min(found.expected_hits) >= 0


@pytest.mark.rule("MM-028", "MM-044")
def test_sheet_numbers_include_pilot():
    green = sheet("demon", PilotCard("Tom", "green"))
    assert (green.card.movement, green.weapons[0].numbers) == ("2d6−1", (5, 6, None))
    assert green.weapons[0].hit_chances == (F(1, 3), F(1, 6), None)
    assert green.pilot.level_text == "Green (−1 move, −1 to hit: counted in)"
    assert green.card.weapons[0] == "2 × Rail-Cannon 5/6/- h1"
    elite = sheet("thor", PilotCard("Ana", "elite", skills=("maneuver",)))
    assert (elite.card.movement, elite.weapons[0].numbers) == ("1d6+4", (1, 1, 1))
    assert elite.pilot.skills[0].effect == "+2 to the movement roll. Counted in."
    assert [line.brief for line in elite.systems] == ["+1 heat rating, counted in", "two targets"]
    assert sheet("demon", PilotCard("Ana", "regular")).pilot.level_text == "Regular"


@pytest.mark.rule("MM-058")
def test_skill_for_another_size_is_not_included():
    pilot = PilotCard("Ana", "veteran", skills=("chassis-familiarity-light",))
    assert "Counted in" in sheet("wasp", pilot).pilot.skills[0].effect
    assert "Counted in" not in sheet("thor", pilot).pilot.skills[0].effect
