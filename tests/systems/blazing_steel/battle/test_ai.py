"""Choices of the AI styles. BS-AR01 to BS-AR36."""

from __future__ import annotations

import pytest

from systems.blazing_steel.battle import ai, play
from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.ai import (
    attack_value,
    best_attack,
    choose_action,
    choose_warmech,
    eagerness,
    is_thought_to_dodge,
    make_way,
    wants_to_cool,
    weapon_to_lose,
)
from systems.blazing_steel.battle.ai_values import (
    DODGES,
    DODGES_JUMPING,
    FLAKS,
    IN_SMOKE,
    NOTHING,
    answered,
    best,
    damage_value,
    direction_x,
    direction_y,
    facing_at,
    heat_cost,
    look_around,
    loss,
    over,
    score,
    score_now,
    to_millionths,
    unsaved,
)
from systems.blazing_steel.battle.rules import HALF_ROOT
from systems.blazing_steel.battle.rules.movement import is_clear
from systems.engine.dice import ScriptedDice, SeededDice
from systems.simulation.records import resolve
from tests.systems.blazing_steel.battle.tables import CODES, EAST, NORTH, Table, block, foe, setup, unit, woods

FLAK = {"chassis": "medium", "locomotion": "tracked", "l1": "submunition-launcher"}
JETS = {"chassis": "light", "locomotion": "tracked", "p1": "booster-jets"}
QUAD = {"chassis": "heavy", "locomotion": "quadruped", "l1": "laser"}
SLOTS = {"l1": 0, "l2": 1, "r1": 2, "c1": 3}


def value(table: Table, slot: str = "r1", response: int = NOTHING, own: int = 0, target: int = 1) -> float:
    """Return the expected loss a shot causes."""
    return loss(table.state, own, c.SHOOT, SLOTS[slot], target, response, c.NOBODY)


def chosen(table: Table, k: int = c.LEAD) -> tuple[str, int]:
    action, _slot, target = choose_action(table.state, k)
    return next(slug for slug, code in CODES.items() if code == action), target


@pytest.mark.rule("BS-AR01")
def test_values_are_compared_in_millionths():
    assert [to_millionths(each) for each in (0.1 + 0.2, 0.3, 1.0000004, 1.0000006, -0.5)] == [
        300000,
        300000,
        1000000,
        1000001,
        -500000,
    ]


@pytest.mark.rule("BS-AR02")
def test_path_is_clear_or_blocked():
    table = Table([unit("hawker")], [foe("hawker", y=14)], terrain=[block(28, 10)])
    s = table.state
    assert is_clear(s, 0, 24.0, 8.0, 0, c.NOBODY)
    assert not is_clear(s, 0, 24.0, 12.0, 0, c.NOBODY)
    assert is_clear(s, 0, 24.0, 12.0, 0, 1)
    assert not is_clear(s, 0, 24.0, 18.0, 0, c.NOBODY)
    assert is_clear(s, 0, 24.0, 18.0, 1, c.NOBODY)
    assert not is_clear(s, 0, 32.0, 10.0, 0, c.NOBODY)
    assert is_clear(s, 0, 32.0, 10.0, 1, c.NOBODY)


@pytest.mark.rule("BS-AR03")
def test_moving_unit_turns_to_nearest_edge():
    table = Table([unit("hawker")], [foe("hawker", x=34, y=10), foe("colossus", x=24, y=20.9)])
    assert facing_at(table.state, 0, c.MOVE, 24.0, 10.0) == NORTH
    table["b2"].y = 21.1
    assert facing_at(table.state, 0, c.MOVE, 24.0, 10.0) == EAST
    assert facing_at(table.state, 0, c.SPRINT, 24.0, 10.0) == (HALF_ROOT, HALF_ROOT)


