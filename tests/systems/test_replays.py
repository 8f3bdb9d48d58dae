"""The golden replays come out exactly as stored."""

import json

import pytest

from battles.replay.boards import board_of
from systems import BATTLES, battle_rules
from systems.documents import DocumentError
from systems.simulation.analysis import report_text, rounds_of
from systems.simulation.records import read_record, verify
from tests.battles.record_ends import final_situation, missing_from_report
from tests.systems.simulation.test_properties import nouns_and_verbs_agree
from tests.systems.toy import install
from tests.tools.replays import FOLDER, begin, fight_again, first_difference, golden_replays, rewrite

PATHS = sorted(FOLDER.glob("*/replays/*.jsonl"))
EARLIER = sorted(FOLDER.glob("*/replays/earlier/*.jsonl"))  # of rules changed since: no longer fought, still shown


@pytest.fixture(autouse=True)
def toy(monkeypatch) -> None:
    install(monkeypatch)


def test_every_system_has_a_golden_replay():
    assert not [slug for slug in BATTLES if not golden_replays(slug)]
    assert {path.parents[1].name.replace("_", "-") for path in PATHS} == set(BATTLES)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_golden_replay_matches_stored_record(path):
    difference = first_difference(path.read_text(encoding="utf-8"), fight_again(path))
    assert difference is None, f"{path.name}, {difference}\nif a rule changed on purpose: python -m tests.tools.replays"


@pytest.mark.parametrize(
    ("kept", "now", "expected"),
    [("a\nb\n", "a\nc\n", "line 2"), ("a\n", "a\nb\n", "line 2: 1 lines"), ("a\nb\n", "a\n", "line 2: 2 lines")],
)
def test_first_difference_names_its_line(kept, now, expected):
    assert first_difference(kept, now).startswith(expected)
    assert first_difference(kept, kept) is None


def test_game_without_replays_begins_with_its_example(tmp_path):
    path = begin(tmp_path, "toy")
    assert path == tmp_path / "toy" / "replays" / "example.jsonl"
    assert read_record(path.read_text(encoding="utf-8")).setup == battle_rules("toy").example()
    assert rewrite(path) == ""


def test_replay_needs_only_setup_and_seed(tmp_path):
    (kept,) = golden_replays("toy")
    header = json.loads(kept.read_text(encoding="utf-8").partition("\n")[0])
    path = tmp_path / "short.jsonl"
    path.write_text(json.dumps({name: header[name] for name in ("setup", "seed")}), encoding="utf-8")
    assert rewrite(path) == "rewritten; it differs first at line 1"
    assert path.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")


def test_unreadable_replay_is_named_with_advice(tmp_path):
    (kept,) = golden_replays("toy")
    path = tmp_path / "old.jsonl"
    path.write_text(text := kept.read_text(encoding="utf-8").replace("runner", "cannon"), encoding="utf-8")
    assert rewrite(path) == (
        "can't be fought any more: sides[0].units[1].design: unknown design 'cannon'. "
        "Delete it, or write another set-up into its first line."
    )
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("path", [*PATHS, *EARLIER], ids=lambda path: path.stem)
def test_report_of_golden_replay_is_complete_and_grammatical(path):
    record = read_record(path.read_text(encoding="utf-8"))
    assert missing_from_report(record) == []
    nouns_and_verbs_agree(record)


@pytest.mark.rule("ST-040", "ST-203")
def test_report_shows_first_side_and_launches():
    (path,) = (path for path in golden_replays("mechastellar") if path.stem == "a-carrier-comes")
    record = read_record(path.read_text(encoding="utf-8"))
    lines = report_text(record).splitlines()
    for kind, words, rule in [("first-rolled", "[dice ", "ST-040"), ("unit-launched", " launches ", "ST-203")]:
        times = sum(event.kind == kind for event in record.events)
        assert times == sum(words in line and line.endswith(f" {rule}") for line in lines) > 0


@pytest.mark.parametrize("path", EARLIER, ids=lambda path: f"{path.parents[2].name}-{path.stem}")
def test_record_of_earlier_rules_still_plays_back(path):
    record = read_record(path.read_text(encoding="utf-8"))
    system = battle_rules(record.setup.system)
    assert record.rules_version < system.rules_version
    with pytest.raises(
        DocumentError, match=f"was simulated with rules {record.rules_version}, but the current rules are"
    ):
        verify(path.read_text(encoding="utf-8"))
    assert f"Digest: {record.digest}" in report_text(record)
    assert board_of(record, rounds_of(record)) is not None
    left = {view.key for view in final_situation(record).units if view.destroyed}
    assert {unit["key"] for unit in record.outcome["units"] if unit["lost"]} == left
