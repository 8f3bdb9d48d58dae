"""The commands resolve, forecast, verify and warm_rules: what they print, and how they refuse."""

import io
import json
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from systems.engine.dice import commitment
from systems.reading import read_setup
from systems.simulation.records import HeaderDice, resolve
from tests.battles.builders import duel


@pytest.fixture
def setup_file(tmp_path) -> str:
    path = tmp_path / "duel.json"
    path.write_text(json.dumps(duel()))
    return str(path)


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_resolve_prints_the_same_bytes_for_the_same_seed(setup_file):
    first = run("resolve", setup_file, "--seed", "5")
    assert first == run("resolve", setup_file, "--seed", "5")
    assert first != run("resolve", setup_file, "--seed", "6")
    lines = [json.loads(line) for line in first.splitlines()]
    assert lines[0]["muster"] == "record/1"
    assert "outcome" in lines[-1]


def test_resolve_draws_a_seed_by_default(setup_file):
    assert run("resolve", setup_file) != run("resolve", setup_file)


def test_resolve_prints_a_readable_report(setup_file):
    report = run("resolve", setup_file, "--seed", "5", "--text")
    assert "Round 1" in report
    assert "MM-028" in report


def test_resolve_reads_stdin(setup_file, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(duel()).encode())))
    assert run("resolve", "-", "--seed", "5") == run("resolve", setup_file, "--seed", "5")


def test_forecast_prints_odds_that_add_up(setup_file):
    answer = json.loads(run("forecast", setup_file, "--battles", "300", "--seed", "4"))
    assert answer["battles"] == 300
    assert sum(answer["wins"].values()) + answer["draws"] + answer["unfinished"] == 300
    assert set(answer["wins"]) == {"Red", "Blue"}
    assert {unit["key"] for unit in answer["units"]} == {"a1", "b1"}
    assert answer["seconds"] > 0


def test_forecast_is_the_same_without_compiled_rules(setup_file):
    plain, compiled = (
        json.loads(run("forecast", setup_file, "--battles", "200", *more)) | {"seconds": 0}
        for more in ([], ["--plain"])
    )
    assert plain == compiled


def test_verify_prints_same_or_the_different_line(setup_file, tmp_path, capsys):
    record = tmp_path / "record.jsonl"
    record.write_text(run("resolve", setup_file, "--seed", "5"))
    assert run("verify", str(record)).splitlines() == [
        "same",
        "seed: chosen, not sealed; the player who simulated this battle could have tried many seeds",
    ]
    lines = record.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if '"faces":[' in line)
    face = int(lines[at].split('"faces":[')[1][0])
    lines[at] = lines[at].replace(f'"faces":[{face}', f'"faces":[{face % 6 + 1}', 1)
    record.write_text("\n".join(lines) + "\n")
    with pytest.raises(SystemExit) as stop:
        run("verify", str(record))
    assert stop.value.code == 1


class TestVerifyFairDice:
    HASH = commitment("ab" * 32)

    @pytest.fixture
    def record(self, tmp_path) -> Path:
        dice = HeaderDice(commitment=self.HASH, purpose="battle", words=("for the Hounds",), secret="ab" * 32)
        path = tmp_path / "sealed.jsonl"
        path.write_text(resolve(read_setup(duel()), dice.seed, dice).text())
        return path

    def refused(self, *arguments: str) -> list[str]:
        out = io.StringIO()
        with pytest.raises(SystemExit) as stop:
            call_command("verify", *arguments, stdout=out)
        assert stop.value.code == 1
        return out.getvalue().splitlines()

    def test_verify_prints_the_sources_of_the_seed(self, record):
        output = run("verify", str(record)).splitlines()
        assert output[0] == "same"
        assert output[1] == (
            f'seed: follows from sealed dice; for: battle; words: "for the Hounds"; hash: {self.HASH} '
            "(compare it with the one published before the battle)"
        )

    def test_verify_compares_with_the_noted_hash(self, record):
        assert run("verify", str(record), "--hash", self.HASH.upper()).splitlines()[1].endswith("(the one you gave)")
        other = commitment("cd" * 32)
        assert self.refused(str(record), "--hash", other) == [
            "line 1 differs",
            f"expected: dice of the hash {other}",
            f"found:    dice of the hash {self.HASH}",
        ]

    def test_record_without_dice_fails_a_noted_hash(self, setup_file, tmp_path):
        path = tmp_path / "chosen.jsonl"
        path.write_text(run("resolve", setup_file, "--seed", "5"))
        assert self.refused(str(path), "--hash", self.HASH)[2] == "found:    no provably fair dice: the seed was chosen"

    def test_seed_not_from_the_dice_is_refused(self, record):
        head, rest = record.read_text().split("\n", 1)
        dice = HeaderDice.model_validate_json(json.dumps(json.loads(head)["dice"]))
        record.write_text(resolve(read_setup(duel()), 7, dice).text())
        refusal = self.refused(str(record))
        assert (refusal[0], refusal[-1]) == ("line 1 differs", "the line: the seed does not follow from these dice")
        assert refusal[1] == f"expected: {head}"

    def test_verify_names_different_line_endings(self, record):
        record.write_bytes(record.read_bytes().replace(b"\n", b"\r\n"))
        refusal = self.refused(str(record))
        assert (refusal[0], refusal[-1]) == (
            "line 1 differs",
            "the line: ends with a carriage return and a line feed, not a line feed",
        )


def test_truncated_record_differs_at_its_end(setup_file, tmp_path):
    record = tmp_path / "record.jsonl"
    record.write_text("\n".join(run("resolve", setup_file, "--seed", "5").splitlines()[:5]) + "\n")
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify", str(record), stdout=out)
    assert out.getvalue().startswith("line 6 ")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["resolve", "FILE", "--seed", str(2**80)], "seed"),
        (["resolve", "FILE", "--seed", "-1"], "seed"),
        (["resolve", "FILE", "--seed", "x"], "seed"),
        (["forecast", "FILE", "--battles", "0"], "battles"),
        (["forecast", "FILE", "--battles", "many"], "battles"),
        (["forecast", "FILE", "--battles", "10", "--seed", str(2**64)], "seed"),
        (["resolve", "/nowhere/at/all"], "file"),
        (["verify", "FILE"], "line 1"),
    ],
)
def test_bad_input_is_refused_with_exit_code_2(setup_file, arguments: list[str], field: str):
    with pytest.raises(CommandError, match=field) as refusal:
        run(*[setup_file if part == "FILE" else part for part in arguments])
    assert refusal.value.returncode == 2
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("damage", "field"),
    [
        (lambda setup: setup["sides"].pop(), "sides"),
        (lambda setup: setup["sides"][0].update(units=[]), r"sides\[0\].units"),
        (lambda setup: setup.update(terrain="swamp"), "terrain"),
        (lambda setup: setup["sides"][0]["units"][0].update(design="nothing"), r"sides\[0\].units\[0\].design"),
    ],
)
@pytest.mark.parametrize("command", [["resolve"], ["forecast", "--battles", "10"]])
def test_bad_setup_is_refused_with_field(tmp_path, command: list[str], damage, field: str):
    setup = duel()
    damage(setup)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(setup))
    with pytest.raises(CommandError, match=field) as refusal:
        run(command[0], str(path), *command[1:])
    assert refusal.value.returncode == 2


def test_warm_rules_compiles_every_system():
    assert run("warm_rules").startswith("meks-and-mercs: ")
