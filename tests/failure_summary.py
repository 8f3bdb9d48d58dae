"""Say at the end of a run what broke, as a sentence, and how to run each failed test alone."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MAX_FAILURES = 30  # a run that breaks everything needs no list


def describe_failures(failed: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """Return lines for (node ID, rule IDs) of failed tests: behaviour, rules and command, three or more per test."""
    tests = dict(failed)
    lines: list[str] = []
    for node_id, rules in list(tests.items())[:MAX_FAILURES]:
        lines += [describe_behaviour(node_id), *map(_describe_rule, rules), f"    {command_for(node_id)}", ""]
    if len(tests) > MAX_FAILURES:
        lines.append(f"... and {len(tests) - MAX_FAILURES} more")
    return lines


def describe_behaviour(node_id: str) -> str:
    """Return the behaviour that a test is named after: "Bye counts as win (two players)"."""
    names, _, parameter = node_id.partition("[")
    if "::" not in names:
        return names  # the file itself can't be read
    words = names.split("::")[-1].removeprefix("test_").replace("_", " ")
    return words[:1].upper() + words[1:] + (f" ({parameter.removesuffix(']')})" if parameter else "")


def _describe_rule(rule: str) -> str:
    from systems import ROSTERS

    found = next((system.rulebook[rule] for system in ROSTERS.values() if rule in system.rulebook), None)
    return f"    rule {rule}, {found.title}: {found.text}" if found else f"    rule {rule}"


def command_for(node_id: str) -> str:
    """Return the shell command that runs this test alone, on the database of this run."""
    python = Path(sys.executable)
    if python.is_relative_to(ROOT):
        python = python.relative_to(ROOT)
    database = os.environ.get("MUSTER_TEST_DATABASE")
    setting = f"MUSTER_TEST_DATABASE={database} " if database else ""
    return f"{setting}{python} -m pytest {shlex.quote(node_id)}"
