"""Operation ids of the API end in one verb for each kind of act (decision 0042)."""

from __future__ import annotations

import re

import pytest
from drf_spectacular.generators import SchemaGenerator

VERBS = ("create", "update", "delete", "list", "retrieve")
VAGUE = ("add", "ask", "change", "drop", "get", "make", "post", "put", "remove", "say", "send", "set", "show")
OWN_NAMES = {  # acts that are called by their own name where a verb would be expected
    "companies_export": "the counterpart of companies_import",
    "clubs_restore": "an act; the address below it shows how far it is",
    "pilots_learn": "the list holds choices; the act teaches one of them",
    "pilot_names_roll": "nothing is stored: every call rolls other names",
    "company_names_roll": "nothing is stored: every call rolls another name",
}


@pytest.fixture(scope="module")
def description():
    return SchemaGenerator().get_schema(request=None, public=True)


@pytest.fixture(scope="module")
def operations(description):
    """Return method, path, and operation id of every operation."""
    return [
        (method, path, operation["operationId"])
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]


def answers_with_list(description, path):
    """Return whether GET answers with a list, or with a page of one."""
    contents = description["paths"][path]["get"]["responses"]["200"].get("content", {})
    schema = contents.get("application/json", {}).get("schema", {})
    parts = description["components"]["schemas"]
    schema = parts[schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else schema
    return schema.get("type") == "array" or "results" in schema.get("properties", {})


def is_collection(description, path):
    """Return whether an address holds entries: they are listed, or have addresses of their own."""
    has_entries = any(re.fullmatch(re.escape(path) + r"\{\w+\}/", other) for other in description["paths"])
    return has_entries or ("get" in description["paths"][path] and answers_with_list(description, path))


def expected_verb(description, method, path):
    if method == "get":
        return "list" if answers_with_list(description, path) else "retrieve"
    if method == "post":
        return "create" if is_collection(description, path) else None
    return {"put": "update", "patch": "update", "delete": "delete"}[method]


def test_operation_id_ends_in_verb_of_its_kind(description, operations):
    wrong = []
    for method, path, name in operations:
        verb = expected_verb(description, method, path)
        if name not in OWN_NAMES and verb and not name.endswith(f"_{verb}"):
            wrong.append(f"{method} {path}: {name}, expected ..._{verb}")
    assert not wrong


def test_act_has_its_own_name(description, operations):
    """A POST on an act ends in the act, or in `create`: never in another kind of act or a vague word."""
    ends = {name: name.rsplit("_", 1)[-1] for method, _, name in operations if method == "post"}
    assert [name for name, end in ends.items() if end in (*VERBS[1:], *VAGUE)] == []


def test_exceptions_are_needed(description, operations):
    verbs = {name: expected_verb(description, method, path) for method, path, name in operations}
    assert [name for name in OWN_NAMES if not verbs[name]] == []


def test_operation_ids_are_unique(operations):
    names = [name for _, _, name in operations]
    assert len(names) == len(set(names))
