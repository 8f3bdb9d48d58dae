"""The rules one by one, where no worked example covers them. Lengths are in hundredths of an inch."""

from __future__ import annotations

import pytest

from systems.engine.choices import Chooser, Hand
from systems.engine.dice import Log, ScriptedDice, SeededDice
from systems.mech_campaign.battle import SYSTEM
from systems.mech_campaign.battle import state as codes
from systems.mech_campaign.battle.choices import _list_actions
from systems.mech_campaign.battle.events import FACTS
from systems.mech_campaign.battle.initial_state import BattleUnit, build_state
from systems.mech_campaign.battle.play import begin_player_turn, end_player_turn
from systems.mech_campaign.battle.rules.actions import act, act_emerge, act_fly, act_walk, open_activation
from systems.mech_campaign.battle.rules.scenarios import call_time, deploy, roll_first, score_beacons, set_up
from systems.mech_campaign.battle.state import SHOOT, SIDE_A, SIDE_B, SUPPRESS, TABLE, UNDER
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.options import BY_THE_BOOK
from tests.tools.enumerate import freeze

from .tables import REFUSALS, Table, disc, unit

UP, DOWN = 0, 15  # bearings of side A


def code(slug: str) -> int:
    return REFUSALS.index(slug)


def active(table: Table, key: str = "a1") -> Table:
    """Open a unit's activation; return the table."""
    open_activation(table.state, table.at(key))
    return table


def refused(table: Table, i: int, action: int, target: int) -> str | None:
    """Return why the unit's action is refused, and check that nothing was rolled or changed."""
    before = freeze(table.state)
    found = REFUSALS[table.play(act, i, action, target)]
    assert (freeze(table.state), table.events) == (before, ())
    return found


# --- unit kinds -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MC-006", "MC-007", "MC-008", "MC-010", "MC-045", "MC-051", "MC-072")
@pytest.mark.parametrize(
    ("kind", "moves", "shots", "after_moves"),
    [
        ("heavy-mech", 1, 2, "move-limit"),
        ("light-mech", 3, 1, "action-limit"),
        ("track", 1, 1, "move-limit"),
        ("gun-sentry", 0, 1, "cannot-move"),
    ],
)
def test_kind_limits_moves_and_shots(kind, moves, shots, after_moves):
    table = active(Table([unit(kind, y=1000)], [unit(y=2100)]))
    for _ in range(moves):
        assert table.run_step(act_walk, 0, UP, 1) == 0
    assert table.run_step(act_walk, 0, UP, 1) == code(after_moves)
    table = active(Table([unit(kind, y=1000)], [unit(y=2100)]))
    for _ in range(shots):
        assert table.play(act, 0, SHOOT, 1, faces=[1]) == 0
    assert table.play(act, 0, SHOOT, 1) == code("shoot-limit")


@pytest.mark.rule("MC-012", "MC-073")
def test_every_hit_is_one_damage_at_any_range():
    for y in (1001, 2200):
        table = active(Table([unit(y=1000)], [unit(y=y)]))
        table.play(act, 0, SHOOT, 1, faces=[6])
        assert table["b1"].damage == 1


@pytest.mark.rule("MC-009", "MC-010", "MC-074")
@pytest.mark.parametrize("kind", ["drone", "gun-sentry"])
def test_drone_or_sentry_needs_one_more_to_hit(kind):
    table = active(Table([unit(kind, y=1000)], [unit(y=1800)]))
    table["a1"].moves = 1
    table.play(act, 0, SHOOT, 1, faces=[4])
    assert table["b1"].damage == 0
    assert [(part.name, part.value) for part in table.events[0].modifiers] == [("drone or sentry", -1)]


# --- table and set-up -------------------------------------------------------------------------------------------------


