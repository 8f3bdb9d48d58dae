"""What the tests of `make test` name: words in their sources, without tests that other runs do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = ("pytest.mark.proof", "pytest.mark.slow")  # as decorators of a test


def is_in_every_run(test: ast.FunctionDef) -> bool:
    """Return whether `make test` runs the test, by its decorators."""
    return not any(ast.unparse(each).startswith(LEFT_OUT) for each in test.decorator_list)


@cache
def words_of_tests() -> frozenset[str]:
    """Return all words, also those joined by dashes, in the tests that `make test` runs."""
    found: set[str] = set()
    for path in sorted((ROOT / "tests").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "mark.slow" in source or "mark.proof" in source:
            source = "\n".join(_parts_in_every_run(source))
        found.update(re.findall(r"\w+(?:-\w+)*", source))
    return frozenset(found)


def _parts_in_every_run(source: str) -> Iterator[str]:
    lines = source.splitlines()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and not is_in_every_run(node):
            continue
        yield "\n".join(lines[node.lineno - 1 : node.end_lineno])
