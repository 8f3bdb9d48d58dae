"""`python -m systems`: what its commands print, and how they refuse."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from systems.__main__ import main
from tests.battles.builders import duel

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"
BREACH = str(EXAMPLES / "scenarios" / "breach.json")
HIDDEN_DJANGO = "import sys; sys.modules['django'] = None; from systems.__main__ import main; raise SystemExit(main())"


@pytest.fixture
def run(capfdbinary, monkeypatch):
    """Return a function that runs a command and returns its exit code, output and error."""

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(str(stop.code))
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return run


def write_document(path: Path, document: object) -> str:
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def example(name: str, **changes: object) -> Any:
    return json.loads((EXAMPLES / name).read_text(encoding="utf-8")) | changes


def test_check_prints_points_of_a_design(run):
    code, out, err = run("check", str(EXAMPLES / "mechastellar" / "white-asura.json"))
    assert (code, err) == (0, "")
    assert json.loads(out) == {"legal": True, "points": 255, "problems": []}


def test_check_prints_points_of_both_sides_of_a_setup(run):
    code, out, _ = run("check", BREACH)
    assert code == 0
    assert json.loads(out) == {"legal": True, "points": {"Attacker": 60, "Defender": 60}, "problems": []}


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.json")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_check_finds_every_example_legal(run, path: Path):
    code, out, _ = run("check", str(path))
    assert (code, json.loads(out)["problems"]) == (0, [])


def test_check_lists_all_problems_of_an_illegal_design_and_ends_with_1(run, tmp_path):
    spec = {"chassis": "light", "weapons": ["rail-cannon", "rail-cannon", "rail-cannon"], "systems": []}
    document = {"muster": "design/1", "system": "meks-and-mercs", "name": "Overloaded", "spec": spec}
    code, out, err = run("check", write_document(tmp_path / "design.json", document))
    answer = json.loads(out)
    assert (code, err, answer["legal"]) == (1, "", False)
    assert answer["problems"]
    assert all(each["rule"].startswith("MM-") and each["message"] for each in answer["problems"])


def test_check_names_the_side_whose_force_breaks_its_scenario(run, tmp_path):
    setup = example("scenarios/breach.json")
    defenders = setup["sides"][1]["units"] * 2
    setup["sides"][1]["units"] = [unit | {"key": f"d{at}"} for at, unit in enumerate(defenders)]
    code, out, err = run("check", write_document(tmp_path / "setup.json", setup))
    answer = json.loads(out)
    assert (code, err, answer["points"]) == (1, "", {"Attacker": 60, "Defender": 120})
    assert [(each["rule"], each["place"].partition(".")[0]) for each in answer["problems"]] == [("MM-010", "sides[1]")]


def test_resolve_and_verify_agree_byte_for_byte(run, tmp_path):
    code, record, _ = run("resolve", BREACH, "--seed", "3")
    assert code == 0
    path = tmp_path / "record.jsonl"
    path.write_bytes(record.encode())
    code, out, _ = run("verify", str(path))
    assert (code, out.splitlines()[0]) == (0, "same")


def test_verify_ends_with_1_at_the_first_line_that_differs(run, tmp_path):
    _, record, _ = run("resolve", BREACH, "--seed", "3")
    path = tmp_path / "short.jsonl"
    path.write_text("".join(record.splitlines(keepends=True)[:5]), encoding="utf-8")
    code, out, err = run("verify", str(path))
    assert (code, err) == (1, "")
    assert out.splitlines()[0] == "line 6 differs"


def test_resolve_reads_standard_input_and_prints_a_report(run):
    code, out, _ = run("resolve", "-", "--seed", "5", "--text", stdin=json.dumps(duel()).encode())
    assert code == 0
    assert "Round 1" in out
    assert "MM-028" in out


def test_resolve_draws_a_seed_when_none_is_given(run):
    assert run("resolve", BREACH)[1] != run("resolve", BREACH)[1]


def test_forecast_prints_odds_that_add_up(run):
    code, out, _ = run("forecast", BREACH, "--battles", "20", "--plain")
    answer = json.loads(out)
    assert code == 0
    assert answer["battles"] == 20
    assert sum(answer["wins"].values()) + answer["draws"] + answer["unfinished"] == 20
    assert answer["seconds"] > 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "required: COMMAND"),
        (("fight", BREACH), "invalid choice"),
        (("resolve", BREACH, "--seed", "-1"), "seed: a seed is a whole number"),
        (("resolve", "nowhere.json"), "'nowhere.json': No such file"),
        (("resolve", "."), "Is a directory"),
        (("resolve", "a\0b"), "null byte"),
        (("forecast", BREACH), "required: --battles"),
        (("forecast", BREACH, "--battles", "none"), "battles: must be a whole number from 1"),
        (("check", "-"), "document: not JSON"),
        (("check", BREACH, "--release", "1"), "release: is only for designs"),
        (("verify", BREACH), "line 1: "),
    ],
)
def test_input_that_cannot_be_used_is_refused_in_one_line(run, arguments: tuple[str, ...], complaint: str):
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert complaint in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["check", "resolve", "verify"])
@pytest.mark.parametrize(
    "document", [b"", b"[]", b"{}", b'"x"', b"\xff", b"null", b"1e999", b"[" * 9999, b'{"muster": {"a": 1}}']
)
def test_any_command_refuses_files_that_are_no_document(run, command: str, document: bytes):
    code, out, err = run(command, "-", stdin=document)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_field_is_named_in_the_refusal(run, tmp_path):
    code, _, err = run(
        "resolve", write_document(tmp_path / "setup.json", example("scenarios/breach.json", terain="plain"))
    )
    assert (code, err.startswith("terain: ")) == (2, True)


def test_commands_need_no_django():
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN_DJANGO, "check", BREACH], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["legal"]


def test_a_reader_that_stops_early_is_no_error():
    command = f"{sys.executable} -m systems resolve {BREACH} --seed 3 | head -c 10"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
