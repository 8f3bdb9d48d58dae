"""docs/formats/ matches the models."""

import io
import json

import pytest
from django.core.management import call_command

from campaigns.results.report import parse_report
from rosters.paper.orders import read_order
from systems.reading import read_design, read_setup
from tests.tools.formats import FOLDER, FORMATS, schema_path, schema_text


@pytest.mark.parametrize("kind", FORMATS)
def test_schema_file_matches_the_model(kind):
    assert schema_path(kind).read_text(encoding="utf-8") == schema_text(kind), (
        "run `python -m tests.tools.formats` and look at what it changed in docs/formats/"
    )


def test_every_schema_file_has_a_model():
    files = {path.name.removesuffix(".schema.json") for path in FOLDER.glob("*.schema.json")}
    assert files
    assert files == set(FORMATS)


def test_api_schema_is_valid_and_complete():
    call_command("spectacular", format="openapi-json", validate=True, fail_on_warn=True, stdout=io.StringIO())


@pytest.mark.parametrize(
    ("kind", "read"),
    {"design-1": read_design, "setup-1": read_setup, "report-1": parse_report, "print-1": read_order}.items(),
)
def test_example_in_a_schema_is_valid(kind, read):
    (example,) = json.loads(schema_text(kind))["examples"]
    assert read(example)
