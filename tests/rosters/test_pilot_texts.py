"""The texts of a pilot are declared once: what can't be derived from them agrees."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from rosters.documents.company import PilotEntry
from rosters.models import Pilot
from rosters.paper.documents import PilotDocument
from rosters.services import pilot_edit
from systems.pilots import PILOT_TEXTS, recorded_texts
from tests.builders import a_company, a_pilot, a_player


@pytest.mark.parametrize("name", PILOT_TEXTS)
def test_model_and_documents_have_every_text(name):
    field = Pilot._meta.get_field(name)
    assert (field.max_length, field.blank) == (PILOT_TEXTS[name].max_length, not PILOT_TEXTS[name].is_required)
    assert name in PilotEntry.model_fields
    assert name in PilotDocument.model_fields


def test_older_entry_may_lack_optional_texts():
    assert recorded_texts({"name": "Ana", "experience": "green"}) == {"name": "Ana"}
    with pytest.raises(KeyError):
        recorded_texts({"callsign": "Ace"})


@pytest.mark.django_db
def test_omitted_texts_stay(client):
    owner = a_player()
    company = a_company(owner)
    pilot = a_pilot(company, name="Ana", callsign="Ace")
    assert str(pilot_edit(company=company, by=owner, pilot=pilot, name="Eva")) == "Eva “Ace”"
    client.force_login(owner)
    url = reverse("api-pilot", args=[company.pk, pilot.pk])
    headers = {"if-match": client.get(url)["ETag"]}
    answer = client.patch(url, json.dumps({"callsign": "Owl"}), content_type="application/json", headers=headers)
    assert list(answer.json())[:3] == ["id", "name", "callsign"]
    assert (answer.json()["name"], answer.json()["callsign"]) == ("Eva", "Owl")


@pytest.mark.django_db
def test_unknown_text_is_an_error():
    company = a_company()
    with pytest.raises(TypeError):
        a_pilot(company, nickname="Ace")
