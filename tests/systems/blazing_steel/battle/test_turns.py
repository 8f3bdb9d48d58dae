"""Rounds, turns, orders and heat of Blazing Steel. BS-020 to BS-058, BS-100 to BS-106."""

from __future__ import annotations

from itertools import groupby

import pytest

from systems import battle_rules
from systems.blazing_steel.battle import play
from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.rules.actions import heat_of, is_offensive
from systems.blazing_steel.battle.rules.movement import is_movement
from systems.blazing_steel.battle.rules.rounds import end_round
from systems.engine.dice import ScriptedDice, SeededDice
from systems.engine.runner import plain_battle
from systems.simulation.records import resolve

from .tables import CODES, EAST, Table, foe, setup, shot, unit

ALL_ACTIONS = ("move", "sprint", "jump", "shoot", "reload", "charge", "strike", "cool", "fortify", "flak", "smoke")


def play_turn(table: Table, seed: int = 1) -> Table:
    """Play one turn by the AI on both sides; return the table."""
    log: list = []
    play.play_turn(table.state, SeededDice(seed), log)
    table.events = table.events_from(log)
    return table


def simulate(*forces, seed=1, **given):
    return resolve(setup(*forces, **given), seed)


@pytest.mark.rule("BS-020", "BS-021", "BS-030", "BS-187")
def test_round_is_turns_followed_by_end_phase():
    weaponless = {"design": {"chassis": "light", "locomotion": "quadruped"}}
    record = simulate([weaponless], [weaponless], terrain="open", options={"rounds": 2}, seed=161)
    steps = [key for key, _ in groupby(event.step for event in record.events)]
    assert steps[0] == "set-up"
    assert [step for step in steps if step in ("start", "end-phase", "end")] == ["start", "end-phase"] * 2 + ["end"]
    assert record.outcome["rounds"] == 2
    assert record.outcome["reason"] == "rounds"
    first = [event for event in record.events if event.round == 1]
    rested = {event.unit for event in first if event.kind == "unit-cooled"}
    rested |= {event.unit for event in first if event.kind == "heat-rolled" and event.result["overheats"]}
    assert rested == {"a1", "b1"}


@pytest.mark.rule("BS-187")
def test_game_lasts_five_rounds_by_default():
    assert Table([unit()], [foe()]).battle.round_limit == 5
    assert Table([unit()], [foe()], rounds=3).battle.round_limit == 3


@pytest.mark.rule("BS-022", "BS-024", "BS-025", "BS-032")
def test_leader_declares_and_follower_answers_each_action():
    table = play_turn(Table([unit("hawker")], [foe("hawker", y=26)]))
    orders = [(event.kind, event.unit) for event in table.events if event.step == "orders"]
    assert orders[:4] == [
        ("unit-activated", "a1"),
        ("action-declared", "a1"),
        ("unit-activated", "b1"),
        ("action-declared", "b1"),
    ]
    assert orders[4:] == [("action-declared", "a1"), ("action-declared", "b1")]
    first = table.kinds().index("shot-rolled")
    assert table.kinds()[:first].count("action-declared") == 2


@pytest.mark.rule("BS-023")
@pytest.mark.parametrize(
    "state", [{"cooling": 1}, {"overheated": 1}, {"sits_out": 1}, {"status": c.DESTROYED}, {"status": c.DISABLED}]
)
def test_resting_or_lost_unit_cannot_be_activated(state):
    assert Table([unit("hawker", **state)], [foe()]).activate("a1") == "not-eligible"


@pytest.mark.rule("BS-023")
def test_warmech_can_be_activated_repeatedly():
    table = Table([unit("hawker")], [foe()])
    assert [table.activate("a1") for _ in range(4)] == [None] * 4
    assert table["a1"].activations == 4


@pytest.mark.rule("BS-024")
def test_follower_knows_leaders_action():
    """Check that a Skimmer dodges when it is the target, and does something better when it is not."""
    dodging = []
    for target in ("b1", "b2"):
        table = Table(
            [unit("bulwark", y=12)],
            [foe("skimmer", y=30, structure=1, dodge_dice=2), foe("colossus", x=40, y=30)],
        )
        table.weapon("b1", "l1").lost = table.weapon("b1", "r1").lost = 1
        assert table.order("a", "shoot", target, "l2") is None
        play.give_order(table.state, c.FOLLOW, [])
        dodging.append(is_movement(table.state.orders[c.FOLLOW].action))
    assert dodging[0]


