"""resolve, forecast, verify, warm_rules: what they print, and how they refuse."""

import io
import json
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from systems.engine.resolve import HeaderDice, resolve
from systems.engine.sealed import commitment
from systems.reading import read_setup
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


def test_resolve_draws_a_seed_when_none_is_given(setup_file):
    assert run("resolve", setup_file) != run("resolve", setup_file)


def test_resolve_prints_a_report_to_read(setup_file):
    report = run("resolve", setup_file, "--seed", "5", "--text")
    assert "Round 1" in report
    assert "MM-028" in report


def test_stdin_is_a_file_too(setup_file, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(duel()).encode())))
    assert run("resolve", "-", "--seed", "5") == run("resolve", setup_file, "--seed", "5")


def test_forecast_prints_one_object_that_adds_up(setup_file):
    answer = json.loads(run("forecast", setup_file, "--battles", "300", "--seed", "4"))
    assert answer["battles"] == 300
    assert sum(answer["wins"].values()) + answer["draws"] + answer["unfinished"] == 300
    assert set(answer["wins"]) == {"Red", "Blue"}
    assert {unit["key"] for unit in answer["units"]} == {"a1", "b1"}
    assert answer["seconds"] > 0


def test_forecast_counts_the_same_without_the_compiled_rules(setup_file):
    plain, compiled = (
        json.loads(run("forecast", setup_file, "--battles", "200", *more)) | {"seconds": 0}
        for more in ([], ["--plain"])
    )
    assert plain == compiled


def test_verify_says_same_or_names_the_line(setup_file, tmp_path, capsys):
    record = tmp_path / "record.jsonl"
    record.write_text(run("resolve", setup_file, "--seed", "5"))
    assert run("verify", str(record)).splitlines() == [
        "same",
        "seed: chosen, not sealed; whoever simulated this battle could try seeds until one pleased them",
    ]
    lines = record.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if '"faces":[' in line)
    face = int(lines[at].split('"faces":[')[1][0])
    lines[at] = lines[at].replace(f'"faces":[{face}', f'"faces":[{face % 6 + 1}', 1)
    record.write_text("\n".join(lines) + "\n")
    with pytest.raises(SystemExit) as stop:
        run("verify", str(record))
    assert stop.value.code == 1


class TestVerifySealedDice:
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

    def test_are_told_with_what_the_seed_was_made_of(self, record):
        said = run("verify", str(record)).splitlines()
        assert said[0] == "same"
        assert said[1] == (
            f'seed: follows from sealed dice; for: battle; words: "for the Hounds"; hash: {self.HASH} '
            "(compare it with the one published before the battle)"
        )

    def test_are_compared_with_the_hash_that_the_reader_noted(self, record):
        assert run("verify", str(record), "--hash", self.HASH.upper()).splitlines()[1].endswith("(the one you gave)")
        other = commitment("cd" * 32)
        assert self.refused(str(record), "--hash", other) == [
            "line 1 differs",
            f"expected: dice of the hash {other}",
            f"found:    dice of the hash {self.HASH}",
        ]

    def test_a_record_without_dice_is_not_the_one_whose_hash_was_noted(self, setup_file, tmp_path):
        path = tmp_path / "chosen.jsonl"
        path.write_text(run("resolve", setup_file, "--seed", "5"))
        assert self.refused(str(path), "--hash", self.HASH)[2] == "found:    no sealed dice: the seed was chosen"

    def test_a_seed_shopped_for_is_the_first_line_that_differs(self, record):
        head, rest = record.read_text().split("\n", 1)
        dice = HeaderDice.model_validate_json(json.dumps(json.loads(head)["dice"]))
        record.write_text(resolve(read_setup(duel()), 7, dice).text())
        said = self.refused(str(record))
        assert (said[0], said[-1]) == ("line 1 differs", "the line: the seed does not follow from these dice")
        assert said[1] == f"expected: {head}"

    def test_other_line_ends_are_told(self, record):
        record.write_bytes(record.read_bytes().replace(b"\n", b"\r\n"))
        said = self.refused(str(record))
        assert (said[0], said[-1]) == (
            "line 1 differs",
            "the line: ends with a carriage return and a line feed, not a line feed",
        )


def test_a_record_cut_short_differs_where_it_ends(setup_file, tmp_path):
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
def test_a_bad_setup_is_refused_with_its_place(tmp_path, command: list[str], damage, field: str):
    setup = duel()
    damage(setup)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(setup))
    with pytest.raises(CommandError, match=field) as refusal:
        run(command[0], str(path), *command[1:])
    assert refusal.value.returncode == 2


def test_the_rules_of_every_system_are_warmed():
    assert run("warm_rules").startswith("meks-and-mercs: ")
