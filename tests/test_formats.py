"""docs/formats/ is what the models say."""

import io

import pytest
from django.core.management import call_command

from tests.tools.formats import FOLDER, FORMATS, schema_path, schema_text


@pytest.mark.parametrize("kind", FORMATS)
def test_the_schema_file_equals_the_model(kind):
    assert schema_path(kind).read_text(encoding="utf-8") == schema_text(kind), (
        "run `python -m tests.tools.formats` and look at what it changed in docs/formats/"
    )


def test_every_schema_file_has_a_model():
    files = {path.name.removesuffix(".schema.json") for path in FOLDER.glob("*.schema.json")}
    assert files
    assert files == set(FORMATS)


def test_the_schema_of_the_api_is_valid_and_leaves_nothing_to_guess():
    call_command("spectacular", validate=True, fail_on_warn=True, stdout=io.StringIO())