@pytest.mark.rule("MC-020", "MC-024", "MC-025", "MC-026", "MC-027", "MC-028")
def test_sides_set_up_in_their_zones_side_a_first():
    kinds = ["heavy-mech", "light-mech", "track", "drone", "gun-sentry", "gun-sentry"]
    forces = [[BattleUnit(kind, damage=1) for kind in kinds]] * 2
    s = build_state(forces, ["cautious", "aggressive"], CATALOGUE.scenarios["sabotage"], BY_THE_BOOK)
    log: Log = []
    set_up(s, ScriptedDice([1] * 9), log)
    assert [fields["unit"] for kind, fields in log if kind == "unit-deployed"] == list(range(12))
    for u in s.units:
        depth = u.y if u.side == SIDE_A else codes.TABLE_SIZE - u.y
        if u.kind == codes.DRONE:
            assert u.status == codes.AWAY
        elif u.kind == codes.TRACK:
            assert u.status == (TABLE if u.side == SIDE_A else UNDER)
        else:
            assert u.status == TABLE
            assert depth <= (1200 if u.kind == codes.SENTRY else 600)
        assert u.damage == 1


@pytest.mark.rule("MC-031")
def test_first_turn_tie_is_rerolled_except_in_sabotage():
    table = Table([unit()])
    table.play(roll_first, faces=[3, 3, 2, 5])
    assert table.state.battle.first == SIDE_B
    assert [event.result["first"] for event in table.events] == [codes.NOBODY, SIDE_B]
    table = Table([unit()], scenario="sabotage")
    table.play(roll_first)
    assert table.state.battle.first == SIDE_A


@pytest.mark.rule("MC-022")
def test_discs_never_overlap_or_cover_tunnel_mouth():
    for faces in ([6, 1, 1] * 9, [6, 6, 6] * 9, [6, 1, 6] * 9):
        s = build_state([[], []], ["cautious"] * 2, CATALOGUE.scenarios["sabotage"], BY_THE_BOOK)
        set_up(s, ScriptedDice(faces), [])
        assert s.battle.discs == 9
        for k, one in enumerate(s.discs):
            assert all(abs(one.x - m.x) >= one.radius or abs(one.y - m.y) >= one.radius for m in s.mouths)
            assert one.x - one.radius >= 0
            assert one.x + one.radius <= codes.TABLE_SIZE
            for other in s.discs[k + 1 :]:
                apart = (one.x - other.x) ** 2 + (one.y - other.y) ** 2
                assert apart >= (one.radius + other.radius) ** 2


@pytest.mark.rule("MC-024")
def test_units_set_up_an_inch_apart():
    s = build_state(
        [[BattleUnit("heavy-mech")] * 6] * 2, ["cautious"] * 2, CATALOGUE.scenarios["sabotage"], BY_THE_BOOK
    )
    deploy(s, SIDE_A, [])
    places = sorted(u.x for u in s.units if u.side == SIDE_A)
    assert all(right - left >= codes.SPACING for left, right in zip(places, places[1:], strict=False))


# --- turns and action points ------------------------------------------------------------------------------------------


@pytest.mark.rule("MC-034")
def test_unspent_points_are_lost():
    table = Table([unit()], [unit(y=3000)], points=9)
    table.run_step(end_player_turn, SIDE_A)
    assert table.state.battle.points == 0
    table.play(begin_player_turn, SIDE_A, faces=[2])
    assert table.state.battle.points == 3


@pytest.mark.rule("MC-035")
def test_unit_cannot_be_activated_twice():
    table = active(Table([unit(), unit(x=900)], [unit(y=1500)]))
    table.run_step(act_walk, 0, UP, 1)
    active(table, "a2")
    assert refused(table, 0, SHOOT, 2) == "already-activated"


@pytest.mark.rule("MC-036", "MC-037", "MC-038", "MC-039")
def test_actions_cost_1_2_and_4_for_each_unit():
    table = active(Table([unit("light-mech"), unit("light-mech", 900)], [unit(y=3000)], points=8))
    left = []
    for key in ("a1", "a1", "a1", "a2", "a2"):
        active(table, key)
        table.run_step(act_walk, table.at(key), UP, 1)
        left.append(table.state.battle.points)
    assert left == [7, 5, 1, 0, 0]


@pytest.mark.rule("MC-100")
def test_an_eliminated_unit_takes_no_action():
    table = active(Table([unit(status="dead")], [unit(y=1500)]))
    assert refused(table, 0, SHOOT, 1) == "unit-eliminated"