@pytest.mark.rule("BS-026")
def test_leader_can_attack_any_enemy():
    table = Table([unit("hawker")], [foe("hawker"), foe("hawker", x=28, cooling=1), foe("hawker", x=20, overheated=1)])
    assert [table.order("a", "shoot", target, "l1") for target in ("b1", "b2", "b3")] == [None, None, None]
    table["b3"].status = c.DESTROYED
    assert table.order("a", "shoot", "b3", "l1") == "no-target"


@pytest.mark.rule("BS-027")
def test_lead_changes_after_every_turn():
    record = simulate(["bulwark", "hawker"], ["colossus", "darter"], terrain="open")
    sides = [
        event.number("side") for event in record.events if event.kind == "turn-began" and not event.result["alone"]
    ]
    turns = [event for event in record.events if event.kind == "turn-began"]
    assert len(turns) > 4
    for before, after in zip(turns, turns[1:], strict=False):
        if not before.result["alone"] and not after.result["alone"]:
            assert before.number("side") != after.number("side")
    assert set(sides) == {0, 1}


@pytest.mark.rule("BS-028")
def test_higher_die_leads_and_ties_are_rerolled():
    table = Table([unit()], [foe()])
    table.battle.lead, table.battle.round = c.NOBODY, 0
    log: list = []
    play.begin(table.state, ScriptedDice([4, 4, 2, 5]), log)
    table.events = table.events_from(log)
    assert table.battle.lead == c.SIDE_B
    assert [event.faces for event in table.events if event.kind == "lead-rolled"] == [(4, 4), (2, 5)]
    assert [event.unit for event in table.events if event.kind == "unit-deployed"] == ["b1", "a1"]


@pytest.mark.rule("BS-029")
def test_side_without_active_unit_does_nothing():
    table = play_turn(Table([unit("hawker", cooling=1)], [foe("hawker")]))
    began = table.event("turn-began")
    assert (began.number("side"), began.result["alone"]) == (c.SIDE_B, True)
    assert {event.unit for event in table.events if event.step == "orders"} == {"b1"}
    assert table.battle.lead == c.SIDE_A


@pytest.mark.rule("BS-031")
def test_same_action_can_be_taken_twice():
    table = Table([unit("hawker")], [foe("bulwark")])
    shot(table, [6, 6, 2, 3], "r1")
    assert table.next_action().order("a", "shoot", "b1", "r1") is None


@pytest.mark.rule("BS-033", "BS-152", "BS-159")
def test_destroyed_unit_finishes_its_declared_action():
    table = Table([unit("hawker", structure=1)], [foe("hawker", structure=1)])
    assert table.order("a", "shoot", "b1", "r1") is None
    assert table.order("b", "shoot", "a1", "r1") is None
    table.resolve([1, 2, 1, 2, 4, 4])  # a tie at 3: each hits once
    assert (table["a1"].status, table["b1"].status) == (c.DESTROYED, c.DESTROYED)
    assert (table["a1"].kills, table["b1"].kills) == (1, 1)


@pytest.mark.rule("BS-034")
def test_leader_chooses_order_of_movements():
    moved = []
    for follow_first in (0, 1):
        table = Table([unit("hawker")], [foe("hawker", y=30)])
        assert table.order("a", "move") is None
        assert table.order("b", "move") is None
        table.battle.follow_moves_first = follow_first
        log: list = []
        play.resolve_step(table.state, ScriptedDice([]), log)
        moved.append([event.unit for event in table.events_from(log) if event.kind == "unit-moved"])
    assert moved == [["a1", "b1"], ["b1", "a1"]]


@pytest.mark.rule("BS-035")
def test_unit_lost_in_action_one_has_no_action_two():
    table = Table([unit("hawker")], [foe("hawker", structure=1, heat_made=1)])
    shot(table, [6, 6, 5, 6])
    table.next_action()
    assert table.order("b", "move") == "no-action-left"
    assert table.heat("b").events == ()


@pytest.mark.rule("BS-035")
def test_follower_of_lost_leader_attacks_nobody():
    table = Table([unit("hawker", structure=1), unit("hawker", x=28)], [foe("hawker")])
    assert table.order("a", "reload") is None
    assert table.order("b", "shoot", "a1", "r1") is None
    table.resolve([6, 6, 5, 6])
    table.next_action()
    assert table.order("b", "shoot", "a1", "r1") == "no-target"
    assert table.order("b", "shoot", "a2", "r1") == "follower-target"
    assert table.order("b", "move") is None