@pytest.mark.rule("BS-AR08", "BS-AR09", "BS-AR10", "BS-AR12")
def test_shot_value_depends_on_armor_and_structure():
    table = Table([unit("hawker")], [foe("hawker")])
    assert [unsaved(3, 3), unsaved(2, 3), unsaved(1, 6)] == [5 / 6, 3 / 6, 0]
    assert damage_value(table["b1"], 3.0) == 5.0
    assert damage_value(table["b1"], 99.0) == 10.0
    assert value(table) == pytest.approx(10 * (2 * 5 / 6) / 6)
    assert value(table, "l1") == pytest.approx(10 * (2 * 3 / 6) / 6)
    table["b1"].face_y = 1.0
    assert value(table, "l1") == pytest.approx(10 * (2 * 5 / 6) / 6)
    table["b1"].structure = 1
    assert value(table, "l1") == 10


@pytest.mark.rule("BS-AR12")
def test_shot_value_includes_cover_and_range():
    table = Table([unit("hawker", y=2)], [foe("hawker", y=40)], terrain=[woods(24, 20)])
    assert value(table) == pytest.approx(10 * (16 / 9 - 1 / 9 * 0) * 0 + 10 * (15 / 9) * (5 / 6) / 6)


@pytest.mark.rule("BS-AR06", "BS-AR12", "BS-AR15")
def test_shot_value_includes_target_response():
    table = Table([unit("hawker")], [foe("skimmer"), foe(FLAK, x=27)])
    plain = value(table, "l1")
    assert value(table, "l1", DODGES) == pytest.approx(plain * (215 + 2 * 290) / 1296 / 2)
    assert value(table, "l1", IN_SMOKE) == plain
    assert value(table, "c1", DODGES) == value(table, "c1")
    jumping = Table([unit("hawker")], [foe(JETS)])
    assert value(jumping, "l1", DODGES_JUMPING) < value(jumping, "l1", DODGES)
    flak = loss(table.state, 0, c.SHOOT, SLOTS["c1"], 1, FLAKS, 2)
    assert flak == pytest.approx(value(table, "c1") * 7 / 12)


@pytest.mark.rule("BS-AR13", "BS-AR08")
def test_charge_value_is_calculated_from_end_point():
    table = Table([unit("mantis", x=26, y=14)], [foe("hawker", x=24, y=20, face=EAST)], slot=2)
    s = table.state
    found = loss(s, 0, c.CHARGE, c.NOBODY, 1, NOTHING, c.NOBODY)
    assert found == 10  # 3 hits, 3 dice each: 9 x 5/6 is more than its structure
    table["b1"].structure = 99
    assert loss(s, 0, c.CHARGE, c.NOBODY, 1, NOTHING, c.NOBODY) == pytest.approx(10 * 7.5 / 99)


@pytest.mark.rule("BS-AR07", "BS-AR14")
def test_mutual_attacks_are_valued_together():
    table = Table([unit("hawker")], [foe("skimmer")])
    gain, suffers = answered(table.state, 0, c.SHOOT, SLOTS["r1"], 1, c.SHOOT, SLOTS["r1"])
    hits = (2 * 31 / 324 + 67 / 648 + 197 / 1296, 2 * 4 / 9 + 265 / 1296 + 197 / 1296)
    assert gain == pytest.approx(7 * hits[0] * (5 / 6) / 4)
    assert suffers == pytest.approx(10 * hits[1] * (3 / 6) / 6)


@pytest.mark.rule("BS-AR11", "BS-AR18")
def test_heat_cost_depends_on_overheating_chance():
    table = Table([unit("hawker", heat=32, heat_made=1)])
    u = table["a1"]
    assert [over(table.state, u, dice) for dice in (0, 1, 2, 3)] == pytest.approx([0, 1 / 6, 1 / 3, 107 / 216])
    assert heat_cost(table.state, 0, 1) == pytest.approx(0.3 * 10 * (1 / 3 - 1 / 6))
    u.final = 1
    assert heat_cost(table.state, 0, 1) == 0


