"""Scratch fields: what a roll or attack leaves in them never affects the next one.

Battles stay the same when these fields are filled with nonsense in between.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from systems import BATTLES, battle_rules
from systems.battle import BattleSystem
from systems.engine import runner
from systems.engine.dice import Log, SeededDice
from systems.reading import read_setup
from systems.setups import Setup
from systems.simulation import odds
from tests.systems.any_battle import Scratch, any_battle
from tests.tools.replays import golden_replays

NONSENSE = 77
COMPILED_BATTLES = 300
GAMES = tuple(slug for slug in BATTLES if any_battle(slug).scratch)


def battles_of(slug: str) -> list[tuple[Setup, int]]:
    """Return setup and seed of the game's golden replays, which cover all its rules together."""
    lines = (path.read_text(encoding="utf-8").partition("\n")[0] for path in golden_replays(slug))
    return [(read_setup(header["setup"]), header["seed"]) for header in map(json.loads, lines)]


def fields_of(system: BattleSystem, scratch: Scratch) -> Iterator[tuple[str, int]]:
    """Yield the fields to fill and the value for each."""
    names = [field.name for field in dataclasses.fields(runner.records_of(system.records)[scratch.part])]
    assert {*scratch.fields, *scratch.but, *scratch.forgotten} <= set(names)
    for name in scratch.fields or [name for name in names if name not in (*scratch.but, *scratch.forgotten)]:
        yield name, NONSENSE
    for name in scratch.forgotten:
        yield name, -1


def source(system: BattleSystem, scratch: Scratch, name: str) -> str:
    """Return the text of a function that fills these fields, for either run."""
    record = "s.battle" if scratch.part == "battle" else f"s.{scratch.part}[at]"
    rows = f"range({scratch.first}, {f'len(s.{scratch.part})' if scratch.end is None else scratch.end})"
    lines = [f"def {name}(s):", f"    for at in {'range(1)' if scratch.part == 'battle' else rows}:"]
    return "\n".join([*lines, *(f"        {record}.{field} = {value}" for field, value in fields_of(system, scratch))])


def poisons(system: BattleSystem) -> dict[str, tuple[list[str], str]]:
    """Return by name the functions that call each poison first, and its text."""
    found = {}
    for number, scratch in enumerate(any_battle(system.slug).scratch):
        name = f"poison_{number}"
        found[name] = (list(scratch.calls), source(system, scratch, name))
    return found


# --- the plain run ----------------------------------------------------------------------------------------------------


def poison_plain(system: BattleSystem, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Make the rules call the poisons; return a live count of calls for each function that begins with one."""
    modules = [importlib.import_module(name) for name in system.rules]
    called: dict[str, int] = {}
    for name, (calls, text) in poisons(system).items():
        room: dict[str, Any] = {}
        exec(text, room)  # noqa: S102 the same text as in the compiled run
        for call in calls:
            called.setdefault(call, 0)
            homes = [each for each in modules if callable(getattr(each, call, None))]
            plain = getattr(homes[0], call)
            assert all(getattr(each, call) is plain for each in homes), f"two functions are called {call}"
            poisoned = _after(room[name], plain, called, call)
            for home in homes:
                monkeypatch.setattr(home, call, poisoned)
    return called


def _after(poison: Callable[[Any], None], plain: Callable[..., Any], called: dict[str, int], call: str) -> Any:
    def poisoned(s: Any, *rest: Any) -> Any:
        called[call] += 1
        poison(s)
        return plain(s, *rest)

    return poisoned


def fight_log(system: BattleSystem, setup: Setup, seed: int) -> Log:
    log: Log = []
    runner.plain_battle(system.fight, system.prepare(setup), SeededDice(seed), log)
    return log


@pytest.mark.parametrize("slug", GAMES)
def test_plain_battles_ignore_leftover_scratch_fields(slug, monkeypatch):
    system = battle_rules(slug)
    battles = battles_of(slug)
    clean = [fight_log(system, *battle) for battle in battles]
    called = poison_plain(system, monkeypatch)
    for battle, log in zip(battles, clean, strict=True):
        assert fight_log(system, *battle) == log
    assert all(called.values()), called


# --- the compiled run -------------------------------------------------------------------------------------------------


def poison_compiled(system: BattleSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the compiled run use rules that call the poisons, and check that no list is read beyond its end."""
    plain = runner.functions_of
    at_calls: dict[str, list[str]] = {}
    for name, (calls, _text) in poisons(system).items():
        for call in calls:
            at_calls.setdefault(call, []).append(name)

    def poisoned(path: Path, called: frozenset[str], records: str) -> str:
        lines = path.read_text(encoding="utf-8").splitlines()
        tree = ast.parse("\n".join(lines))
        for node in reversed(
            [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name in at_calls]
        ):
            first = node.body[1] if ast.get_docstring(node) else node.body[0]
            lines[first.lineno - 1 : first.lineno - 1] = [f"    {name}(s)" for name in at_calls[node.name]]
        copy = tmp_path / path.name
        copy.write_text("\n".join(lines), encoding="utf-8")
        return plain(copy, called, records)

    texts = "\n\n".join(f"@_called\n{text}\n" for _calls, text in poisons(system).values())
    monkeypatch.setattr(runner, "functions_of", poisoned)
    monkeypatch.setattr(runner, "HEADER", runner.HEADER + "\n\n" + texts.replace("{", "{{").replace("}", "}}"))
    made = runner._generated.__wrapped__(system.slug, system.records, tuple(system.rules), system.called, True)
    module = runner._load(*made)
    monkeypatch.setattr(runner, "compiled", lambda *_: module)


@pytest.mark.proof
@pytest.mark.parametrize("slug", GAMES)
def test_compiled_battles_ignore_leftover_scratch_fields(slug, tmp_path, monkeypatch):
    system = battle_rules(slug)
    battles = battles_of(slug)
    clean = [odds.tally_with_prints(setup, seed, 0, COMPILED_BATTLES) for setup, seed in battles]
    poison_compiled(system, tmp_path, monkeypatch)
    assert [odds.tally_with_prints(setup, seed, 0, COMPILED_BATTLES) for setup, seed in battles] == clean
