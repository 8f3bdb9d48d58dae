"""The AI chooses, the rules carry out and never have to refuse. Ledger 6.5 to 6.8."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from systems.engine.dice import SeededDice
from systems.mech_campaign.battle import SYSTEM, ai
from systems.mech_campaign.battle import state as codes
from systems.mech_campaign.battle.ai import (
    act_next,
    actions_for,
    ambush_mouth,
    choose_runners,
    is_spotter,
    next_unit,
    reserve,
    wants,
)
from systems.mech_campaign.battle.ai_values import (
    best_fire,
    best_lock,
    best_place,
    exposure,
    near,
    place_value,
    useful_locks,
)
from systems.mech_campaign.battle.initial_state import PRESETS
from systems.simulation.odds import tally
from tests.systems.any_battle import seeds
from tests.systems.mech_campaign.any_battle import mech_campaign_setups
from tests.systems.mech_campaign.battle.tables import Table, disc, setup, unit

ACTIONS = ("act", "act_walk", "act_fly", "act_emerge")


@pytest.mark.rule("MC-036", "MC-038", "MC-046", "MC-050", "MC-052", "MC-056", "MC-061", "MC-070", "MC-071", "MC-083")
@settings(max_examples=60, deadline=None)
@given(setup=mech_campaign_setups(), seed=seeds)
def test_ai_actions_are_never_refused(setup, seed):
    refused = []

    def recording(name):
        carry_out = getattr(ai, name)

        def taken(*given):
            found = carry_out(*given)
            if found:
                refused.append((name, found))
            return found

        return taken

    with pytest.MonkeyPatch.context() as patch:
        for name in ACTIONS:
            patch.setattr(ai, name, recording(name))
        SYSTEM.fight(SYSTEM.prepare(setup), SeededDice(seed), [])
    assert not refused


def test_battle_ends_within_turn_limit():
    state = SYSTEM.prepare(setup("picket", "picket"))
    SYSTEM.fight(state, SeededDice(3), [])
    assert state.battle.turn <= state.battle.turn_limit


@pytest.mark.parametrize("preset", PRESETS)
def test_ai_style_uses_its_preset_weights(preset):
    side = SYSTEM.prepare(setup(doctrines=(preset, "aggressive"))).sides[0]
    given = PRESETS[preset]
    assert (side.suppression, side.exposure, side.pull) == (given.suppression, given.exposure, given.pull)
    assert (side.repair_at, side.threshold) == (given.repair_at, given.threshold)
    assert (side.drone_first, side.ambush, side.spot) == (given.drone_first, given.ambush, given.spot)


def test_shot_comes_before_suppression_of_same_value():
    # an undamaged light mech: a shot is 3 sixths of 12, 36; suppressing it is 18 times 2, also 36
    table = Table([unit(y=1000)], [unit("light-mech", y=1800)])
    table.state.sides[0].suppression = 18
    assert best_fire(table.state, 0, 1800, 1000, 1) == (36, codes.SHOOT, 1)
    table.state.sides[0].suppression = 19
    assert best_fire(table.state, 0, 1800, 1000, 1) == (38, codes.SUPPRESS, 1)


def test_second_marker_is_worth_half_and_third_nothing():
    for markers, value in ((0, 42), (1, 21), (2, 0)):
        table = Table(
            [unit("gun-sentry", y=1000)], [unit(y=1800, suppression=markers)], terrain=[disc("rubble", 1800, 1800)]
        )
        table.state.sides[0].suppression = 14
        shot = 14  # one sixth of 14
        expected = (value, codes.SUPPRESS, 1) if value else (shot, codes.SHOOT, 1)
        assert best_fire(table.state, 0, 1800, 1000, 1) == expected


def test_lock_is_valuable_only_with_friend_able_to_fire():
    def locking(**friend):
        table = Table([unit("light-mech", y=400), unit(y=1000, **friend)], [unit(y=1900)])
        useful = useful_locks(table.state, 0)
        return best_lock(table.state, 0, 1800, 400, 1, useful)

    assert locking() == (14, 2)
    assert locking(suppression=1) == (0, codes.NOBODY)
    assert locking(face=[0, -1]) == (0, codes.NOBODY)
    assert locking(kind="drone") == (0, codes.NOBODY)


def test_place_value_falls_with_exposure_and_distance():
    table = Table([unit(y=1000)], [unit(y=1800)])
    assert exposure(table.state, 0, 1800, 1000) == 3
    assert place_value(table.state, 0, 1800, 1000) == 3 * 14 - 3
    assert near(table.state, 0, 1800, 550) == 12
    assert place_value(table.state, 0, 1800, 550) == -120


def test_distance_to_absent_enemy_is_zero():
    table = Table([unit(y=1000)], [unit("drone", status="away")])
    assert near(table.state, 0, 1800, 1000) == 0
    assert best_place(table.state, 0)[0] == codes.NOBODY  # the unit stays


def test_points_are_reserved_for_units_that_need_them():
    units = [
        unit(x=600),
        unit("light-mech", 1200, suppression=1),
        unit("drone", status="away"),
        unit("track", status="under"),
        unit("gun-sentry", 3000),
    ]
    for turn, kept in ((2, 0), (3, 1)):
        table = Table(units, [unit(y=3500)], turn=turn)
        assert reserve(table.state, 0) == kept
        assert reserve(table.state, 1) == kept + 1
    assert wants(table.state, 1) == 1
    assert wants(table.state, 0) == 0


def test_firing_units_act_heavy_first_then_track_then_light():
    table = Table([unit("light-mech", 1000, 1000), unit("track", 1400, 1000), unit(y=1000)], [unit(y=1800)])
    order = []
    while (found := next_unit(table.state, 0))[0] != codes.NOBODY:
        order.append(found)
        table.state.units[found[0]].done = 1
    assert order == [(2, ai.FIRING), (1, ai.FIRING), (0, ai.FIRING)]


def test_spotter_has_useful_lock_and_no_shot():
    far, close = unit("light-mech", y=100), unit("light-mech", y=500)
    for spotter, doctrines, found in (
        (far, ("cautious", "cautious"), True),
        (close, ("cautious", "cautious"), False),
        (far, ("aggressive", "cautious"), False),
    ):
        table = Table([spotter, unit(x=2100, y=1000)], [unit(y=2000)], doctrines=doctrines, points=9)
        assert is_spotter(table.state, 0) is found


def test_underground_track_waits_for_shot_until_turn_3():
    for turn, mouth in ((2, codes.NOBODY), (3, 0)):
        table = Table([unit("track", status="under"), unit(y=100)], [unit(x=1100, y=3601)], turn=turn)
        assert ambush_mouth(table.state, 0, 2) == mouth


def test_runners_choose_nearest_beacons_with_lights_first():
    table = Table(
        [unit(y=100)],
        [unit(x=1800, y=3000), unit("light-mech", 1200, 1800), unit("light-mech", 2400, 1800)],
        scenario="survey-beacons",
    )
    choose_runners(table.state, codes.SIDE_B)
    assert [table[key].runner for key in ("b1", "b2", "b3")] == [0, 1, 2]


def test_side_without_points_does_not_act():
    table = Table([unit(y=1000)], [unit(y=1800)], points=0)
    assert table.play(act_next, codes.SIDE_A) is False


@pytest.mark.parametrize(("points", "actions"), [(0, 0), (1, 1), (2, 1), (3, 2), (6, 2), (7, 3), (20, 3)])
def test_ai_takes_as_many_actions_as_its_points_buy(points, actions):
    assert actions_for(points) == actions


def test_odds_count_reasons_for_battle_end():
    counts = tally(setup("picket", "scouts"), 4, 0, 40, compiled=False).battle
    ways = [counts[name] for name in ("retreats", "wipe_outs", "fields_left", "sabotages", "timeouts")]
    assert sum(ways) == counts["battles"] == 40
    assert counts["attacker_wins"] + counts["defender_wins"] + counts["draws"] == 40
