"""The API description is generated once and sent unchanged."""

import gzip

import pydantic
import pytest
from django.urls import reverse
from drf_spectacular.views import SpectacularAPIView

from tests.builders import a_player

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "given",
    [
        {},
        pytest.param({"query_params": {"format": "json"}}, marks=pytest.mark.slow),
        pytest.param({"headers": {"accept": "application/json"}}, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_description_is_the_same_for_everybody(client, rf, given):
    first = client.get(reverse("schema"), **given)
    client.force_login(a_player())
    second = client.get(reverse("schema"), **given)
    theirs = SpectacularAPIView.as_view()(rf.get(reverse("schema"), **given)).render()
    assert first.content == second.content == theirs.content
    assert (b"/api/v1/battles/" in first.content, b"/api/schema/" in first.content) == (True, False)
    for name in ("Content-Type", "Content-Disposition", "Vary", "Allow"):
        assert name in first.headers
        assert first[name].startswith(theirs[name])


def test_unchanged_description_returns_304(client):
    first = client.get(reverse("schema"), headers={"accept-encoding": "gzip"})
    assert b"openapi" in gzip.decompress(first.content)
    again = client.get(reverse("schema"), headers={"if-none-match": first["ETag"], "accept-encoding": "gzip"})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get(reverse("schema"), {"format": "json"}, headers={"if-none-match": first["ETag"]})
    assert other.status_code == 200


def test_other_version_is_not_cached(client):
    as_json = {"format": "json"}  # YAML takes five times as long to write
    plain = client.get(reverse("schema"), as_json)
    assert client.get(reverse("schema"), as_json | {"version": "7"}).content != plain.content
    assert client.get(reverse("schema"), as_json).content == plain.content


def every_kind(of):
    for kind in of.__subclasses__():
        yield kind
        yield from every_kind(kind)


def test_api_documents_have_unique_names(client):
    """The description identifies a document by its name alone: of two with the same name it would have only one."""
    client.get(reverse("schema"))  # loads all answers
    rooms = {}
    for kind in every_kind(pydantic.BaseModel):
        if "api" in kind.__module__.split("."):
            rooms.setdefault(kind.__name__, set()).add(kind.__module__)
    assert "MatchAnswer" in rooms
    assert {name: found for name, found in rooms.items() if len(found) > 1} == {}
