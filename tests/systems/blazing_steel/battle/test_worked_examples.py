"""Section 5 of the ledger: the worked examples of battles, with their dice. `examples.json` holds them."""

from __future__ import annotations

import json
from fractions import Fraction
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import pytest

from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.ai import advance, place_in_line
from systems.blazing_steel.battle.events import heat_dice
from systems.blazing_steel.battle.rules import (
    COVERS_B,
    NO_FLANK,
    SEEN,
    SIDE_FLANK,
    dodge_value,
    flank_of,
    jump_of,
    line,
    move_value,
    sprint_of,
    turn_left,
    turn_right,
)
from systems.blazing_steel.battle.rules.rounds import begin_step, points_share, put_at_edge

from .tables import Table, foe, parts_of, shot, unit, woods

EXAMPLES: dict[str, Any] = {
    each["id"]: each for each in json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))
}


def example(name: str) -> tuple[dict[str, Any], list[int], dict[str, Any]]:
    found = EXAMPLES[name]
    return found["given"], found["dice"], found["expect"]


def bits(*results: int) -> int:
    return sum(1 << result for result in results)


def test_every_example_is_played_here():
    text = Path(__file__).read_text(encoding="utf-8")
    assert list(EXAMPLES) == [f"BS-X{number:02}" for number in range(8, 38)]
    assert all(f'"{name}"' in text for name in EXAMPLES)


@pytest.mark.rule("BS-101", "BS-102", "BS-103", "BS-105")
@pytest.mark.parametrize("name", ["BS-X08", "BS-X09", "BS-X10"])
def test_heat_dice_merge_and_two_sixes_overheat(name):
    given, dice, expected = example(name)
    design = "bulwark" if given["improved_heat_sinks"] else "hawker"
    weight = sum(1 << (value - 1) for value in given["heat_dice"])
    table = Table([unit(design, heat=weight, heat_made=given["heat_generated"], peripheral_lost=1)])

    table.heat("a", dice)

    assert table["a1"].heat == expected["sum"]
    assert bool(table["a1"].overheated) is expected["overheated"]
    if "heat_dice" in expected:
        assert list(heat_dice(table["a1"].heat)) == expected["heat_dice"]
    assert table.event("heat-rolled").number("removed") == len(expected.get("removed", []))


@pytest.mark.rule("BS-052")
def test_cooling_unit_rolls_no_heat():
    given, _dice, expected = example("BS-X11")
    table = Table([unit("hawker", heat=sum(1 << (value - 1) for value in given["heat_dice"]))], [foe()])
    shot(table, [6, 6, 1, 2], "r1")
    table.next_action()
    assert table.order("a", "cool") is None
    table.resolve()

    table.heat("a")

    assert table["a1"].cooling
    assert list(heat_dice(table["a1"].heat)) == expected["heat_dice"]


@pytest.mark.rule("BS-092", "BS-094", "BS-112", "BS-125", "BS-150", "BS-151", "BS-152")
def test_unanswered_shot_hits():
    _given, dice, expected = example("BS-X12")
    table = shot(Table([unit("hawker")], [foe("skimmer")]), dice, "l1")
    rolled, settled, damage = (table.event(kind) for kind in ("shot-rolled", "attack-settled", "damage-rolled"))
    assert (rolled.number("tn"), rolled.number("total")) == (expected["tn"], expected["total"])
    assert settled.number("hits") == expected["hits"]
    assert len(damage.faces) == expected["damage_dice"]
    assert len(damage.faces) - damage.number("through") == expected["saved"]
    assert damage.number("through") == expected["damage"]
    assert table["b1"].structure == expected["structure_left"]


@pytest.mark.rule("BS-090", "BS-091", "BS-093", "BS-123", "BS-126")
def test_mutual_shots_tie():
    _given, dice, expected = example("BS-X13")
    table = Table([unit("hawker")], [foe("skimmer")])
    assert table.order("a", "shoot", "b1", "r1") is None
    assert table.order("b", "shoot", "a1", "r1") is None

    table.resolve(dice)

    lead, follow = table.event("shot-rolled", "a1"), table.event("shot-rolled", "b1")
    assert (lead.number("tn"), follow.number("tn")) == (expected["tn_lead"], expected["tn_follow"])
    assert (lead.number("total"), follow.number("total")) == (expected["total_lead"], expected["total_follow"])
    assert [table.event("attack-settled", key).number("hits") for key in ("a1", "b1")] == expected["hits"]
    assert table.event("damage-taken", "b1").number("through") == expected["damage_on_skimmer"]
    assert table.event("damage-taken", "a1").number("through") == expected["damage_on_hawker"]


