"""The rule IDs that sources and tests cite, found by reading the files."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.tools.named import is_in_every_run

ROOT = Path(__file__).resolve().parents[2]
APPS = ("systems", "rosters", "battles", "campaigns")


def cited_in_sources(prefix: str) -> dict[str, list[str]]:
    """Return the Python and catalogue files of the apps that cite each rule."""
    cited: dict[str, list[str]] = {}
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*")):
            if path.suffix not in (".py", ".toml") or path.name == "rulebook.toml":
                continue
            for rule in set(re.findall(rf"\b{prefix}-(?:[SAC]|AR)?\d+\b", path.read_text(encoding="utf-8"))):
                cited.setdefault(rule, []).append(str(path.relative_to(ROOT)))
    return cited


def cited_by_tests(prefix: str) -> dict[str, list[str]]:
    """Return the test files that cite each rule in `pytest.mark.rule`."""
    cited: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for rule in _rules_of(path):
            if rule.startswith(f"{prefix}-"):
                cited.setdefault(rule, []).append(str(path.relative_to(ROOT)))
    return cited


@cache
def _rules_of(path: Path) -> frozenset[str]:
    """Return the rules that a file of tests cites; cached for all prefixes."""
    return frozenset(rule_marks(path.read_text(encoding="utf-8")))


def rule_marks(source: str) -> Iterator[str]:
    """Yield the IDs in `pytest.mark.rule(...)` decorators of tests, not in comments or strings.

    Tests marked `proof` or `slow` don't count, because every `make test` must cover every rule.
    """
    if "mark.rule(" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
            continue
        if not is_in_every_run(node):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
                yield from (str(arg.value) for arg in decorator.args if isinstance(arg, ast.Constant))
