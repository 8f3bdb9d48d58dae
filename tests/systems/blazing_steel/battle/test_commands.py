"""The commands resolve, forecast and verify on the set-ups of docs/examples/blazing-steel, and luck."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from systems import battle_rules
from systems.simulation.analysis import dice_luck
from systems.simulation.records import resolve

from .tables import document, setup

EXAMPLES = Path(__file__).resolve().parents[4] / "docs" / "examples" / "blazing-steel"
DOCUMENTS = sorted(EXAMPLES.glob("*.json"))
SETUPS = [path for path in DOCUMENTS if "sides" in json.loads(path.read_text())]
DESIGNS = [path for path in DOCUMENTS if path not in SETUPS]


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_every_map_has_an_example():
    assert {json.loads(path.read_text())["terrain"] for path in SETUPS} == set(battle_rules("blazing-steel").terrains)


@pytest.mark.parametrize("path", SETUPS, ids=lambda path: path.stem)
def test_example_is_fought_and_verified(path, tmp_path):
    record = run("resolve", str(path), "--seed", "5")
    kept = tmp_path / "battle.jsonl"
    kept.write_text(record)
    assert run("verify", str(kept)).splitlines()[0] == "same"
    report = run("resolve", str(path), "--seed", "5", "--text")
    for text in ("Round 1", "Turn 1: ", "BS-120", "Victory points"):
        assert text in report


@pytest.mark.parametrize("path", SETUPS, ids=lambda path: path.stem)
def test_odds_of_example_add_up(path):
    answer = json.loads(run("forecast", str(path), "--battles", "200", "--seed", "4"))
    assert answer["battles"] == 200
    assert sum(answer["wins"].values()) + answer["draws"] + answer["unfinished"] == 200
    assert set(answer["score"]) == set(answer["wins"])
    assert all({"cripples", "overheats", "objectives", "disabled"} <= set(unit) for unit in answer["units"])


@pytest.mark.parametrize("path", DESIGNS, ids=lambda path: path.stem)
def test_an_example_design_is_legal(path):
    assert json.loads(run("check_design", str(path)))["problems"] == []


@pytest.mark.parametrize("kind", ["cards", pytest.param("sheets", marks=pytest.mark.proof)])
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_example_prints_as_pdf(path, kind, tmp_path):
    target = tmp_path / "out.pdf"
    data = json.loads(run("print_cards", str(path), "--kind", kind, "-o", str(target)))
    document = json.loads(path.read_text())
    units = sum(len(side["units"]) for side in document["sides"]) if "sides" in document else 1
    assert data["pages"] == (units if kind == "sheets" else 2)  # fronts and backs
    assert target.read_bytes().startswith(b"%PDF-")


def test_verify_finds_changed_die(tmp_path):
    lines = run("resolve", str(SETUPS[0]), "--seed", "5").splitlines()
    at = next(number for number, line in enumerate(lines) if '"shot-rolled"' in line)
    event = json.loads(lines[at])
    event["faces"][0] = 7 - event["faces"][0]
    lines[at] = json.dumps(event, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    path = tmp_path / "battle.jsonl"
    path.write_text("\n".join(lines) + "\n")
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify", str(path), stdout=out)
    assert out.getvalue().startswith(f"line {at + 1} differs")


def test_oversized_force_is_refused_with_its_place(tmp_path):
    path = tmp_path / "crowd.json"
    path.write_text(json.dumps(document(["hawker"] * 11)))
    with pytest.raises(CommandError, match=r"sides\[0\]\.units: illegal \(BS-014\)"):
        run("forecast", str(path), "--battles", "10")


def test_luck_covers_attacks_defence_and_armor():
    given = setup(["hawker", "mantis"], ["bulwark", "skimmer"])
    record = resolve(given, 3)
    system = battle_rules("blazing-steel")
    found = {(luck.side, luck.what): luck for luck in dice_luck(given, record.events)}
    assert {what for _side, what in found} == {"hit", "dodge", "save"} == set(system.words.trials)
    for side, letter in (("Red", "a"), ("Blue", "b")):
        rolled = [
            event
            for event in record.events
            if event.kind in ("shot-rolled", "strike-rolled") and event.unit.startswith(letter)
        ]
        assert found[side, "hit"].dice == sum(len(event.faces) for event in rolled)
        assert found[side, "hit"].successes == sum(event.number("effective") for event in rolled)
    damage = next(event for event in record.events if event.kind == "damage-rolled")
    trial = system.trial(given, damage)
    assert trial.dice - trial.successes == damage.number("through")
    assert trial.chance in {Fraction(part, 6) for part in range(1, 6)}
