"""The example responses in the API's description are real, and fit their schemas."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from config.api_docs import operations
from rosters.api.schema import recorded_responses
from tests.tools.example_responses import EXAMPLES, anonymized, example_answers, write

REWRITE = "run `MUSTER_TEST_WRITE_ANSWERS=1 python -m pytest tests/permissions/test_example_responses.py` and look at what it changed"


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    return SchemaGenerator().get_schema(request=None, public=True)


def operations_with_responses(description: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each operation with its successful response."""
    for methods in description["paths"].values():
        for operation in methods.values():
            response = operation["responses"].get("200") or operation["responses"].get("201") or {}
            yield operation["operationId"], response.get("content", {}).get("application/json", {})


def structure(value: Any) -> Any:
    """Return the structure of a value: the names of an object, the structure of a list's first entry."""
    if isinstance(value, dict):
        return sorted(value)
    if isinstance(value, list):
        return [structure(value[0])] if value else []
    return None


def test_stored_examples_match_real_responses(world):
    real = dict(example_answers(world))
    if os.environ.get("MUSTER_TEST_WRITE_ANSWERS"):
        for operation, answer in real.items():
            write(operation, answer)
        recorded_responses.cache_clear()
    stored = recorded_responses()
    assert set(stored) == set(real) == set(EXAMPLES), REWRITE
    for operation, answer in real.items():
        example = anonymized(answer)
        assert structure(stored[operation]) == structure(example), f"{operation}: {REWRITE}"
        if isinstance(example, dict):
            wrong = [name for name, value in example.items() if structure(stored[operation][name]) != structure(value)]
            assert not wrong, f"{operation}, {wrong}: {REWRITE}"


def test_stored_examples_match_their_schema(description):
    found = {name: content for name, content in operations_with_responses(description) if "example" in content}
    assert set(found) == set(EXAMPLES)
    for operation, content in found.items():
        schema = {"$ref": "#/x", "x": content["schema"], "components": description["components"]}
        wrong = sorted(Draft202012Validator(schema).iter_errors(content["example"]), key=str)
        assert not wrong, f"{operation}: {wrong[0].json_path} {wrong[0].message}"


def test_api_pages_show_the_examples():
    on_pages = {each.id for _, _, group in operations() for each in group if each.answer}
    assert on_pages == set(EXAMPLES)