@pytest.mark.rule("BS-093", "BS-140", "BS-142")
def test_dodge_loses_a_die():
    _given, dice, expected = example("BS-X14")
    table = Table([unit("darter")], [foe("hawker")])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "move") is None

    table.resolve(dice, b1=(24, 20))

    settled = table.event("attack-settled")
    assert (settled.number("total"), settled.number("against")) == (expected["total_attack"], expected["total_dodge"])
    assert settled.number("hits") == expected["hits"] == expected["mos"]
    assert table["b1"].dodge_dice == expected["dodge_dice_left"]
    assert table.event("damage-taken").number("through") == expected["damage"]


@pytest.mark.rule("BS-092", "BS-111", "BS-120", "BS-122")
def test_distant_shot_through_cover():
    given, dice, expected = example("BS-X15")
    far = foe("hawker", y=1 + 1 + 1 + given["distance"])
    table = shot(Table([unit("hawker", y=1)], [far], terrain=[woods(24, 28)]), dice, "r1")
    assert table.event("shot-rolled").number("tn") == expected["tn"]
    assert table.event("attack-settled").number("total") == expected["total"]
    assert table.event("attack-settled").number("hits") == expected["hits"]


@pytest.mark.rule("BS-135", "BS-136", "BS-138", "BS-139", "BS-153", "BS-156", "BS-157", "BS-AR27")
def test_strike_cripples():
    _given, dice, expected = example("BS-X16")
    table = Table([unit("mantis", y=20)], [foe("bulwark", y=22.5)])
    assert table.order("a", "strike", "b1") is None

    table.resolve(dice)

    rolled = table.event("strike-rolled")
    assert (rolled.number("tn"), rolled.number("total")) == (expected["tn"], expected["total"])
    assert table.event("attack-settled").number("hits") == expected["hits"]
    assert len(table.event("damage-rolled").faces) == expected["damage_dice"]
    assert table.event("damage-taken").number("through") == expected["damage"]
    assert table.event("peripheral-lost").number("cripple") == 5
    assert table.event("unit-crippled").number("cripple") == 6
    assert [table.weapon("b1", slot).lost for slot in ("l1", "l2", "r1", "c1")] == [1, 0, 0, 0]
    assert table["b1"].structure == expected["structure_left"]


@pytest.mark.rule("BS-158")
def test_repeated_cripple_does_damage():
    given, dice, expected = example("BS-X17")
    hurt = foe("hawker", cripples=bits(*given["target_cripples"]), peripheral_lost=1)
    table = shot(Table([unit("hawker")], [hurt]), [6, 6, *dice])
    assert table.event("damage-taken").number("through") == expected["unsaved"]
    assert table["b1"].damage == expected["damage"]
    assert table["b1"].structure == 6 - expected["damage"]


@pytest.mark.rule("BS-161", "BS-163")
def test_side_attack_counts_as_flank():
    given, _dice, expected = example("BS-X18")
    target, attacker = given["target"], given["attacker"]
    found = flank_of(target["x"], target["y"], 0.0, 1.0, attacker["x"], attacker["y"], attacker["radius"])
    assert (found, expected["flank"]) == (SIDE_FLANK, "side")


@pytest.mark.rule("BS-161", "BS-163")
def test_base_partly_in_side_arc_gives_no_flank():
    given, _dice, expected = example("BS-X19")
    attacker = given["attacker"]
    angle = radians(attacker["bearing"])
    x, y = attacker["distance"] * cos(angle), attacker["distance"] * sin(angle)
    assert flank_of(0.0, 0.0, 1.0, 0.0, x, y, attacker["radius"]) == NO_FLANK
    assert expected["flank"] == "none"


@pytest.mark.rule("BS-151", "BS-162", "BS-164")
def test_shot_from_rear_lowers_armor():
    _given, dice, expected = example("BS-X20")
    table = shot(Table([unit("hawker")], [foe("hawker", face=(0.0, 1.0))]), [6, 6, *dice], "l1")
    rolled = table.event("damage-rolled")
    assert rolled.number("armor") + parts_of(rolled)["flank"] == expected["effective_armor"]
    assert rolled.number("through") == expected["damage"]
    assert len(rolled.faces) - rolled.number("through") == expected["saved"]


@pytest.mark.rule("BS-160")
def test_biped_without_legs_is_out_of_action():
    given, dice, expected = example("BS-X21")
    target = foe("skimmer", cripples=bits(*given["target_cripples"]), peripheral_lost=1)
    table = Table([unit("darter")], [target])
    table.weapon("a1", "l1").rof = given["damage_dice"]
    shot(table, [6, 6, *dice], "l1")
    assert table["b1"].structure == expected["structure_left"]
    assert [result for result in range(1, 7) if table["b1"].cripples & 1 << result] == expected["cripples"]
    assert table["b1"].status == c.DISABLED
    assert expected["state"] == "disabled"


