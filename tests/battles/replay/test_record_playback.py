"""Replays use only the events of a record."""

import dataclasses

import pytest

from battles.replay.boards import board_of
from battles.replay.hex_board import HexPage
from systems import battle_rules
from systems.simulation import analysis as replay
from systems.simulation.analysis import report_text, rounds_of
from systems.simulation.records import read_record
from tests.battles.record_ends import final_situation
from tests.tools.replays import golden_replays

RECORDS = {path.stem: read_record(path.read_text(encoding="utf-8")) for path in golden_replays("meks-and-mercs")}


@pytest.fixture(params=RECORDS)
def record(request):
    return RECORDS[request.param]


def test_golden_replays_exist():
    assert len(RECORDS) >= 4


def test_record_plays_back_without_the_rules(record, monkeypatch):
    system = battle_rules("meks-and-mercs")
    for name in ("fight", "prepare", "outcome"):
        monkeypatch.setattr(type(system), name, lambda *args: pytest.fail("the rules were run"))
    other = dataclasses.replace(record, rules_version=99)
    assert rounds_of(other) == rounds_of(record)


def test_rounds_hold_every_event_once_in_order(record):
    rounds = rounds_of(record)
    assert [view.number for view in rounds] == list(range(1, record.outcome["rounds"] + 1))
    lines = [line for view in rounds for step in view.steps for line in step.lines]
    assert [line.event for line in lines] == list(record.events)
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))


def test_every_line_has_words_and_a_known_rule(record):
    from systems import roster_rules

    rulebook = roster_rules("meks-and-mercs").rulebook
    for view in rounds_of(record):
        for step in view.steps:
            assert step.title
            for line in step.lines:
                assert line.sentence.endswith(".")
                assert "None" not in line.sentence
                assert line.rule in rulebook
                assert all(modifier.rule in rulebook for modifier in line.modifiers)


def test_last_round_matches_the_outcome(record):
    situation = final_situation(record)
    units = {unit.key: unit for unit in situation.units}
    for unit in record.outcome["units"]:
        assert units[unit["key"]].destroyed is unit["lost"]
        assert units[unit["key"]].withdrew is unit["withdrew"]
    assert rounds_of(record)[-1].units == tuple(unit for unit in situation.units if not unit.is_reserve)


def test_round_shows_only_units_that_have_come(record):
    came = {event.unit for event in record.events} | {unit.key for side in record.setup.sides for unit in side.units}
    for view in rounds_of(record):
        assert {unit.key for unit in view.units} <= came


def test_bands_hold_only_units_in_play(record):
    for view in rounds_of(record):
        gone = {unit.key for unit in view.units if unit.destroyed}
        withdrew = {unit.key for unit in view.units if unit.withdrew}
        for band in view.bands:
            assert not gone & {band.a_key, band.d_key}
            assert 0 <= band.band <= 2
            assert band.broken or not withdrew & {band.a_key, band.d_key}


def test_report_names_winner_dice_and_digest(record):
    text = report_text(record)
    assert replay.report_text(record) == text
    assert f"Digest: {record.digest}" in text
    assert (f"Winner: {record.outcome['winner']}" if record.outcome["winner"] else "A draw") in text
    assert "[dice " in text


def test_golden_replays_show_every_kind_of_event():
    from systems.meks_and_mercs.battle.events import FACTS

    kinds = {event.kind for record in RECORDS.values() for event in record.events}
    ordered = {
        f"order-of-{what}" for what in ("move", "range", "retreat", "target")
    }  # replays of battles without orders
    assert set(FACTS) - kinds == ordered


def test_critical_hit_is_shown_over_its_target():
    path = next(path for path in golden_replays("hex-core") if path.stem == "drones-in-town")
    record = read_record(path.read_text(encoding="utf-8"))
    board = board_of(record, rounds_of(record))
    assert board
    page = next(
        page
        for page in (board.page(step, 0) for step in range(1, 99))
        if any(line.event.kind == "critical-rolled" and line.mark for line in page.frame.lines)
    )
    assert isinstance(page, HexPage)
    hit = next(line.event.target for line in page.frame.lines if line.event.kind == "critical-rolled")
    bursts = zip(page.frame.situation.units, page.drawing.action.bursts, strict=True)
    assert [unit.key for unit, burst in bursts if "critical hit" in burst.word] == [hit]
