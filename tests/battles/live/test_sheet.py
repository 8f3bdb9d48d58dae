"""The sheet of every game: the boxes of its cards and the questions of its reports."""

import pytest

from battles.forms.results import LogForms
from battles.live.sheet import HITS_LOST, WINNER
from battles.services.results import build_result
from systems import BATTLES
from systems.reading import read_setup
from systems.report_fields import UnitFate
from tests.battles.builders import duel
from tests.battles.live.builders import GAMES, example, sheet_of


@pytest.mark.parametrize("system", GAMES)
def test_sheet_has_every_field_of_the_report_once(system):
    sheet = sheet_of(example(system))
    asked = list(BATTLES[system].hand.asked(()))
    for table_unit in sheet.table_units:
        fields = [cell.field for cell in table_unit.cells() if cell.field]
        assert set(fields) == set(asked)
        assert len([name for name in fields if name != HITS_LOST]) == len(asked) - 1
        ids = [cell.id for cell in table_unit.cells()]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize("system", GAMES)
def test_unit_without_hits_is_reported_as_destroyed(system):
    sheet = sheet_of(example(system))
    table_unit = sheet.table_units[0]
    values = sheet.start() | {cell.id: cell.most for cell in table_unit.of_hits}
    fate = table_unit.fate_of(values)
    assert fate["destroyed"] is True
    assert fate["hits_lost"] == table_unit.line.hits
    assert table_unit.is_out(values)


@pytest.mark.parametrize("system", GAMES)
def test_report_of_a_sheet_is_a_valid_result(system):
    sheet = sheet_of(example(system))
    first, victim = sheet.table_units[0], next(table_unit for table_unit in sheet.table_units if table_unit.side == 1)
    values = sheet.start() | {cell.id: cell.most for cell in victim.of_hits} | {WINNER: "attacker"}
    values[first.answers["kills"].id] = 1
    report = sheet.report(values)
    fates = {key: UnitFate(fate) for key, fate in report["units"].items()}
    result = build_result(sheet.setup, fates, sheet.sides[0], report["rounds"], [(), ()])
    ends = {unit["key"]: unit for unit in result["units"]}
    assert ends[victim.key]["lost"]
    assert ends[first.key]["kills"] == 1


def test_sheet_and_log_form_ask_the_same():
    sheet = sheet_of()
    rows = {row.unit.key: set(row.asked) for row in LogForms(None, read_setup(duel())).rows}
    assert {
        table_unit.key: {cell.field for cell in table_unit.cells() if cell.field} for table_unit in sheet.table_units
    } == rows


def test_earlier_damage_is_marked_but_not_reported():
    setup = duel()
    setup["sides"][0]["units"][0]["condition"] = {"hits": 1}
    sheet = sheet_of(setup)
    (hits,) = sheet.table_units[0].of_hits
    assert hits.start == hits.most - 1
    assert "hits_lost" not in sheet.table_units[0].fate_of(sheet.start())
    assert sheet.table_units[0].fate_of(sheet.start() | {hits.id: hits.most}) == {"hits_lost": 1, "destroyed": True}


def test_report_asks_once_for_a_box_of_the_card():
    table_unit = sheet_of().table_units[0]
    assert table_unit.answers["wounded"].id == "a1.wounded-5"
    assert "wounded" not in [cell.field for cell in table_unit.fate]


def test_exploded_reactor_destroys_its_unit():
    table_unit = sheet_of().table_units[0]
    values = {cell.id: cell.start for cell in table_unit.cells()} | {table_unit.answers["exploded"].id: 1}
    assert table_unit.fate_of(values) == {"exploded": True, "destroyed": True}


@pytest.mark.parametrize("system", GAMES)
def test_every_game_has_steps(system):
    sheet = sheet_of(example(system))
    assert len(sheet.steps) > 2
    assert not {"set-up", "end"} & {slug for slug, _ in sheet.steps}
