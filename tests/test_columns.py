"""Rows of values are matched to the fields of their class by name, never by position."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

import pytest

from rosters.database.queries import columns

ROOT = Path(__file__).resolve().parent.parent
MAX_PLAIN = 3  # columns that can be told apart by position


class Row(NamedTuple):
    pk: int
    name: str
    owner: str


def test_columns_follow_the_fields_of_the_class():
    assert columns(Row, owner="company__owner__username", name="company__name") == (
        "pk",
        "company__name",
        "company__owner__username",
    )


def test_columns_follow_the_arguments_of_a_function():
    def read(pk: int, *, name: str = "") -> str:
        return name

    assert columns(read, name="company__name") == ("pk", "company__name")


def test_columns_refuse_a_field_that_the_class_lacks():
    with pytest.raises(TypeError, match="takes no callsign, rank"):
        columns(Row, rank="pilot__rank", callsign="pilot__callsign")


def positional_calls(source: str) -> list[int]:
    """Return the lines of `values_list` calls whose rows have more than MAX_PLAIN columns, read by position."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        call.lineno
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "values_list"
        and not any(word.arg == "named" for word in call.keywords)
        and (sum(not isinstance(arg, ast.Starred) for arg in call.args) > MAX_PLAIN or any(map(is_unnamed, call.args)))
    ]


def is_unnamed(arg: ast.expr) -> bool:
    """Return whether it unpacks columns that don't come from `columns(...)`."""
    if not isinstance(arg, ast.Starred):
        return False
    call = arg.value
    return not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "columns")


@pytest.mark.parametrize(
    ("call", "is_refused"),
    [
        ('values_list("pk", "name", "state")', False),
        ('values_list("pk", "name", "state", "owner")', True),
        ('values_list("pk", "name", "state", "owner", named=True)', False),
        ('values_list("pk", *NAMES)', True),
        ('values_list("pk", *columns(Row, name="company__name"))', False),
        ('values_list("pk", "name", "state", "owner", *columns(Row))', True),
    ],
)
def test_guard_refuses_columns_by_position(call: str, is_refused: bool):
    assert positional_calls(f"rows.{call}") == ([1] if is_refused else [])


@pytest.mark.slow
def test_no_values_list_is_read_by_position():
    files = [path for app in ("config", "campaigns", "battles", "rosters") for path in (ROOT / app).rglob("*.py")]
    found = {str(path.relative_to(ROOT)): positional_calls(path.read_text(encoding="utf-8")) for path in files}
    assert {path: lines for path, lines in found.items() if lines} == {}, "use columns(Row, ...) or named=True"