# --- movement ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MC-047", "MC-048", "MC-050")
def test_turning_is_a_move_and_allowed_beside_enemy():
    table = active(Table([unit(y=1000)], [unit(y=1200)]))
    assert table.run_step(act_walk, 0, UP, 0) == 0
    assert (table["a1"].x, table["a1"].y, table["a1"].moves) == (1800, 1000, 1)


@pytest.mark.rule("MC-050")
def test_unit_beside_two_enemies_moves_away_from_nearer():
    table = active(Table([unit(y=1000)], [unit(y=1200), unit(y=650)]))
    assert table.run_step(act_walk, 0, DOWN, 20) == code("blocked")
    others = {table.run_step(act_walk, 0, k, 20) for k in range(codes.BEARINGS) if k != DOWN}
    assert others == {code("too-close-not-away")}
    table = active(Table([unit(y=1000)], [unit(y=1200), unit(x=1500, y=1100)]))
    assert table.run_step(act_walk, 0, DOWN, 20) == 0


@pytest.mark.rule("MC-047")
def test_side_b_bearings_are_mirrored():
    for k in range(codes.BEARINGS):
        table = Table([unit(y=1000)], [unit(y=2600)])
        steps = []
        for key in ("a1", "b1"):
            mech = active(table, key)[key]
            before = mech.x, mech.y
            assert table.run_step(act_walk, table.at(key), k, 5) == 0
            steps.append((mech.x - before[0], mech.y - before[1]))
            mech.x, mech.y = before
        assert steps[1] == (-steps[0][0], -steps[0][1]) != (0, 0)


@pytest.mark.rule("MC-052")
def test_ground_unit_cannot_leave_table():
    table = active(Table([unit(y=100)], [unit(y=3000)]))
    assert table.run_step(act_walk, 0, DOWN, 6) == code("blocked")
    assert table.run_step(act_walk, 0, DOWN, 5) == 0
    assert table["a1"].y == 0


@pytest.mark.rule("MC-052")
def test_units_move_through_friends():
    table = active(Table([unit(y=1000), unit(y=1200)], [unit(y=3000)]))
    assert table.run_step(act_walk, 0, UP, 20) == 0
    assert table["a1"].y == 1400


@pytest.mark.rule("MC-054")
def test_air_unit_flies_anywhere_but_past_enemy_drone():
    table = active(Table([unit("drone", 100, 100)], [unit(y=3500)], terrain=[disc("works", 1800, 1800)]))
    assert table.run_step(act_fly, 0, 3600, 3600) == 0
    table = active(Table([unit("drone", 100, 1800)], [unit("drone", 1800, 2200)]))
    assert table.run_step(act_fly, 0, 3500, 1800) == code("blocked")  # passes at exactly 4 in
    assert table.run_step(act_fly, 0, 3500, 1700) == 0
    table = active(Table([unit("drone", 100, 1800)], [unit("drone", 1800, 2200)]))
    assert table.run_step(act_fly, 0, 3601, 1700) == code("blocked")


@pytest.mark.rule("MC-055", "MC-056")
def test_air_unit_can_circle_beside_enemy_drone_and_act():
    table = active(Table([unit("drone", 1800, 1800)], [unit("drone", 1800, 1900)]))
    assert refused(table, 0, SHOOT, 1) == "move-first"
    assert table.run_step(act_fly, 0, 1800, 1800) == 0
    assert table.play(act, 0, SHOOT, 1, faces=[6]) == 0


@pytest.mark.rule("MC-058")
def test_air_unit_cannot_return_near_enemy_drone():
    table = active(Table([unit("drone", status="away")], [unit("drone", 1800, 1800), unit(x=600, y=600)]))
    assert table.run_step(act_fly, 0, 1800, 2200) == code("blocked")
    assert table.run_step(act_fly, 0, 600, 601) == 0  # ground units don't block the return
    assert table.kinds() == ["unit-returned"]