@pytest.mark.rule("BS-036")
def test_action_one_allows_strike_but_no_new_contact():
    table = Table([unit("mantis", y=18)], [foe("hawker")])
    assert table.order("a", "charge", "b1") == "no-contact-in-action-one"
    assert table.order("a", "strike", "b1") is None
    jumper = Table([unit("hawker", y=15)], [foe("hawker")])
    assert jumper.order("a", "jump") is None
    assert jumper.moves("a1", 24, 18) == "blocked"


@pytest.mark.rule("BS-036", "BS-042")
def test_house_rule_allows_contact_in_action_one():
    table = Table([unit("mantis", y=16)], [foe("hawker")], contact_in_action_one=True)
    assert table.order("a", "charge", "b1") is None
    assert table.order("a", "jump") is None
    assert table.moves("a1", 24, 18) is None


@pytest.mark.rule("BS-037")
def test_warmech_must_cool_in_fourth_activation():
    table = Table([unit("hawker", activations=3)], [foe("hawker")])
    assert table.activate("a1") is None
    assert table.order("a", "shoot", "b1", "r1") is None
    table.next_action()
    assert table.order("a", "shoot", "b1", "r1") == "must-cool"
    assert table.order("a", "cool") is None
    free = Table([unit("hawker", activations=9)], [foe("hawker")], slot=2, max_activations=0)
    assert free.order("a", "shoot", "b1", "r1") is None


@pytest.mark.rule("BS-038", "BS-104", "BS-129", "BS-143")
def test_end_phase_resets_round_states():
    worn = {"heat": 21, "dodge_dice": 0, "cooling": 1, "activations": 4, "used": 1, "ban": c.BAN_NEXT}
    table = Table([unit("hawker", overheated=1, cripples=2, **worn)], [foe("bulwark", sits_out=1, fortified=1, **worn)])
    table.weapon("a1", "l1").ammo = table.weapon("a1", "c1").ammo = 0

    end_round(table.state, [])

    for key in ("a1", "b1"):
        u = table[key]
        assert (u.heat, u.dodge_dice, u.cooling, u.activations, u.used, u.ban) == (0, 2, 0, 0, 0, 0)
    assert (table["a1"].overheated, table["a1"].sits_out, table["b1"].sits_out) == (0, 1, 0)
    assert (table["a1"].cripples, table["b1"].fortified) == (2, 1)
    assert (table.weapon("a1", "l1").ammo, table.weapon("a1", "c1").ammo) == (3, 1)


@pytest.mark.rule("BS-103")
def test_overheated_warmech_sits_out_this_and_next_round():
    table = Table([unit("hawker", heat=32, heat_made=1)], [foe()])
    table.heat("a", [6])
    assert table["a1"].heat == 64
    assert table.activate("a1") == "not-eligible"
    end_round(table.state, [])
    assert table.activate("a1") == "not-eligible"
    end_round(table.state, [])
    assert table.activate("a1") is None


@pytest.mark.rule("BS-052")
def test_cool_ends_warmechs_turn_in_either_action():
    table = Table([unit("hawker")], [foe()])
    assert table.order("a", "cool") is None
    table.resolve()
    assert table["a1"].cooling
    table.next_action()
    assert table.order("a", "move") == "no-action-left"
    assert table.activate("a1") == "not-eligible"
    second = Table([unit("hawker", heat_made=1)], [foe()], slot=2)
    assert second.order("a", "cool") is None
    assert second.resolve().heat("a").events == ()


@pytest.mark.rule("BS-037", "BS-052")
def test_house_rule_makes_cool_an_action_one():
    table = Table([unit("hawker", activations=3)], [foe()], slot=2, cool_second_action=False)
    assert table.order("a", "cool") == "cool-first"
    table.battle.slot = 1
    table.activate("a1")
    assert table.order("a", "shoot", "b1", "r1") == "must-cool"
    assert table.order("a", "cool") is None


@pytest.mark.rule("BS-053")
def test_resting_warmech_can_be_attacked_and_does_not_dodge():
    table = Table([unit("hawker")], [foe("hawker", y=26), foe("skimmer", cooling=1)])
    assert table.order("a", "shoot", "b2", "r1") is None
    assert table.order("b", "move") is None
    table.resolve([6, 6, 4, 5])
    assert "dodge-rolled" not in table.kinds()
    assert table.event("attack-settled").number("hits") == 2


