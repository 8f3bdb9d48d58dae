"""Section 5 of the ledger: the worked examples of battles, with their dice. `examples.json` holds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from systems.engine.dice import Log, ScriptedDice
from systems.mech_campaign.battle import SYSTEM
from systems.mech_campaign.battle import state as codes
from systems.mech_campaign.battle.initial_state import BattleUnit, build_state
from systems.mech_campaign.battle.play import begin_player_turn, end_player_turn, player_turn
from systems.mech_campaign.battle.rules.actions import act, act_emerge, act_fly, act_walk, open_activation
from systems.mech_campaign.battle.rules.scenarios import call_time, check_resolve, deploy, roll_terrain
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.options import BY_THE_BOOK, Options

from .tables import REFUSALS, WORDS, LedgerDice, Table, disc, side_of, unit

Body = dict[str, Any]
EXAMPLES: list[Body] = json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))
ACTIONS = {
    "shoot": codes.SHOOT,
    "suppress": codes.SUPPRESS,
    "lock": codes.LOCK,
    "repair": codes.REPAIR,
    "recover": codes.RECOVER,
}
SIDEWAYS = 7  # a bearing
BY = {
    "damage": codes.BY_DAMAGE,
    "losses": codes.BY_LOSSES,
    "beacon-points": codes.BY_BEACONS,
    "holding": codes.BY_HOLDING,
}


def examples_of(op: str) -> pytest.MarkDecorator:
    found = [example for example in EXAMPLES if example["given"]["op"] == op]
    assert found
    return pytest.mark.parametrize(
        ("given", "dice", "expected"),
        [pytest.param(one["given"], one["dice"], one["expect"], id=one["id"]) for one in found],
    )


def compare(found: Body, expected: Body) -> None:
    """Compare everything the example states; ignore the rest."""
    assert {name: found[name] for name in expected} == expected


def test_every_worked_example_is_here():
    left_out = {4, 5, 6, 7, 8, 63, 64}  # forces and the campaign
    assert [one["id"] for one in EXAMPLES] == [f"MC-X{number:02}" for number in range(1, 65) if number not in left_out]


@pytest.mark.rule("MC-033", "MC-034", "MC-059", "MC-063")
@examples_of("action-points")
def test_action_points_match_example(given, dice, expected):
    statuses = [{"status": status.replace("eliminated", "dead")} for status in given["units"]]
    table = Table(statuses)
    table.play(begin_player_turn, codes.SIDE_A, faces=dice)
    compare({"action_points": table.state.battle.points}, expected)


def _act(table: Table, action: str, faces: list[int]) -> int:
    """Take an action of the first unit of side A at the first of side B; return its refusal, 0 for none."""
    if action != "move":
        dice = ScriptedDice(faces)
        found = act(table.state, 0, ACTIONS[action], table.at("b1"), dice, [])
        del faces[: len(dice.rolled)]
        return found
    me = table["a1"]
    if me.kind == codes.DRONE:
        return act_fly(table.state, 0, me.x, me.y, [])
    return act_walk(table.state, 0, SIDEWAYS, 1, [])


@pytest.mark.rule("MC-036", "MC-037", "MC-038", "MC-040", "MC-045", "MC-046", "MC-056", "MC-058")
@pytest.mark.rule("MC-071", "MC-072", "MC-075", "MC-081", "MC-082", "MC-083", "MC-084", "MC-086", "MC-088", "MC-090")
@examples_of("activation")
def test_activation_matches_example(given, dice, expected):
    me = {**unit(), **given["unit"]}
    enemy = unit(y=1600, suppression=given.get("target_suppression", 0))
    table = Table([me, unit("light-mech", 300, 300)], [enemy], points=given["ap"])
    assert given.get("need", 4) == 4
    if given.get("target_lock") == "friend":
        table.mark("b1", "a2")
    open_activation(table.state, 0)
    faces = list(dice)
    paid, hits, refused = [], [], None
    for index, action in enumerate(given["actions"]):
        points, damage = table.state.battle.points, table["b1"].damage
        code = _act(table, action, faces)
        if code:
            refused = {"index": index, "code": REFUSALS[code]}
            break
        paid.append(points - table.state.battle.points)
        if action == "shoot":
            hits.append(table["b1"].damage > damage)
    assert not faces
    found = {
        "paid": paid,
        "ap_left": table.state.battle.points,
        "refused": refused,
        "hits": hits,
        "damage": table["a1"].damage,
        "suppression": table["a1"].suppression,
        "target_suppression": table["b1"].suppression,
        "target_lock": {codes.NOBODY: None, 0: "own", 1: "friend"}[table["b1"].lock],
    }
    compare(found, expected)
    assert refused == expected.get("refused")


@pytest.mark.rule("MC-032", "MC-057", "MC-085")
@examples_of("turn-end")
def test_turn_end_matches_example(given, dice, expected):
    table = Table(given["units"], [unit(y=3000)])
    for place, sketch in enumerate(given["units"]):
        table.state.units[place].moves = int(sketch.get("moved", False))
        if "lock" in sketch:
            table.state.units[place].lock = table.at("b1")
    table.run_step(end_player_turn, codes.SIDE_A)
    found = [
        {"status": WORDS[u.status], "suppression": u.suppression, "lock": None if u.lock == codes.NOBODY else u.lock}
        for u in table.state.units[: len(given["units"])]
    ]
    b = table.state.battle
    compare({"units": found, "left_the_field": (b.over, b.reason) == (1, codes.LEFT_FIELD)}, expected)


def _shot(given: Body, face: int, *, turned: bool = False) -> tuple[str | None, bool, bool]:
    """Return the shot's refusal or None, whether it hits with that face, and whether there is cover."""
    terrain = [disc(piece["kind"], *piece["centre"]) for piece in given.get("terrain", [])]
    table = Table([given["shooter"], unit("light-mech", 100, 100)], [given["target"]], terrain=terrain)
    if given["target"].get("lock") == "friend":
        table.mark("b1", "a2")
    me, enemy = table["a1"], table["b1"]
    if turned:
        me.face_x, me.face_y = enemy.x - me.x, enemy.y - me.y
    open_activation(table.state, 0)
    me.moves = 1  # a drone may fire only after moving
    log: Log = []
    dice = ScriptedDice([face])
    refusal = act(table.state, 0, codes.SHOOT, table.at("b1"), dice, log)
    assert bool(dice.faces) == bool(refusal), "an allowed shot rolls one die"
    modifiers = [part.name for event in table.events_from(log) for part in event.modifiers]
    return REFUSALS[refusal], enemy.damage == 1, "cover" in modifiers