@pytest.mark.rule("MC-057", "MC-059", "MC-065")
def test_drone_that_stays_leaves_and_empty_side_loses():
    table = Table([unit("drone"), unit("track", status="under")], [unit(y=3000)])
    table.run_step(end_player_turn, SIDE_A)
    assert table.kinds() == ["unit-left", "player-turn-ended"]
    assert refused(table, 2, SHOOT, 0) == "no-action-points"
    b = table.state.battle
    assert (b.over, b.winner, b.reason) == (1, SIDE_B, codes.LEFT_FIELD)


# --- tunnels ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MC-023", "MC-060", "MC-061", "MC-063")
def test_track_emerges_from_turn_2_with_no_unit_near():
    def emerging(turn: int, *, friend: int = 3000, enemy: int = 3400) -> Table:
        return active(
            Table([unit("track", status="under"), unit(x=1200, y=friend)], [unit(x=1200, y=enemy)], turn=turn)
        )

    assert emerging(1).run_step(act_emerge, 0, 0) == code("cannot-emerge")
    assert emerging(2, friend=2499).run_step(act_emerge, 0, 0) == code("cannot-emerge")
    assert emerging(2, enemy=2800).run_step(act_emerge, 0, 0) == code("cannot-emerge")
    table = emerging(2, friend=2500, enemy=2801)
    assert refused(table, 0, SHOOT, 2) == "off-table"
    assert table.run_step(act_walk, 0, UP, 1) == code("cannot-emerge")
    assert table.run_step(act_emerge, 0, 0) == 0
    assert (table["a1"].x, table["a1"].y, table["a1"].status) == (1200, 2400, TABLE)


@pytest.mark.rule("MC-062")
def test_track_can_act_after_emerging():
    table = active(Table([unit("track", status="under")], [unit(x=1200, y=2900)]))
    table.run_step(act_emerge, 0, 0)
    assert table.play(act, 0, SHOOT, 1, faces=[4]) == 0
    assert table["b1"].damage == 1


@pytest.mark.rule("MC-059", "MC-063")
def test_unit_off_table_cannot_be_a_target():
    for status in ("away", "under"):
        table = active(Table([unit()], [unit("track" if status == "under" else "drone", y=900, status=status)]))
        assert refused(table, 0, SHOOT, 1) == "target-off-table"


# --- shooting, suppression, locks, repairs ----------------------------------------------------------------------------


@pytest.mark.rule("MC-070", "MC-077", "MC-080")
@pytest.mark.parametrize("action", [SHOOT, SUPPRESS])
def test_shot_and_suppressive_fire_need_range_arc_and_sight(action):
    works = disc("works", 1800, 1500)
    assert refused(active(Table([unit(y=900)], [unit(y=2101)])), 0, action, 1) == "out-of-range"
    assert refused(active(Table([unit(y=900)], [unit(y=899)])), 0, action, 1) == "out-of-arc"
    hidden = active(Table([unit(y=900)], [unit(y=2100)], terrain=[works]))
    assert refused(hidden, 0, action, 1) == "no-line-of-sight"
    faces = [1] if action == SHOOT else []
    assert active(Table([unit(y=900)], [unit(y=2100)])).play(act, 0, action, 1, faces=faces) == 0


@pytest.mark.rule("MC-077")
def test_unit_on_hill_sees_over_hills_but_not_works():
    hills = [disc("hill", 1800, 700), disc("hill", 1800, 1400)]
    assert active(Table([unit(y=700)], [unit(y=1900)], terrain=hills)).play(act, 0, SHOOT, 1, faces=[1]) == 0
    assert refused(active(Table([unit(y=700)], [unit(y=1900)], terrain=hills[1:])), 0, SHOOT, 1) == "no-line-of-sight"
    both = [hills[0], disc("works", 1800, 1400)]
    assert refused(active(Table([unit(y=700)], [unit(y=1900)], terrain=both)), 0, SHOOT, 1) == "no-line-of-sight"


@pytest.mark.rule("MC-072", "MC-076", "MC-080")
def test_heavy_mech_chooses_target_for_each_shot():
    table = active(Table([unit(y=1000)], [unit(y=1800), unit(x=1400, y=1800)]))
    table.play(act, 0, SHOOT, 1, faces=[4])
    table.play(act, 0, SUPPRESS, 2)
    assert (table["b1"].damage, table["b2"].suppression) == (1, 1)