@pytest.mark.rule("BS-044", "BS-146", "BS-155")
def test_quadruped_without_legs_has_reduced_numbers():
    given, _dice, expected = example("BS-X22")
    design = {"chassis": given["chassis"], "locomotion": given["locomotion"]}
    table = Table([unit(design, cripples=bits(*given["cripples"]))])
    u = table["a1"]
    assert (move_value(u), sprint_of(u), jump_of(u), dodge_value(u)) == (
        expected["move"],
        expected["sprint_total"],
        expected["jump"],
        expected["dodge"],
    )
    for action, turns in ((c.MOVE, expected["rotation_move"]), (c.SPRINT, expected["rotation_sprint"])):
        assert (turn_left(u, action), turn_right(u, action)) == (turns["left"], turns["right"])


@pytest.mark.rule("BS-190")
def test_kill_points_are_equalized():
    given, _dice, expected = example("BS-X23")
    table = Table(
        [unit("hawker", x=6 + 6 * at) for at in range(given["side_a_warmechs"])], [foe(x=6 + 6 * at) for at in range(3)]
    )
    assert table.state.sides[1].points == given["side_b_points"]
    table.state.sides[1].lost_points = given["b_destroyed_points"]
    points = Fraction(points_share(table.state, c.SIDE_A), table.state.sides[1].points)
    assert str(points) == expected["kill_points_a"]


@pytest.mark.rule("BS-126")
def test_tie_at_zero_lands_nothing():
    _given, dice, expected = example("BS-X24")
    table = Table(
        [unit("hawker", y=2, cripples=bits(2))],
        [foe("hawker", y=36, cripples=bits(2))],
        terrain=[woods(24, 19)],
    )
    assert table.order("a", "shoot", "b1", "r1") is None
    assert table.order("b", "shoot", "a1", "r1") is None

    table.resolve(dice)

    events = [table.event("shot-rolled", key) for key in ("a1", "b1")]
    assert [event.number("tn") for event in events] == [3, 3]
    assert [event.number("total") for event in events] == expected["totals"]
    assert [table.event("attack-settled", key).number("hits") for key in ("a1", "b1")] == expected["hits"]


@pytest.mark.rule("BS-128", "BS-129")
def test_flak_stops_rockets():
    _given, dice, expected = example("BS-X25")
    rockets = {"chassis": "medium", "locomotion": "tracked", "l1": "rocket-pod"}
    table = Table([unit(rockets)], [foe("bulwark")])
    assert table.order("a", "shoot", "b1", "l1") is None
    assert table.order("b", "flak") is None

    table.resolve(dice)

    settled = table.event("attack-settled")
    assert settled.number("total") == expected["total_attack"]
    assert settled.number("against") == expected["total_flak"]
    assert settled.number("hits") == expected["hits"]
    assert len(table.event("damage-rolled").faces) == expected["damage_dice"]


@pytest.mark.rule("BS-175")
def test_smoke_rerolls_shot():
    _given, dice, expected = example("BS-X26")
    impact = {"chassis": "medium", "locomotion": "tracked", "l1": "auto-cannon", "p1": "smoke-canisters"}
    table = Table([unit("hawker")], [foe(impact, smoke=1)])
    assert table.order("a", "shoot", "b1", "r1") is None
    assert table.order("b", "shoot", "a1", "l1") is None

    table.resolve([*dice[:2], dice[2], 6, 6, 1, 1])

    assert list(table.event("shot-rolled", "a1").faces) == expected["first"]
    assert table.event("shot-rolled", "a1").number("tn") == 5
    assert list(table.event("smoke-rerolled").faces) == [6, 6]
    assert table.event("attack-settled", "a1").number("total") == expected["total"]
    assert table.event("attack-settled", "a1").number("hits") == expected["hits"]


@pytest.mark.rule("BS-120", "BS-124", "BS-171", "BS-176")
def test_scope_gives_one_point_back():
    _given, _dice, expected = example("BS-X27")
    hidden = {"chassis": "heavy", "locomotion": "quadruped", "p1": "optical-camo"}
    table = Table(
        [unit("bulwark", y=4), unit("darter", x=30, y=22)],
        [foe(hidden, y=32, fortified=1)],
        terrain=[woods(24, 31)],
    )
    rolled = shot(table, [4, 1, 2], "r1").event("shot-rolled")
    assert rolled.number("tn") == expected["tn"]
    assert parts_of(rolled) == {"beyond ideal range": -1, "Optical Camo": -2, "Targeting Scope": 1}


