"""A league of Blazing Steel with scripted dice."""

from __future__ import annotations

import pytest

from campaigns.models import Campaign
from systems import roster_rules, season_rules
from tests.campaigns.builders import a_campaign
from tests.campaigns.corrections import Faces

SLUG = "blazing-steel"


@pytest.fixture
def faces(monkeypatch) -> Faces:
    return Faces(monkeypatch)


@pytest.fixture
def league() -> Campaign:
    return a_campaign(
        system=SLUG,
        scenarios=[{"value": "skirmish", "name": "Skirmish"}],
        options={},
        tie_breakers=list(season_rules(SLUG).tie_breakers),
        catalogue_release=roster_rules(SLUG).catalogue_release,
    )