@pytest.mark.rule("MC-081", "MC-075")
def test_house_rule_rolls_suppressive_fire_and_uses_lock():
    for face, markers in ((2, 0), (3, 1)):
        table = active(Table([unit(y=1000), unit("drone")], [unit(y=1800)], suppression_roll="to-hit")).mark("b1", "a2")
        table.play(act, 0, SUPPRESS, 2, faces=[face])
        assert (table["b1"].suppression, table["b1"].lock) == (markers, codes.NOBODY)
        sentence = FACTS.sentence(table.events[0], {}, {"a1": "Marta", "b1": "Wasp"}, ("Red", "Blue"))
        assert (
            sentence == f"Marta lays suppressive fire on Wasp: {face + 1} against 4+, {'hit' if markers else 'miss'}."
        )


@pytest.mark.rule("MC-081")
def test_unrolled_suppressive_fire_keeps_lock():
    table = active(Table([unit(y=1000), unit("drone")], [unit(y=1800)])).mark("b1", "a2")
    table.play(act, 0, SUPPRESS, 2)
    assert (table["b1"].suppression, table["b1"].lock) == (1, 1)


@pytest.mark.rule("MC-086")
def test_lock_has_no_range_unless_house_rule_limits():
    far = [unit(y=100)], [unit(y=3500)]
    assert active(Table(*far)).play(act, 0, codes.LOCK, 1) == 0
    assert refused(active(Table(*far, lock_range="12")), 0, codes.LOCK, 1) == "out-of-range"
    assert refused(active(Table([unit("gun-sentry")], [unit(y=900)])), 0, codes.LOCK, 1) == "cannot-lock"
    assert refused(active(Table([unit()], [unit(y=500)])), 0, codes.LOCK, 1) == "out-of-arc"


@pytest.mark.rule("MC-075", "MC-087", "MC-088")
def test_unit_carries_one_lock_until_used():
    table = active(Table([unit(y=1000), unit("light-mech", 1700, 1000)], [unit(y=1800)]))
    active(table, "a2")
    assert table.play(act, 1, codes.LOCK, 2) == 0
    assert refused(table, 1, codes.LOCK, 2) == "already-locked"
    active(table, "a1")
    table.play(act, 0, SHOOT, 2, faces=[3])
    assert [(part.name, part.rule) for part in table.events[0].modifiers] == [("target lock", "MC-075")]
    assert (table["b1"].damage, table["b1"].lock) == (1, codes.NOBODY)
    assert refused(table, 0, codes.LOCK, 2) == "after-shooting"
    active(table, "a2")
    assert table.play(act, 1, codes.LOCK, 2) == 0


@pytest.mark.rule("MC-046", "MC-089")
def test_lock_can_be_followed_by_any_action():
    for first_move in (True, False):
        table = active(Table([unit("light-mech", y=1000)], [unit(y=1800)]))
        if first_move:
            table.run_step(act_walk, 0, UP, 1)
        table.play(act, 0, codes.LOCK, 1)
        assert (table.run_step(act_walk, 0, UP, 1) == 0) is not first_move
        assert table.play(act, 0, SHOOT, 1, faces=[1]) == 0


@pytest.mark.rule("MC-083")
def test_suppressed_unit_can_only_recover():
    table = active(Table([unit("light-mech", y=1000, damage=2, suppression=1)], [unit(y=1800)]))
    assert table.run_step(act_walk, 0, UP, 1) == code("suppressed")
    for action in (SHOOT, SUPPRESS, codes.LOCK, codes.REPAIR, codes.SPECIAL):
        assert refused(table, 0, action, 1) == "suppressed"
    assert table.play(act, 0, codes.RECOVER, 1) == 0
    assert table.run_step(act_walk, 0, UP, 1) == 0