@pytest.mark.rule("BS-AR16")
def test_place_score_adds_fire_threat_and_objective():
    table = Table([unit("hawker", y=20)], [foe("hawker", y=40)])
    s = table.state
    look_around(s, 0)
    laser, missile = 10 * (2 * 5 / 6) / 6, 10 * (3 * 5 / 6) / 6
    assert score_now(s, 0) == pytest.approx(0.7 * laser - 0.2 * missile - 0.8 * 1 / 6)
    table["a1"].face_y = -1.0
    assert score_now(s, 0) == pytest.approx(-0.2 * missile - 0.8 * 1 / 6)
    assert score(s, 0, 24.0, 24.0, 0.0, -1.0, 0) > score_now(s, 0)


@pytest.mark.rule("BS-AR16")
def test_place_score_needs_spotter_for_own_missile_only():
    missile = {"chassis": "medium", "locomotion": "tracked", "l1": "missile-launcher"}
    table = Table([unit(missile, y=20)], [foe(missile, y=40)])
    look_around(table.state, 0)
    assert score_now(table.state, 0) == pytest.approx(-0.2 * 7 * (3 * 5 / 6) / 6 - 0.8 * 1 / 6)
    table["b1"].y = 34.0
    assert score_now(table.state, 0) == pytest.approx(0.5 * 7 * (3 * 5 / 6) / 6 - 0.8 * 1 / 6)


@pytest.mark.rule("BS-AR17")
def test_best_place_is_among_eight_directions():
    assert [(direction_x(at), direction_y(at)) for at in (0, 1, 2, 3, 4, 5, 6, 7)] == [
        (0, 1),
        (-HALF_ROOT, HALF_ROOT),
        (-1, 0),
        (-HALF_ROOT, -HALF_ROOT),
        (0, -1),
        (HALF_ROOT, -HALF_ROOT),
        (1, 0),
        (HALF_ROOT, HALF_ROOT),
    ]
    unarmed = {"chassis": "medium", "locomotion": "tracked"}
    table = Table([unit(unarmed, y=10)], [foe(unarmed, y=44)])
    look_around(table.state, 0)
    found, _top, x, y, *_face = best(table.state, 0, c.MOVE)
    assert (found, x, y) == (1, 24, 14)
    found, _top, x, y, *_face = best(table.state, 0, c.SPRINT)
    assert (found, x, y) == (1, 24, 20)
    table["a1"].cripples = 1 << 3 | 1 << 4
    table["a1"].move = 3
    assert best(table.state, 0, c.MOVE)[0] == 1
    table["a1"].jump = 0
    assert best(table.state, 0, c.JUMP)[0] == 0


@pytest.mark.rule("BS-AR19")
def test_leader_activates_unit_that_can_do_most():
    table = Table([unit("darter", x=10, y=2), unit("hawker"), unit("hawker", x=28)], [foe("hawker")])
    table["a2"].activations = 1
    for k in range(2):
        table.state.orders[k].unit = c.NOBODY
    choose_warmech(table.state, c.LEAD, c.SIDE_A, [])
    assert table.state.orders[c.LEAD].unit == 2
    table["a3"].cooling = 1
    choose_warmech(table.state, c.LEAD, c.SIDE_A, [])
    assert table.state.orders[c.LEAD].unit == 1


@pytest.mark.rule("BS-AR20", "BS-AR24")
@pytest.mark.parametrize(
    ("preset", "own", "final"),
    [
        ("aggressive", {"activations": 2}, 0),
        ("aggressive", {"activations": 3}, 1),
        ("aggressive", {"heat": 47}, 0),
        ("aggressive", {"heat": 48}, 1),
        ("cautious", {"heat": 40}, 0),
    ],
)
def test_last_activation_of_round_ends_with_cool(preset, own, final):
    table = Table([unit("hawker", **own)], [foe("hawker")], doctrines=(preset, preset))
    choose_warmech(table.state, c.LEAD, c.SIDE_A, [])
    assert table["a1"].final == final
    table.battle.slot = 2
    assert wants_to_cool(table.state, 0) is bool(final)


