"""The ledger's exact chances that need no battle, calculated from the faces of the dice."""

from fractions import Fraction
from itertools import product

import pytest

from systems.mech_campaign.build.datasheet import (
    FACES,
    action_points,
    count_actions,
    hit_chance,
    needed_number,
    retreat_chance,
)
from systems.mech_campaign.catalogue import CATALOGUE

HEAVY, LIGHT, TRACK, DRONE, SENTRY = CATALOGUE.unit_kinds.values()
CAN_REPAIR = CATALOGUE.rolls["repair"].number
CHARGE = CATALOGUE.special_actions["set-charge"]


def chance(dice, event):
    """Return the share of all rolls of this many dice in which the event happens."""
    rolls = list(product(FACES, repeat=dice))
    return Fraction(sum(bool(event(roll)) for roll in rolls), len(rolls))


def hits(roll, *needs):
    return sum(face >= number for face, number in zip(roll, needs, strict=True))


@pytest.mark.rule("MC-073", "MC-074")
@pytest.mark.parametrize(("number", "share"), [(2, "5/6"), (3, "2/3"), (4, "1/2"), (5, "1/3"), (6, "1/6")])
def test_e01_one_shot_hits(number, share):  # MC-E01
    assert chance(1, lambda roll: roll[0] >= number) == hit_chance(number) == Fraction(share)


@pytest.mark.rule("MC-074")
def test_number_needed_is_always_two_to_six():
    every = [
        needed_number(kind, in_cover=cover, from_height=height, is_locked=lock)
        for kind in CATALOGUE.unit_kinds.values()
        for cover, height, lock in product((False, True), repeat=3)
    ]
    assert (min(every), max(every)) == (2, 6)


@pytest.mark.rule("MC-072", "MC-073")
@pytest.mark.parametrize(("least", "share"), [(1, "3/4"), (2, "1/4")])
def test_e02_e03_heavy_mech_hits_with_two_shots(least, share):  # MC-E02 MC-E03
    number = needed_number(HEAVY)
    assert HEAVY.shooting_actions == 2
    assert chance(2, lambda roll: hits(roll, number, number) >= least) == Fraction(share)


@pytest.mark.rule("MC-075")
def test_e04_two_shots_hit_covered_locked_target():  # MC-E04
    first, second = needed_number(HEAVY, in_cover=True, is_locked=True), needed_number(HEAVY, in_cover=True)
    assert (first, second) == (4, 5)
    assert chance(2, lambda roll: hits(roll, first, second) >= 1) == Fraction(2, 3)


@pytest.mark.rule("MC-100")
@pytest.mark.parametrize(("damage", "share"), [(0, "1/16"), (1, "5/16"), (2, "11/16"), (3, "15/16")])
def test_e05_four_shots_eliminate_target(damage, share):  # MC-E05
    number = needed_number(HEAVY)
    assert chance(4, lambda roll: damage + hits(roll, *[number] * 4) >= 4) == Fraction(share)


@pytest.mark.rule("MC-090", "MC-091")
@pytest.mark.parametrize(("attempts", "share"), [(2, "1/4"), (3, "1/2"), (4, "11/16")])
def test_e06_unit_with_3_damage_repairs_to_1(attempts, share):  # MC-E06
    assert chance(attempts, lambda roll: max(1, 3 - hits(roll, *[CAN_REPAIR] * attempts)) == 1) == Fraction(share)


@pytest.mark.rule("MC-033", "MC-037")
def test_e07_line_lance_has_points_for_all_actions():  # MC-E07
    assert chance(1, lambda roll: 5 + roll[0] >= 9) == Fraction(1, 2)
    assert action_points(5) == (6, Fraction(17, 2), 11)


@pytest.mark.rule("MC-033", "MC-037")
def test_e08_a_force_of_six_has_twelve_points():  # MC-E08
    three_actions = CATALOGUE.action_costs["third"].total
    assert three_actions + 5 == 12
    assert chance(1, lambda roll: 6 + roll[0] >= 12) == Fraction(1, 6)


@pytest.mark.rule("MC-101", "MC-102")
def test_e09_third_loss_breaks_force():  # MC-E09
    number = needed_number(HEAVY)
    assert chance(2, lambda roll: hits(roll, number, number) >= 1) * retreat_chance(3) == Fraction(1, 8)


@pytest.mark.rule("MC-101", "MC-103")
@pytest.mark.parametrize(
    ("bonus", "shares"),
    [(2, ("1/6", "4/9", "13/18")), (1, ("4/9", "13/18", "49/54"))],
)
def test_e10_e11_force_breaks_before_last_unit(bonus, shares):  # MC-E10 MC-E11
    for size, share in zip((4, 5, 6), shares, strict=True):
        tests = size - 1  # no roll for the last unit

        def breaks(roll):
            return any(face + bonus - lost < 1 for lost, face in enumerate(roll, 1))

        stays = Fraction(1)
        for lost in range(1, size):
            stays *= 1 - retreat_chance(lost, bonus)
        assert chance(tests, breaks) == 1 - stays == Fraction(share)


@pytest.mark.rule("MC-125")
@pytest.mark.parametrize(("attempts", "share"), [(2, "1/4"), (3, "1/2"), (4, "11/16"), (5, "13/16")])
def test_e12_attempts_blow_up_the_drill(attempts, share):  # MC-E12
    assert chance(attempts, lambda roll: hits(roll, *[CHARGE.number] * attempts) >= CHARGE.needed) == Fraction(share)


@pytest.mark.rule("MC-031")
def test_e13_side_a_wins_first_roll_off():  # MC-E13
    assert chance(2, lambda roll: roll[0] > roll[1]) == Fraction(5, 12)


@pytest.mark.rule("MC-022")
def test_e14_table_has_no_works():  # MC-E14
    none = Fraction(1)
    for row in CATALOGUE.terrain_rolls.values():
        none *= chance(1, lambda roll, row=row: row.faces[roll[0] - 1] != "works") ** len(row.sectors)
    assert none == Fraction(125, 216)


@pytest.mark.rule("MC-022")
def test_e15_terrain_needs_22_dice_on_average():  # MC-E15
    mean = Fraction(0)
    for row in CATALOGUE.terrain_rolls.values():
        mean += len(row.sectors) * (1 + 2 * chance(1, lambda roll, row=row: row.faces[roll[0] - 1] is not None))
    assert mean == 22


@pytest.mark.rule("MC-073", "MC-075", "MC-078")
def test_e16_drone_hits_locked_target_in_rubble():  # MC-E16
    number = needed_number(DRONE, in_cover=True, is_locked=True)
    assert number == 5
    assert hit_chance(number) == Fraction(1, 3)


@pytest.mark.rule("MC-101")
def test_retreat_chance_grows_with_losses():
    assert [retreat_chance(lost) for lost in range(1, 6)] == [0, 0, Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]


@pytest.mark.rule("MC-036", "MC-037")
@pytest.mark.parametrize(("points", "actions"), [(0, 0), (1, 1), (2, 1), (3, 2), (6, 2), (7, 3), (99, 3)])
def test_three_actions_cost_one_two_and_four_points(points, actions):
    assert count_actions(points) == actions