@pytest.mark.rule("MC-085")
def test_only_owners_turn_end_removes_markers():
    table = Table([unit(suppression=1)], [unit(y=3000, suppression=2)]).mark("b1", "a1")
    table.run_step(end_player_turn, SIDE_A)
    assert (table["a1"].suppression, table["b1"].suppression, table["b1"].lock) == (0, 2, 0)


@pytest.mark.rule("MC-090", "MC-091")
def test_only_ground_units_except_sentries_repair_once():
    for kind in ("drone", "gun-sentry"):
        table = active(Table([unit(kind, damage=2)], [unit(y=3000)]))
        table["a1"].moves = 1
        assert refused(table, 0, codes.REPAIR, 0) == "cannot-repair"
    table = active(Table([unit(damage=3)], [unit(y=3000)]))
    assert table.play(act, 0, codes.REPAIR, 0, faces=[4]) == 0
    assert refused(table, 0, codes.REPAIR, 0) == "repair-limit"


@pytest.mark.rule("MC-083", "MC-084")
def test_unit_without_marker_cannot_recover():
    assert refused(active(Table([unit()], [unit(y=3000)])), 0, codes.RECOVER, 0) == "nothing-to-recover"


# --- special actions, elimination, victory ----------------------------------------------------------------------------


@pytest.mark.rule("MC-095", "MC-096")
@pytest.mark.parametrize("kind", ["drone", "gun-sentry"])
def test_drones_and_sentries_take_no_special_actions(kind):
    table = active(Table([unit(kind, y=1800)], [unit(y=3000)], scenario="survey-beacons"))
    table["a1"].moves = 1
    assert refused(table, 0, codes.SPECIAL, 1) == "no-such-special"


@pytest.mark.rule("MC-095", "MC-096", "MC-124")
def test_beacon_is_claimed_within_2_in_once_per_turn():
    table = active(Table([unit(y=1600)], [unit(y=3000)], scenario="survey-beacons"))
    assert refused(table, 0, codes.SPECIAL, 0) == "no-such-special"  # this beacon is 12 in away
    assert table.play(act, 0, codes.SPECIAL, 1) == 0
    assert table.state.objectives[1].holder == SIDE_A
    assert refused(table, 0, codes.SPECIAL, 1) == "no-such-special"
    table.state.objectives[1].holder = SIDE_B
    assert refused(table, 0, codes.SPECIAL, 1) == "special-limit"


@pytest.mark.rule("MC-096", "MC-125")
def test_only_side_a_sets_charges_before_shooting():
    table = active(Table([unit(y=2000)], [unit(y=2200)], scenario="sabotage"))
    assert table.play(act, 0, codes.SPECIAL, 0, faces=[1]) == 0
    table = active(Table([unit(y=2000)], [unit(y=2200)], scenario="sabotage"))
    table.play(act, 0, SHOOT, 1, faces=[1])
    assert refused(table, 0, codes.SPECIAL, 0) == "after-shooting"
    table = active(Table([unit(y=2000)], [unit(y=2200)], scenario="sabotage"), "b1")
    assert refused(table, 1, codes.SPECIAL, 0) == "no-such-special"


@pytest.mark.rule("MC-124", "MC-125")
@pytest.mark.parametrize(
    ("scenario", "y", "words"),
    [("survey-beacons", 1600, "Claim the beacon"), ("sabotage", 2000, "Set a charge at the drill, on 4+")],
)
def test_player_is_offered_the_special_action_of_the_scenario(scenario, y, words):
    table = active(Table([unit(y=y)], [unit(y=3000)], scenario=scenario))
    chooser = Chooser(Hand(sides=(SIDE_A,)), SeededDice(1), unit=str, weapon=lambda i, slot: "")
    assert words in [answer.words for answer in _list_actions(chooser, table.state, 0)]


@pytest.mark.rule("MC-100", "MC-101")
def test_eliminated_unit_loses_markers_and_triggers_resolve():
    table = active(Table([unit(y=1000), unit("drone")], [unit(y=1800, damage=3), unit(y=3000)])).mark("b1", "a2")
    table["b1"].suppression = 2
    table.play(act, 0, SHOOT, 2, faces=[3, 1])
    gone = table["b1"]
    assert (gone.status, gone.suppression, gone.lock, table["a1"].kills) == (codes.DEAD, 0, codes.NOBODY, 1)
    assert table.kinds() == ["shot-rolled", "hit-taken", "unit-eliminated", "resolve-rolled"]
    assert table.state.battle.over == 0


