"""Document formats: their schemas, the list in the docs, the examples."""

import inspect
import io
import json
import re

import pytest
from django.core.management import call_command
from jsonschema import Draft202012Validator

from campaigns.results.reports import parse_report
from rosters.printing.orders import read_order
from systems.reading import read_design, read_setup
from tests.tools.formats import FOLDER, FORMATS, schema_text

ROOT, LIST = FOLDER.parents[1], FOLDER / "README.md"


@pytest.mark.parametrize("kind", FORMATS)
def test_schema_of_a_format_is_valid(kind):
    schema = json.loads(schema_text(kind))
    Draft202012Validator.check_schema(schema)
    assert schema["properties"]


def test_docs_list_every_format_with_its_model():
    rows = re.findall(r"^\| `([^`]+)` \|.*\| `(\w+)`, `([^`]+)` \|$", LIST.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [
        (kind, model.__name__, inspect.getfile(model)[len(f"{ROOT}/") :]) for kind, model in FORMATS.items()
    ]


@pytest.mark.slow
def test_api_schema_is_valid_and_complete():
    call_command("spectacular", format="openapi-json", validate=True, fail_on_warn=True, stdout=io.StringIO())


@pytest.mark.parametrize(
    ("kind", "read"),
    {"design-1": read_design, "setup-1": read_setup, "report-1": parse_report, "print-1": read_order}.items(),
)
def test_example_in_a_schema_is_valid(kind, read):
    (example,) = json.loads(schema_text(kind))["examples"]
    assert read(example)
