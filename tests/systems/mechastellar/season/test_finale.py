"""The last round of a campaign of MechaStellar: losses cost no victory points."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns.house_rules import round_house_rules
from campaigns.models import Round, RoundState
from campaigns.planning.services import round_open
from rosters.services import RefusedError
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db
STELLAR: dict[str, Any] = {"scenarios": [{"value": "versus", "name": "Versus"}], "options": {}}


@pytest.fixture
def planned(stellar: str) -> Round:
    """Return a planned round with a match."""
    campaign = a_campaign(system=stellar, **STELLAR)
    row = a_round(campaign, state=RoundState.PLANNED)
    sides = [
        an_enrolment(campaign, a_mustered_company(None, "gamma-apollo", name=name, system=stellar))
        for name in ("Red", "Blue")
    ]
    a_match(row, *sides, scenario="versus", scenario_name="Versus", terrain="standard")
    return row


@pytest.mark.rule("ST-382", "ST-410")
def test_finale_round_waives_loss_penalties(planned):
    assert round_house_rules(planned) == {}
    opened = round_open(round_=planned, by=None, is_finale=True)
    assert (opened.is_finale, round_house_rules(opened)) == (True, {"finale": True})
    later = a_round(opened.campaign)
    assert round_house_rules(later) == {}


@pytest.mark.rule("ST-410")
def test_organiser_opens_finale_and_page_shows_tag(planned, client):
    campaign = planned.campaign
    client.force_login(campaign.club.memberships.get(role="organiser").player)
    page = reverse("campaigns:round", args=[campaign.pk, planned.number])
    assert 'name="is_finale"' in client.get(page).content.decode()
    round_open(round_=planned, by=None, is_finale=True)
    html = client.get(page).content.decode()
    assert 'name="is_finale"' not in html
    assert '<span class="tag">finale</span>' in html


def test_game_without_finale_offers_none(client):
    row = a_round(a_campaign(), state=RoundState.PLANNED)
    a_match(row)
    client.force_login(row.campaign.club.memberships.get(role="organiser").player)
    page = reverse("campaigns:round", args=[row.campaign.pk, row.number])
    assert "is_finale" not in client.get(page).content.decode()
    with pytest.raises(RefusedError, match="Meks & Mercs has no rules for a finale"):
        round_open(round_=row, by=None, is_finale=True)