@pytest.mark.rule("BS-010", "BS-054", "BS-058", "BS-128", "BS-175")
def test_special_actions_need_their_equipment():
    table = Table([unit("hawker")], [foe()])
    assert [table.order("a", action) for action in ("fortify", "flak", "smoke")] == ["no-such-special"] * 3
    bulwark = Table([unit("bulwark")], [foe()])
    assert [bulwark.order("a", action) for action in ("fortify", "flak")] == [None, None]
    assert Table([unit("colossus")], [foe()]).order("a", "smoke") is None
    assert Table([unit("colossus", used=1)], [foe()]).order("a", "smoke") == "no-such-special"
    assert Table([unit("colossus", peripheral_lost=1)], [foe()]).order("a", "smoke") == "no-such-special"


@pytest.mark.rule("BS-056", "BS-057")
def test_actions_have_their_heat_and_offensive_flag():
    heat = {"sprint": 1, "jump": 2, "shoot": 1, "charge": 1, "strike": 1}
    assert {action: heat_of(CODES[action]) for action in ALL_ACTIONS} == {
        each: heat.get(each, 0) for each in ALL_ACTIONS
    }
    assert [action for action in ALL_ACTIONS if is_offensive(CODES[action])] == ["shoot", "charge", "strike"]


@pytest.mark.rule("BS-056", "BS-100", "BS-106")
def test_active_warmech_rolls_heat_of_its_turn():
    table = Table([unit("hawker")], [foe("hawker")])
    assert table.order("a", "jump") is None
    table.resolve(a1=(24, 12))
    assert table["a1"].heat_made == 2
    assert table.heat("a", [2, 5]).event("heat-rolled").faces == (2, 5)
    assert table["a1"].heat == 2 + 16
    assert table.heat("b").events == ()


@pytest.mark.rule("BS-101", "BS-102")
def test_heat_sinks_remove_only_fresh_ones():
    table = Table([unit("bulwark", heat=1, heat_made=2)])
    table.heat("a", [1, 3])
    assert table["a1"].heat == 1 + 4


@pytest.mark.rule("BS-174")
def test_coolant_rods_remove_heat_and_ban_next_turn():
    table = Table([unit("bulwark", heat=32 + 16, heat_made=2, activations=1)], [foe()])
    table.heat("a")
    assert table.kinds() == ["rods-used"]
    assert (table["a1"].heat, table["a1"].heat_made, table["a1"].used) == (48, 0, 1)
    assert table.activate("a1") is None
    assert [table.order("a", "shoot", "b1", "l2"), table.order("a", "sprint")] == ["coolant-ban"] * 2
    assert [table.order("a", action) for action in ("move", "fortify")] == [None, None]
    assert table.next_action().order("a", "shoot", "b1", "l2") == "coolant-ban"
    assert table.activate("a1") is None
    assert table.order("a", "shoot", "b1", "l2") is None


@pytest.mark.rule("BS-054", "BS-058", "BS-174", "BS-175")
def test_once_per_round_action_is_ready_next_round():
    table = Table([unit("colossus")], [foe()])
    assert table.order("a", "smoke") is None
    table.resolve()
    assert (table["a1"].smoke, table["a1"].used) == (1, 1)
    assert table.next_action().order("a", "smoke") == "no-such-special"
    end_round(table.state, [])
    table.activate("a1")
    assert table.order("a", "smoke") is None


@pytest.mark.rule("BS-058")
def test_fortify_lasts_until_unit_moves():
    table = Table([unit("bulwark")], [foe()])
    assert table.order("a", "fortify") is None
    assert table.resolve()["a1"].fortified
    assert table.next_action().order("a", "move") is None
    assert table.resolve(a1=(24, 10, *EAST))["a1"].fortified
    assert table.next_action().order("a", "move") is None
    assert not table.resolve(a1=(24, 11))["a1"].fortified


@pytest.mark.rule("BS-AR36")
def test_folded_record_is_within_hundredth_of_inch():
    given = setup(["skimmer", "hawker"], ["bulwark", "darter"])
    system = battle_rules("blazing-steel")
    log: list = []
    state = plain_battle(system.fight, system.prepare(given), SeededDice(7), log)
    situation = system.opening(given)
    for event in system.events(given, log):
        situation = system.follow(situation, event)
    for view, end in zip(situation.units, state.units, strict=True):
        assert view.destroyed is (end.status != c.STANDS)
        if not view.destroyed:
            assert abs(view.stand.x - 100 * end.x) <= 0.5
            assert abs(view.stand.y - 100 * end.y) <= 0.5
        assert view.cripples == tuple(result for result in range(1, 7) if end.cripples & 1 << result)
        assert (view.held, view.kills, view.peripheral_lost) == (end.held, end.kills, bool(end.peripheral_lost))
