"""The commands resolve, forecast and verify on the files of docs/examples/mech-campaign."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from systems import battle_rules

EXAMPLES = Path(__file__).resolve().parents[4] / "docs" / "examples" / "mech-campaign"


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_every_scenario_has_an_example():
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(battle_rules("mech-campaign").scenarios)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_example_is_fought_and_verified(path, tmp_path):
    record = run("resolve", str(path), "--seed", "5")
    kept = tmp_path / "battle.jsonl"
    kept.write_text(record)
    assert run("verify", str(kept)).splitlines()[0] == "same"
    report = run("resolve", str(path), "--seed", "5", "--text")
    assert "Turn 1" in report
    assert "Old Marta" in report
    assert "MC-033" in report


def test_odds_of_example_add_up():
    answer = json.loads(run("forecast", str(EXAMPLES / "sabotage.json"), "--battles", "400", "--seed", "4"))
    assert answer["battles"] == 400
    assert sum(answer["wins"].values()) + answer["draws"] + answer["unfinished"] == 400
    assert set(answer["wins"]) == {"Kaur's Lance", "The Picket"}
    assert len(answer["units"]) == 11


def test_verify_finds_changed_record(tmp_path):
    lines = run("resolve", str(EXAMPLES / "claim-dispute.json"), "--seed", "5").splitlines()
    at = next(number for number, line in enumerate(lines) if '"shot-rolled"' in line)
    lines[at] = lines[at].replace('"hit":true', '"hit":null').replace('"hit":false', '"hit":true')
    path = tmp_path / "battle.jsonl"
    path.write_text("\n".join(lines) + "\n")
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify", str(path), stdout=out)
    assert out.getvalue().startswith(f"line {at + 1} differs")


def test_impossible_setup_file_is_refused_with_its_place(tmp_path):
    body = json.loads((EXAMPLES / "claim-dispute.json").read_text())
    del body["sides"][1]["units"][3:]
    path = tmp_path / "short.json"
    path.write_text(json.dumps(body))
    with pytest.raises(CommandError, match=r"sides\[1\]\.units: illegal \(MC-002\)"):
        run("forecast", str(path), "--battles", "10")
