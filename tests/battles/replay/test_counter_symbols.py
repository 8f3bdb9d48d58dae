"""Counters show how units are built, in every game, and each symbol is on the page once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from django.template.loader import render_to_string

from battles.replay.base import struck_path
from battles.replay.boards import BOARDS, ReplayBoard, board_of
from battles.replay.symbols import SymbolSet, symbol_paths
from battles.services.setups import ready_setup
from rosters.unit_cache import unit_drawing
from systems import battle_rules, roster_rules
from systems.artwork import drawing
from systems.reading import read_setup, spec_of
from systems.simulation.analysis import rounds_of
from systems.simulation.records import Record, resolve
from tests.battles.builders import duel
from tests.battles.hexes import document as hex_document
from tests.systems.artwork.builds import DRAWN, published
from tests.systems.mech_campaign.battle.tables import document as table_document
from tests.systems.meks_and_mercs.battle.games import crew
from tests.systems.meks_and_mercs.battle.games import document as map_document

SETUPS: Mapping[str, Any] = {
    "meks-and-mercs": lambda: map_document("hot-gates"),
    "mech-campaign": lambda: table_document("picket", "rock-rats", scenario="survey-beacons"),
    "blazing-steel": lambda: ready_setup(system="blazing-steel", scenario="skirmish"),
    "hex-core": hex_document,
    "mechastellar": lambda: ready_setup(system="mechastellar", scenario="versus"),
}


def record_of(document: dict[str, Any], seed: int = 1) -> Record:
    return resolve(read_setup(document), seed)


def board_for(record: Record) -> ReplayBoard:
    board = board_of(record, rounds_of(record))
    assert board is not None
    return board


@cache
def example_record(system: str) -> Record:
    return record_of(SETUPS[system]())


def render_page(board: ReplayBoard, step: int, **page: object) -> str:
    words = {"map": board.page(step, 0), "page": page, "rulebook": {}}
    return render_to_string(BOARDS[board.kind].drawing, words)


def counter_symbols(html: str) -> list[str]:
    """Return the symbol of each counter, in the order of the units."""
    return re.findall(r'<use\s+class="chit__art"\s+href="#([^"]+)"', html)


def symbols(html: str) -> dict[str, str]:
    return dict(re.findall(r'<symbol id="([^"]+)"[^>]*>(.*?)</symbol>', html))


def test_all_games_are_tested():
    assert set(SETUPS) == set(DRAWN)


@pytest.mark.parametrize("system", SETUPS)
def test_published_units_of_a_game_have_different_symbols(system: str):
    bodies = [roster_rules(system).body(spec) for spec in published(system).values()]
    assert len({symbol_paths(drawing(body)) for body in bodies if body}) == len(bodies)


@pytest.mark.parametrize("system", SETUPS)
def test_counter_shows_the_build_of_its_unit(system: str):
    record = example_record(system)
    html = render_page(board_for(record), 1)
    found, known = counter_symbols(html), symbols(html)
    units = [unit for side in record.setup.sides for unit in side.units]
    views = [unit.key for unit in battle_rules(system).opening(record.setup).units]
    assert len(found) % len(views) == 0  # a zone map has the field of a fight beside it
    builds = set()
    for unit in units:
        made = unit_drawing(system, spec_of(record.setup, unit.design))
        assert made
        box, paths = symbol_paths(made)
        builds.add(paths)
        name = found[views.index(unit.key)]
        assert known[name] == "".join(f'<path class="{look}" d="{data}"/>' for look, data in paths)
    assert len(builds) > 1
    assert set(found) == set(known)


@pytest.mark.parametrize("system", SETUPS)
def test_equal_units_of_a_side_share_one_symbol(system: str):
    board = board_for(example_record(system))
    html = render_page(board, board.steps)
    assert len(re.findall("<symbol ", html)) == len(symbols(html)) <= len(board.names)
    sides = {symbol.name: symbol.side for symbol in board.page(1, 0).symbols}
    for classes, name in re.findall(
        r'<g class="(chit [^"]*)" data-part="\w*-?chits".*?chit__art"\s+href="#([^"]+)"', html, re.S
    ):
        assert "is-away" in classes or f"side-{sides[name]}" in classes


def test_company_colour_is_its_sides_alone_and_escaped():
    board = board_for(record_of(duel("demon", "saber")))
    html = render_page(board, 1, liveries={"a": "#2f6f8f"})
    assert re.findall(r'<symbol id="(u-\d)"[^>]*fill="#2f6f8f"', html) == ["u-1"]
    assert "fill=" not in re.findall("<symbol[^>]*>", render_page(board, 1))[0]
    assert "<script>" not in render_page(board, 1, liveries={"b": '"><script>'})


def test_same_build_on_both_sides_has_two_symbols():
    record = record_of(duel("demon", "demon"))
    a, b = SymbolSet(record.setup, [battle_rules("meks-and-mercs").opening(record.setup)]).symbols
    assert (a.side, b.side, a.paths == b.paths) == ("a", "b", True)


@pytest.mark.rule("MM-A01")
def test_decoy_looks_like_its_model_unit():
    record = record_of(map_document("hot-gates", support=((), ("decoy",))))
    opening = battle_rules("meks-and-mercs").opening(record.setup)
    art = SymbolSet(record.setup, [opening])
    (decoy,) = [unit for unit in opening.units if getattr(unit, "decoy", False)]
    first = next(unit for unit in opening.units if unit.side == decoy.side)
    assert art.of(decoy) == art.of(first)


def test_support_unit_is_shown_from_its_arrival_on():
    for seed in range(60):
        record = record_of(map_document("hot-gates", support=((), ("roll",) * 3)), seed)
        board = board_for(record)
        sent: Any = board.to_json()
        art = [name for name, _attribute in sent["columns"]["chits"]].index(".chit__art")
        looks = [[sent["chits"][place][art] for place in frame["chits"]] for frame in sent["frames"]]
        changed = [
            at for at, (first, last) in enumerate(zip(looks[0], looks[-1], strict=True)) if last not in (None, first)
        ]
        if changed:
            break
    unit = board.frames[-1].situation.units[changed[0]]  # type: ignore[attr-defined]
    brought = roster_rules("meks-and-mercs").support_body(unit.chassis)
    assert brought
    name = looks[-1][changed[0]].removeprefix("#")
    assert (
        next(symbol.paths for symbol in board.page(1, 0).symbols if symbol.name == name)
        == symbol_paths(drawing(brought))[1]
    )


def test_unknown_build_is_shown_as_a_silhouette(monkeypatch):
    monkeypatch.setattr("battles.replay.symbols.unit_drawing", lambda setup, unit: None)
    record = record_of(map_document("hot-gates", attackers=[crew("draken"), crew("wasp")]))
    art = SymbolSet(record.setup, [battle_rules("meks-and-mercs").opening(record.setup)])
    assert {symbol.view_box for symbol in art.symbols} == {"0 0 64 64"}
    assert all(symbol.paths for symbol in art.symbols[:2])


@pytest.mark.parametrize("system", SETUPS)
def test_lost_parts_are_marked_and_listed(system: str):
    board: Any = board_for(example_record(system))
    sent = board.to_json()
    marks = [name for name, _attribute in sent["columns"]["chits"]].index(".chit__parts")
    most = 0
    for frame, drawing_sent in zip(board.frames, sent["frames"], strict=True):
        rows = board.unit_rows(frame)
        for unit, place, row in zip(frame.situation.units, drawing_sent["chits"], rows, strict=True):
            path = sent["chits"][place][marks]
            if path is None or unit.destroyed:
                continue
            most = max(most, unit.struck)
            assert path.count("z") == min(unit.struck, 4)
            for part in unit.lost_parts:
                assert part in row.states or f"{part} 0/" in row.hits, (part, row)
    assert most or system not in ("meks-and-mercs", "blazing-steel")


def test_more_lost_parts_than_fit_are_marked_as_more():
    assert struck_path(0, 4, -4) == ""
    assert [struck_path(count, 4, -4).count("z") for count in (1, 4, 5, 9)] == [1, 4, 4, 4]
    assert struck_path(4, 4, -4) != struck_path(5, 4, -4) == struck_path(9, 4, -4)