@pytest.mark.rule("MC-103", "MC-121")
def test_last_unit_is_lost_without_roll():
    table = active(Table([unit(y=1000)], [unit(y=1800, damage=3)]))
    table.play(act, 0, SHOOT, 1, faces=[4])
    assert (table.state.battle.winner, table.state.battle.reason) == (SIDE_A, codes.WIPED_OUT)


@pytest.mark.rule("MC-102", "MC-120")
def test_battle_ends_when_force_retreats():
    table = active(Table([unit(y=1000)], [unit(y=1800, damage=3), unit(y=3000)]))
    table.state.sides[SIDE_B].lost = 2
    table.play(act, 0, SHOOT, 1, faces=[4, 1])
    assert (table.state.battle.over, table.state.battle.reason) == (1, codes.RETREAT)


@pytest.mark.rule("MC-124")
def test_held_beacons_score_at_end_of_turn():
    table = Table([unit()], [unit(y=3000)], scenario="survey-beacons")
    for beacon, holder in enumerate((SIDE_A, codes.NOBODY, SIDE_A)):
        table.state.objectives[beacon].holder = holder
    table.run_step(score_beacons)
    assert [side.beacon_points for side in table.state.sides] == [2, 0]


@pytest.mark.rule("MC-123", "MC-124")
@pytest.mark.parametrize(
    ("scenario", "damage", "lost", "beacons", "winner", "decided_by"),
    [
        ("claim-dispute", (1, 1), (0, 0), (0, 0), codes.NOBODY, 0),
        ("claim-dispute", (0, 3), (1, 0), (0, 0), SIDE_B, codes.BY_LOSSES),
        ("survey-beacons", (0, 3), (0, 0), (5, 5), SIDE_A, codes.BY_DAMAGE),
        ("survey-beacons", (0, 3), (2, 1), (5, 5), SIDE_B, codes.BY_LOSSES),
    ],
)
def test_losses_then_damage_decide_at_turn_limit(scenario, damage, lost, beacons, winner, decided_by):
    table = Table([unit(damage=damage[0])], [unit(damage=damage[1], y=3000)], scenario=scenario)
    for side in (SIDE_A, SIDE_B):
        table.state.sides[side].lost = lost[side]
        table.state.sides[side].beacon_points = beacons[side]
    call_time(table.state)
    assert (table.state.battle.winner, table.state.battle.decided_by) == (winner, decided_by)


@pytest.mark.rule("MC-123")
def test_damage_of_lost_units_does_not_count_at_limit():
    table = Table([unit(damage=1), unit(damage=4, status="dead")], [unit(damage=2, y=3000), unit(status="dead")])
    call_time(table.state)
    assert (table.state.battle.winner, table.state.battle.decided_by) == (SIDE_A, codes.BY_DAMAGE)


@pytest.mark.rule("MC-125")
def test_side_b_wins_sabotage_at_turn_limit():
    table = Table([unit()], [unit(y=3000, damage=3)], scenario="sabotage")
    call_time(table.state)
    assert (table.state.battle.winner, table.state.battle.decided_by) == (SIDE_B, codes.BY_HOLDING)


@pytest.mark.rule("MC-030", "MC-032", "MC-122")
def test_game_ends_after_last_game_turn():
    table = Table([unit("gun-sentry")], [unit("gun-sentry", y=3000)], turn=0, turn_limit=2)
    table.play(SYSTEM.fight, faces=[1, 6, 1, 2, 3, 4])
    kinds_and_sides = [
        (event.kind, event.result.get("side")) for event in table.events if event.step in ("turn", "points")
    ]
    first = [("turn-began", None), ("points-rolled", SIDE_B), ("points-rolled", SIDE_A)]
    assert kinds_and_sides == first * 2
    assert table.state.battle.turn == 2