@pytest.mark.rule("BS-026")
def test_follower_attacks_leader_only():
    _given, _dice, expected = example("BS-X28")
    table = Table([unit("hawker"), unit("hawker", x=30)], [foe("hawker")])
    assert table.order("b", "shoot", "a2", "r1") == expected["reason"]
    assert table.order("b", "shoot", "a1", "r1") is None


@pytest.mark.rule("BS-036")
def test_charge_is_refused_in_action_one():
    _given, _dice, expected = example("BS-X29")
    table = Table([unit("mantis", y=16)], [foe("hawker")])
    assert table.order("a", "charge", "b1") == expected["reason"]
    table.next_action()
    assert table.order("a", "charge", "b1") is None


@pytest.mark.rule("BS-051", "BS-129")
def test_reload_does_not_refill_munition():
    given, _dice, expected = example("BS-X30")
    table = Table([unit(given["unit"])], [foe()])
    for slot, ammo in given["ammo_before"].items():
        table.weapon("a1", slot).ammo = ammo
    assert table.order("a", "reload") is None
    table.resolve()
    assert {slot: table.weapon("a1", slot).ammo for slot in given["ammo_before"]} == expected["ammo_after"]


@pytest.mark.rule("BS-056", "BS-127")
def test_second_energy_weapon_adds_heat():
    _given, _dice, expected = example("BS-X31")
    table = Table([unit("bulwark")], [foe("colossus")])
    shot(table, [6, 6, 1, 1], "l2")
    table.next_action()
    shot(table, [6, 1, 2], "l1")
    assert table["a1"].heat_made == expected["heat"]


@pytest.mark.rule("BS-131")
def test_overcharge_adds_a_die():
    given, _dice, expected = example("BS-X32")
    table = shot(Table([unit("bulwark", heat=1 << 5)], [foe("colossus")]), [1, 1, 2, 3], "l1")
    assert given["hits"] == table.event("attack-settled").number("hits")
    assert len(table.event("damage-rolled").faces) == expected["damage_dice"]


@pytest.mark.rule("BS-072", "BS-073")
def test_right_arm_does_not_fire_left():
    given, _dice, expected = example("BS-X33")
    angle = radians(90 + given["target_bearing"])
    target = foe("hawker", x=24 + 12 * cos(angle), y=10 + 12 * sin(angle))
    table = Table([unit("hawker")], [target])
    assert table.order("a", "shoot", "b1", "r1") == expected["reason"]
    assert table.order("a", "shoot", "b1", "l1") is None


@pytest.mark.rule("BS-110")
def test_short_weapon_does_not_reach():
    given, _dice, expected = example("BS-X34")
    table = Table([unit("mantis")], [foe(y=12 + given["distance"])])
    assert table.order("a", "shoot", "b1", "c1") == expected["reason"]
    assert Table([unit("mantis")], [foe(y=24)]).order("a", "shoot", "b1", "c1") is None


@pytest.mark.rule("BS-158")
def test_cripple_of_empty_arm_does_damage():
    given, dice, expected = example("BS-X35")
    volley = {"chassis": "medium", "locomotion": "tracked", "l1": "rotary-cannon"}
    table = Table([unit(volley)], [foe("darter", peripheral_lost=1)])
    table.weapon("a1", "l1").ap = given["ap"]
    shot(table, [6, 6, 6, *dice], "l1")
    assert table.event("damage-taken").number("through") == expected["unsaved"]
    assert table.event("cripple-repeated").number("cripple") == 5
    assert table["b1"].damage == expected["damage"]


@pytest.mark.rule("BS-075", "BS-085", "BS-086")
def test_standard_map_gives_cover():
    given, _dice, expected = example("BS-X36")
    table = Table([unit("hawker")], table=given["map"])
    start, end = given["shooter"], given["target"]
    found = line(table.state, start["x"], start["y"], 1.0, end["x"], end["y"], end["radius"])
    assert bool(found & SEEN) is expected["line_of_sight"]
    assert bool(found & COVERS_B) is expected["cover"]


@pytest.mark.rule("BS-185", "BS-186", "BS-AR29")
def test_first_of_three_starts_at_expected_place():
    _given, _dice, expected = example("BS-X37")
    table = Table([unit("skimmer")] * 3, [foe("skimmer")])
    table.battle.round = 0
    put_at_edge(table.state, 0, place_in_line(table.state, 0), [])
    for _ in range(2):
        begin_step(table.state)
        advance(table.state, 0, [])
    u = table["a1"]
    assert (u.x, u.y, u.face_x, u.face_y) == (expected["x"], expected["y"], 0.0, 1.0)