@pytest.mark.rule("MC-053", "MC-070", "MC-073", "MC-074", "MC-077", "MC-078", "MC-079")
@examples_of("fire")
def test_fire_matches_example(given, dice, expected):
    refused = _shot(given, 1)[0]
    unseen, _hit, cover = _shot(given, 1, turned=True)
    found: Body = {
        "in_range": refused != "out-of-range",
        "in_arc": refused != "out-of-arc",
        "line_of_sight": unseen is None,
        "cover": cover,
    }
    if refused is None:
        found["need"] = min(face for face in range(1, 7) if _shot(given, face)[1])
    if dice:
        found["hit"] = _shot(given, *dice)[1]
    assert refused in (None, "out-of-range", "out-of-arc", "no-line-of-sight")
    assert found == expected


@pytest.mark.rule("MC-047", "MC-049", "MC-050", "MC-052")
@examples_of("ground-move")
def test_ground_move_matches_example(given, dice, expected):
    terrain = [disc(piece["kind"], *piece["centre"]) for piece in given.get("terrain", [])]
    ends = []
    for steps in range(codes.STEPS + 1):
        table = Table([given["unit"], *given.get("friends", [])], given.get("enemies", []), terrain=terrain)
        open_activation(table.state, 0)
        if table.run_step(act_walk, 0, given["bearing"], steps) == 0:
            ends.append((steps, [table["a1"].x, table["a1"].y]))
    compare({"end": ends[-1][1] if ends[-1][0] else None}, expected)
    assert ends[0] == (0, given["unit"]["pos"])  # it can always turn on the spot


@pytest.mark.rule("MC-101", "MC-102", "MC-103")
@examples_of("resolve")
def test_resolve_matches_example(given, dice, expected):
    dead, size = given["eliminated"], given["size"]
    table = Table([{"status": "dead"}] * dead + [unit()] * (size - dead), [unit(y=3000)])
    table.state.sides[codes.SIDE_A].lost = dead
    table.play(check_resolve, codes.SIDE_A, faces=dice)
    b = table.state.battle
    result = {0: "fight-on", codes.RETREAT: "retreat", codes.WIPED_OUT: "lost"}[b.reason]
    score = table.events[0].result["score"] if table.events else None
    compare({"result": result, "score": score}, expected)
    assert b.winner == (codes.SIDE_B if b.over else codes.NOBODY)


@pytest.mark.rule("MC-061")
@examples_of("emerge")
def test_emerge_matches_example(given, dice, expected):
    table = Table([{"kind": "track", "status": "under"}], given["enemies"], turn=given["turn"])
    mouths = [[mouth.x, mouth.y] for mouth in table.state.mouths]
    open_activation(table.state, 0)
    code = table.run_step(act_emerge, 0, mouths.index(given["mouth"]))
    compare({"allowed": code == 0, "code": REFUSALS[code]}, expected)


@pytest.mark.rule("MC-122", "MC-123", "MC-124")
@examples_of("end")
def test_end_of_battle_matches_example(given, dice, expected):
    forces = [
        [{"status": "dead", "damage": 4} if one == "eliminated" else {"damage": one} for one in given[side]]
        for side in "AB"
    ]
    table = Table(*forces, scenario=given["scenario"])
    for side, force in enumerate(forces):
        table.state.sides[side].lost = sum(one.get("status") == "dead" for one in force)
        table.state.sides[side].beacon_points = given.get("beacon_points", [0, 0])[side]
    call_time(table.state)
    b = table.state.battle
    assert b.reason == codes.TIME
    assert (side_of(b.winner), b.decided_by) == (expected["winner"], BY[expected["by"]])


