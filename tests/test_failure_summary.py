"""A failed run says what broke and how to run it again."""

import pytest

from tests import failure_summary


@pytest.mark.parametrize(
    ("node_id", "sentence"),
    [
        ("tests/campaigns/test_standings.py::test_bye_counts_as_win", "Bye counts as win"),
        ("tests/systems/test_a.py::TestHeat::test_sinks_cool[two sinks]", "Sinks cool (two sinks)"),
        ("tests/test_broken_import.py", "tests/test_broken_import.py"),
    ],
)
def test_failure_is_described_by_its_behaviour(node_id, sentence):
    assert failure_summary.describe_behaviour(node_id) == sentence


def test_failure_names_its_rule_and_the_command(monkeypatch):
    monkeypatch.setattr("sys.executable", str(failure_summary.ROOT / ".venv/bin/python"))
    monkeypatch.setenv("MUSTER_TEST_DATABASE", "sqlite")
    behaviour, rule, command, _ = failure_summary.describe_failures([("tests/test_a.py::test_it[a b]", ["MM-002"])])
    assert behaviour == "It (a b)"
    assert rule.startswith("    rule MM-002, Points of a Mek: A Mek costs twice")
    assert command == "    MUSTER_TEST_DATABASE=sqlite .venv/bin/python -m pytest 'tests/test_a.py::test_it[a b]'"


def test_long_list_of_failures_is_cut():
    lines = failure_summary.describe_failures((f"tests/test_a.py::test_{number}", []) for number in range(32))
    assert lines[-1] == "... and 2 more"
