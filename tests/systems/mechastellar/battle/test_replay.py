"""The drawn table of MechaStellar: engagement rings, HP boxes, control points and their owners, Momentum."""

from __future__ import annotations

import pytest

from battles.replay.boards import board_of
from battles.replay.table_drawing import PER_UNIT, draw_table
from systems.artwork import silhouette
from systems.engine.events import Event
from systems.engine.runner import as_array, records_of
from systems.mechastellar.battle import SYSTEM
from systems.mechastellar.battle.events import FACTS
from systems.mechastellar.catalogue import CATALOGUE
from systems.simulation.analysis import rounds_of
from systems.simulation.records import read_record, resolve
from tests.tools.replays import golden_replays

from .tables import FORCES, setup

RECORDS = {path.stem: read_record(path.read_text(encoding="utf-8")) for path in golden_replays("mechastellar")}


def board_for(record):
    found = board_of(record, rounds_of(record))
    assert found is not None
    return found


@pytest.fixture(params=RECORDS)
def board(request):
    return board_for(RECORDS[request.param])


@pytest.mark.rule("ST-070")
def test_unit_on_table_has_engagement_ring(board):
    frame = board.replay.frames[-1]
    for view, chit in zip(frame.situation.units, draw_table(board.replay, frame).chits, strict=True):
        engages = view.engages / PER_UNIT
        assert chit.reach == (engages if view.stand and not view.destroyed else 0)
        assert chit.slots.count("M") == -(-view.max_hits // 500)
        assert chit.pips.count("M") == -(-view.hits // 500)


def test_every_kind_of_unit_is_drawn_on_counter(board):
    for chit in draw_table(board.replay, board.replay.frames[0]).chits:
        assert chit.art
    assert all(silhouette(kind) for kind in CATALOGUE.kinds)


@pytest.mark.rule("ST-240", "ST-367")
def test_momentum_is_shown_at_every_step():
    record = resolve(setup(FORCES["F1"], FORCES["F2"]), 5)
    board = board_for(record)
    pools = [each.number("pool") for each in record.events if each.kind == "momentum-filled"]
    points = [board.points(frame) for frame in board.replay.frames]
    assert f"Momentum: {pools[0]} below, {pools[1]} above" in points
    assert points[-1].startswith("Momentum: ")


@pytest.mark.rule("ST-364")
def test_points_show_their_owner_or_nobody(board):
    for frame in board.replay.frames:
        assert all(holder in (None, 0, 1) for holder in frame.holders)


def test_battle_state_is_small():
    largest = setup(("gamma-apollo",) * 12, ("escort-carrier",) * 12, options={"tier": "advanced", "points-limit": 0})
    state, kinds = SYSTEM.prepare(largest), records_of(SYSTEM.records)
    size = sum(
        as_array(part if isinstance(part, list) else [part], kinds[name]).nbytes
        for name, part in zip(state._fields, state, strict=True)
    )
    assert size < 64 * 1024


def followed(record):
    """Return the drawn replay of a record."""
    return board_for(record).replay


@pytest.mark.rule("ST-346", "ST-353")
def test_destroyed_pieces_vanish_and_wrecks_appear():
    carrier = RECORDS["a-carrier-comes"]
    lost = [event for event in carrier.events if event.kind == "wreck-left"]
    first, last = followed(carrier).frames[0], followed(carrier).frames[-1]
    assert [piece.kind for piece in last.pieces if piece not in first.pieces] == ["wreck"] * len(lost)
    fallen = [
        (record, gone)
        for record in RECORDS.values()
        if (gone := {event.number("disc") for event in record.events if SYSTEM.space.fallen_piece(event) is not None})
    ]
    assert fallen
    for record, gone in fallen:
        table = SYSTEM.space.table(record.setup)
        standing = [piece for at, piece in enumerate(table.pieces) if at not in gone]
        assert [piece for piece in followed(record).frames[-1].pieces if piece.kind != "wreck"] == standing


@pytest.mark.rule("ST-353")
def test_wreck_is_named_in_sentence():
    given = setup(options={"tier": "advanced"})
    names = SYSTEM.parts(given, dict(SYSTEM.unit_names(given)))
    beyond = len(SYSTEM.space.table(given).pieces)
    event = Event(0, "attack", "cover-checked", "ST-343", result={"disc": beyond, "gone": False, "dmg": 200})
    assert names(event)["disc"] == "wreck"


def sentence_of(kind, rule="ST-000", faces=(), **result):
    """Return the sentence of an event of that kind, by a1 of Red."""
    event = Event(round=1, step="attack", kind=kind, rule=rule, unit="a1", target="b1", faces=faces, result=result)
    return FACTS.sentence(event, {}, {"a1": "Ash", "b1": "Birch"}, ("Red", "Blue"))


@pytest.mark.rule("ST-100", "ST-245", "ST-246")
def test_sentences_use_terms_of_rules():
    morale = {"morale": 7, "side": 1, "pool": 3}
    assert (
        sentence_of("rout-tested", passed=False, **morale)
        == "Ash fails a Morale Save against Rout (7+), 1 Momentum for Blue."
    )
    assert sentence_of("rally-tested", passed=False, **morale) == "Ash fails a Morale Save to Rally (7+)."
    rolled = {"number": 5, "success": 5, "total": 9}
    assert sentence_of("attack-rolled", crit=9, **rolled) == "Ash rolls 5 dice to attack (5+, 9+ counts twice): 9 Hits."
    assert sentence_of("attack-rolled", crit=11, **rolled | {"total": 1}).endswith("no crits): 1 Hit.")
    assert sentence_of("attack-rolled", crit=11, **rolled) == "Ash rolls 5 dice to attack (5+, no crits): 9 Hits."


@pytest.mark.rule("ST-380", "ST-381")
def test_penalty_sentence_names_its_reason():
    assert (
        sentence_of("losses-scored", side=0, lost=2, big=1, penalty=3)
        == "Red has lost 1 unit of 300 points or more: −3 VP."
    )
    assert sentence_of("losses-scored", side=0, lost=2, big=0, penalty=2) == "Red has lost 2 units: −2 VP."
    assert sentence_of("losses-scored", side=0, lost=2, big=1, penalty=5) == "Red has lost 2 units: −5 VP."  # rules 2


@pytest.mark.rule("ST-306")
@pytest.mark.parametrize(
    ("result", "state", "is_described"),
    [
        ({"penalties": 2, "down": True}, "shut down", True),
        ({"penalties": 2, "down": False}, "2 Actions lost", False),
        ({"penalties": 1, "down": False}, "1 Action lost", False),
        ({"penalties": 2}, "shut down", True),  # a record of rules 2
    ],
)
def test_stunned_unit_is_shown_shut_down_only_when_true(result, state, is_described):
    event = Event(
        round=1,
        step="attack",
        kind="unit-stunned",
        rule="ST-306",
        unit="a1",
        result={**result, "fails": 2, "power": 0, "havoc": 0},
    )
    board = board_for(RECORDS["djinn-and-asura"])
    situation = FACTS.follow(board.replay.frames[0].situation, event)
    (view,) = [each for each in situation.units if each.key == "a1"]
    assert state in view.states
    assert ("shut down" in sentence_of("unit-stunned", fails=2, **result)) is is_described