@pytest.mark.rule("MC-021", "MC-022")
@examples_of("terrain")
def test_terrain_matches_example(given, dice, expected):
    table = Table([unit()])
    table.play(roll_terrain, faces=dice)
    kinds = {codes.RUBBLE: "rubble", codes.HILL: "hill", codes.WORKS: "works"}
    placed = table.state.discs[: table.state.battle.discs]
    compare({"terrain": [{"kind": kinds[one.kind], "centre": [one.x, one.y]} for one in placed]}, expected)


@pytest.mark.rule("MC-024", "MC-026", "MC-027")
@examples_of("deploy")
def test_deployment_matches_example(given, dice, expected):
    forces = [[BattleUnit(kind) for kind in force] for force in given["forces"]]
    s = build_state(forces, given["doctrines"], CATALOGUE.scenarios["claim-dispute"], BY_THE_BOOK, ())
    for side, letter in enumerate("AB"):
        deploy(s, side, [])
        found = [
            {"status": WORDS[u.status], "pos": [u.x, u.y] if u.status == codes.TABLE else None}
            for u in s.units
            if u.side == side
        ]
        assert found == expected[letter]
        assert all((u.face_x, u.face_y) == (0, 1 - 2 * side) for u in s.units if u.side == side)


def _taken(table: Table) -> list[Body]:
    """Return the actions of a player turn as the examples write them."""
    words = {
        "shot-rolled": "shoot",
        "suppression-placed": "suppress",
        "lock-placed": "lock",
        "repair-rolled": "repair",
        "suppression-removed": "recover",
    }
    actions = []
    for event in table.events:
        if "cost" not in event.result:
            continue
        taken: Body = {"unit": table.at(event.unit or ""), "action": words.get(event.kind, "move")}
        taken["cost"] = event.result["cost"]
        if event.target:
            taken["target"] = int(event.target[1:]) - 1
        if taken["action"] == "move":
            taken["to"] = [event.result["x"], event.result["y"]]
        actions.append(taken)
    return actions


@pytest.mark.rule("MC-030", "MC-035", "MC-060", "MC-062", "MC-076", "MC-080", "MC-087", "MC-089", "MC-100")
@examples_of("player-turn")
def test_player_turn_matches_example(given, dice, expected):
    terrain = [disc(piece["kind"], *piece["centre"]) for piece in given.get("terrain", [])]
    table = Table(
        given["A"],
        given["B"],
        terrain=terrain,
        doctrines=(given["doctrine"],) * 2,
        scenario=given.get("scenario", "claim-dispute"),
        turn=given["turn"],
    )
    table.play(player_turn, codes.SIDE_A, faces=dice)
    enemies = [
        {
            "status": WORDS[u.status],
            "damage": u.damage,
            "suppression": u.suppression,
            "lock": None if u.lock == codes.NOBODY else u.lock,
        }
        for u in table.state.units[table.count_a :]
    ]
    points = next(event.result["points"] for event in table.events if event.kind == "points-rolled")
    assert {"action_points": points, "actions": _taken(table), "B": enemies} == expected


@pytest.mark.rule("MC-020", "MC-023", "MC-025", "MC-031", "MC-065", "MC-120", "MC-121", "MC-122", "MC-124", "MC-125")
@examples_of("battle")
def test_whole_battle_matches_example(given, dice, expected):
    forces = [[BattleUnit(kind) for kind in given[side]] for side in "AB"]
    doctrines = [given["doctrine_A"], given["doctrine_B"]]
    options = Options.read(given.get("options", {}))
    s = build_state(forces, doctrines, CATALOGUE.scenarios[given["scenario"]], options)
    rolls = LedgerDice(given["seed"])
    SYSTEM.fight(s, rolls, [])
    b = s.battle
    reasons = {
        codes.RETREAT: "retreat",
        codes.WIPED_OUT: "wiped-out",
        codes.LEFT_FIELD: "left-the-field",
        codes.SABOTAGED: "sabotage",
        codes.TIME: "time",
    }
    found: Body = {
        "first": side_of(b.first),
        "winner": side_of(b.winner),
        "reason": reasons[b.reason],
        "turn": b.turn,
        "dice_rolled": len(rolls.rolled),
        "first_dice": rolls.rolled[:12],
        "beacon_points": [side.beacon_points for side in s.sides],
        "beacons": [side_of(one.holder) for one in s.objectives],
        "charges": b.charges,
    }
    for side, letter in enumerate("AB"):
        found[letter] = [
            {"status": WORDS[u.status], "damage": u.damage, "kills": u.kills} for u in s.units if u.side == side
        ]
    compare(found, expected)