@pytest.mark.rule("BS-AR24")
def test_excess_heat_of_action_one_is_cooled():
    table = Table([unit("hawker", heat=32, heat_made=1)], [foe("hawker")], slot=2)
    assert not wants_to_cool(table.state, 0)
    table["a1"].heat_made = 2
    assert wants_to_cool(table.state, 0)
    table.battle.cool_second = 0
    assert not wants_to_cool(table.state, 0)


@pytest.mark.rule("BS-AR20")
def test_last_activation_starts_with_cool_under_house_rule():
    table = Table([unit("hawker", activations=3)], [foe("hawker")], cool_second_action=False)
    choose_warmech(table.state, c.LEAD, c.SIDE_A, [])
    assert wants_to_cool(table.state, 0)


@pytest.mark.rule("BS-AR21")
def test_follower_activates_attacked_unit():
    blind = {"chassis": "light", "locomotion": "tracked", "p1": "agility-suite"}
    table = Table([unit("hawker")], [foe(blind, x=20), foe(blind, x=24), foe(blind, x=28)])
    assert table.order("a", "shoot", "b2", "l1") is None
    assert [eagerness(table.state, c.FOLLOW, table.at(key)) > 0 for key in ("b1", "b2", "b3")] == [False, True, False]
    choose_warmech(table.state, c.FOLLOW, c.SIDE_B, [])
    assert table.state.orders[c.FOLLOW].unit == table.at("b2")


@pytest.mark.rule("BS-AR22")
def test_expected_dodge_depends_on_target_action():
    table = Table([unit("hawker")], [foe("hawker"), foe("hawker", x=28, cooling=1)])
    s = table.state
    assert [is_thought_to_dodge(s, c.LEAD, e) for e in (1, 2)] == [True, False]
    table.battle.slot = 2
    assert [is_thought_to_dodge(s, c.LEAD, e) for e in (1, 2)] == [True, False]
    table["b1"].final = 1
    assert not is_thought_to_dodge(s, c.LEAD, 1)
    for action, dodges in (("move", True), ("reload", False)):
        assert table.order("a", action) is None
        assert is_thought_to_dodge(s, c.FOLLOW, 0) is dodges


@pytest.mark.rule("BS-AR14", "BS-AR22")
def test_response_value_includes_spared_damage():
    table = Table([unit("hawker")], [foe("hawker")])
    assert table.order("a", "shoot", "b1", "r1") is None
    gain, suffers = answered(table.state, 1, c.SHOOT, SLOTS["r1"], 0, c.SHOOT, SLOTS["r1"])
    plain = loss(table.state, 0, c.SHOOT, SLOTS["r1"], 1, NOTHING, c.NOBODY)
    assert attack_value(table.state, c.FOLLOW, 1, c.SHOOT, SLOTS["r1"], 0) == pytest.approx(gain + plain - suffers)


@pytest.mark.rule("BS-AR23")
def test_good_shot_is_taken_and_empty_gun_reloaded():
    table = Table([unit("hawker", y=20)], [foe("hawker", y=30)])
    assert chosen(table) == ("shoot", 1)
    cannon = {"chassis": "medium", "locomotion": "tracked", "c1": "auto-cannon"}
    table = Table([unit(cannon, y=21)], [foe("hawker", y=37)])
    table.weapon("a1", "c1").ammo = 0
    assert chosen(table)[0] == "reload"


@pytest.mark.rule("BS-AR23")
def test_unit_in_contact_strikes_and_near_unit_charges():
    table = Table([unit("mantis", y=18)], [foe("bulwark", y=20.5)], slot=2)
    table.weapon("a1", "c1").lost = 1
    s = table.state
    assert best_attack(s, c.LEAD, 0, 1)[2:] == (c.STRIKE, c.NOBODY, 1)
    table["a1"].y = 16.0
    assert best_attack(s, c.LEAD, 0, 1)[2:] == (c.CHARGE, c.NOBODY, 1)
    table.battle.slot = 1
    assert best_attack(s, c.LEAD, 0, 1)[0] == 0


@pytest.mark.rule("BS-AR23")
def test_smoke_and_flak_answer_shots():
    rockets = {"chassis": "medium", "locomotion": "tracked", "l1": "rocket-pod"}
    flak = {
        "chassis": "super-heavy",
        "locomotion": "tracked",
        **dict.fromkeys(("l1", "l2", "r1"), "submunition-launcher"),
    }
    table = Table([unit(rockets, y=12)], [foe(flak, y=24, face=NORTH, dodge_dice=0, structure=2)])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert chosen(table, c.FOLLOW)[0] == "flak"
    smoky = {"chassis": "super-heavy", "locomotion": "bipedal", "p1": "smoke-canisters"}
    table = Table([unit("hawker", y=12, cripples=1 << 2)], [foe(smoky, y=24, dodge_dice=0, structure=1)])
    table["b1"].move = table["b1"].sprint = table["b1"].jump = 0
    assert table.order("a", "shoot", "b1", "r1") is None
    table.state.sides[1].objective = 0.0
    table.state.sides[1].defence = 0.0
    assert chosen(table, c.FOLLOW)[0] == "smoke"


@pytest.mark.rule("BS-AR23")
def test_quadruped_in_cover_fortifies():
    table = Table([unit(QUAD, y=21.5)], [foe(QUAD, y=46)], terrain=[woods(24, 24, 1)])
    table.weapon("a1", "l1").lost = 1
    table.state.sides[0].offence = 0.0
    table["a1"].move = table["a1"].sprint = table["a1"].jump = 0
    assert chosen(table)[0] == "fortify"
    table["a1"].fortified = 1
    assert chosen(table)[0] == "move"


@pytest.mark.rule("BS-AR23")
def test_no_heat_action_follows_coolant_rods():
    table = Table([unit("hawker", y=20, ban=c.BANNED)], [foe("hawker", y=30)])
    assert chosen(table)[0] == "move"


@pytest.mark.rule("BS-AR04", "BS-AR25", "BS-AR31")
def test_charge_moves_before_leaders_movement():
    table = Table([unit("hawker", y=10)], [foe("mantis", y=15)], slot=2)
    assert table.order("a", "sprint") is None
    assert table.order("b", "charge", "a1") is None
    log: list = []
    play.resolve_step(table.state, SeededDice(3), log)
    kinds = [event.kind for event in table.events_from(log)]
    assert kinds.index("unit-charged") < kinds.index("unit-sprinted")


@pytest.mark.rule("BS-AR25")
def test_warmech_without_end_point_stays():
    table = Table(
        [unit("hawker", x=4, y=4)],
        [foe("hawker", y=40)],
        terrain=[block(4, 8, 2.9), block(8, 4, 2.9), block(8, 8, 2.9)],
    )
    table["a1"].x = table["a1"].y = 1.0
    table["a1"].jump = 0
    assert table.order("a", "jump") is None
    make_way(table.state, c.LEAD, [])
    assert (table["a1"].x, table["a1"].y) == (1, 1)


@pytest.mark.rule("BS-AR26")
def test_ai_dodges_with_all_dice():
    table = Table([unit("hawker")], [foe("skimmer")])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "move") is None
    log: list = []
    play.resolve_step(table.state, ScriptedDice([1, 2, 5, 6]), log)
    (rolled,) = [event for event in table.events_from(log) if event.kind == "dodge-rolled"]
    assert rolled.faces == (5, 6)


@pytest.mark.rule("BS-AR27")
def test_least_valuable_weapon_is_given_up():
    table = Table([unit("mantis")], [foe("bulwark")])
    assert weapon_to_lose(table.state, 1, c.CRIPPLED_LEFT_ARM) == SLOTS["l1"]
    table.weapon("b1", "l1").damage = 9
    assert weapon_to_lose(table.state, 1, c.CRIPPLED_LEFT_ARM) == SLOTS["l2"]
    assert weapon_to_lose(table.state, 1, c.CRIPPLED_ARMOR) == c.NOBODY


@pytest.mark.rule("BS-AR28")
@pytest.mark.parametrize(
    ("own", "used"),
    [({"heat": 32}, 1), ({"heat": 0}, 0), ({"heat": 32, "activations": 4}, 0), ({"heat": 32, "used": 1}, 0)],
)
def test_coolant_rods_are_used_against_overheating(own, used):
    table = Table([unit("bulwark", heat_made=1, **own)])
    table.heat("a", [] if used else [2])
    assert ("rods-used" in table.kinds()) is bool(used)


@pytest.mark.rule("BS-AR30", "BS-AR33")
def test_dice_of_turn_fall_leader_first():
    table = Table([unit("hawker"), unit("hawker", x=28)], [foe("colossus", dodge_dice=2), foe("skimmer", x=28)])
    assert table.order("a", "shoot", "b2", "l1") is None
    assert table.order("b", "shoot", "a1", "l2") is None
    table.resolve([1, 2, 3, 4, 5, 6, 2, 3])
    faces = [(event.kind, event.unit, event.faces) for event in table.events if event.faces]
    assert faces == [
        ("shot-rolled", "a1", (1, 2)),
        ("shot-rolled", "b1", (3, 4)),
        ("damage-rolled", "b2", (5, 6)),
        ("damage-rolled", "a1", (2, 3)),
    ]
    log: list = []
    dice = ScriptedDice([4, 5])
    for k in range(2):
        play.add_heat(table.state, k, dice, log)
    assert [event.unit for event in table.events_from(log)] == ["a1", "b1"]


@pytest.mark.rule("BS-AR32")
def test_range_counts_along_path_and_flank_at_start():
    table = Table([unit("darter", y=2)], [foe("hawker", y=15.9, face=EAST)])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "move") is None
    table.resolve([6, 6, 6, 1, 1, 2, 3, 4], b1=(24, 19.9))
    assert table.event("shot-rolled").modifiers == ()
    assert [part.value for part in table.event("damage-rolled").modifiers] == [-1]


@pytest.mark.rule("BS-AR34", "BS-AR36", "BS-037")
def test_record_has_its_end_and_repeats():
    given = setup(["hawker", "skimmer"], ["mantis"], terrain="city")
    record = resolve(given, 5)
    assert resolve(given, 5).lines() == record.lines()
    end = record.events[-1]
    assert end.kind == "battle-ended"
    assert {"points_a", "of_a", "points_b", "of_b", "turns", "rounds"} <= set(end.result)
    for unit_ in record.outcome["units"]:
        assert {"lost", "killed_by", "damage", "cripples", "overheats", "objectives"} <= set(unit_)
    for number in range(1, record.outcome["rounds"] + 1):
        turns = [event for event in record.events if event.round == number and event.kind == "turn-began"]
        assert len(turns) <= 4 * 3


@pytest.mark.rule("BS-AR35")
def test_ai_skips_unplayed_actions():
    assert ai.PLAYED_ACTIVATIONS == 4
    table = Table([unit("bulwark", y=20)], [foe("hawker", y=30)])
    assert chosen(table)[0] not in ("flak", "smoke")


@pytest.mark.rule("BS-AR02", "BS-AR23")
def test_ai_choices_are_never_refused(monkeypatch):
    """Check on every map, with varied forces and house rules, that the AI's choices are legal."""
    calls: list[str] = []

    def recording(name: str):
        really = getattr(ai, name)

        def ask(*given):
            calls.append(name)
            assert really(*given) == 0, (name, given[1:-1])
            return 0

        return ask

    for name in ("activate", "declare", "go"):
        monkeypatch.setattr(ai, name, recording(name))
    house = {
        "contact-in-action-one": True,
        "biped-disabled": "immobile",
        "cool-second-action": False,
        "max-activations": 3,
    }
    forces = (["mantis", "bulwark", {"design": JETS}], ["colossus", "darter", {"design": FLAK}])
    for terrain in ("standard", "open", "city"):
        for options in ({}, house):
            for seed in range(4):
                resolve(setup(*forces, terrain=terrain, options=options), seed)
    assert set(calls) == {"activate", "declare", "go"}
