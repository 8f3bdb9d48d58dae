"""Pages of a long campaign need no more queries than those of a short one."""

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.campaign.selectors import enrolment_rows
from campaigns.enrolments.selectors import enrolment_check
from campaigns.planning.selectors import EXPANDED_ROUNDS, round_sheets
from rosters.services import unit_buy, unit_sell
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db
VOID = {"state": "void", "outcome": "none"}


@pytest.fixture
def campaign():
    return a_campaign(map_kind="zones")


def rounds_played(campaign, count):
    sides = an_enrolment(campaign), an_enrolment(campaign)
    for _ in range(count):
        a_match(a_round(campaign, "closed"), *sides, **VOID)


def queries_of(client, path):
    client.get(path)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["campaign", "campaign_companies", "standings", "gazettes", "round"])
def test_page_queries_do_not_grow_with_rounds_and_companies(campaign, name):
    campaign.territories.create(position=1, name="The Ford")
    client = Client()
    client.force_login(campaign.club.memberships.get().player)
    path = reverse(f"campaigns:{name}", args=[campaign.pk, *([1] if name == "round" else [])])
    rounds_played(campaign, 1)
    few = queries_of(client, path)
    rounds_played(campaign, 4)
    assert queries_of(client, path) <= few <= {"campaign": 18, "standings": 16}.get(name, 13)  # these show most


def test_older_rounds_are_collapsed_unless_disputed(campaign):
    rounds_played(campaign, 4)
    forgotten = campaign.rounds.get(number=1).matches.get()
    type(forgotten).objects.filter(pk=forgotten.pk).update(state="disputed", outcome="")
    sheets = round_sheets(campaign, a_player(), with_planned=False)
    assert [sheet.is_folded for sheet in sheets] == [
        *[False] * EXPANDED_ROUNDS,
        True,
        False,
    ]  # a dispute keeps its round unfolded


def test_muster_check_is_recalculated_only_after_new_entries(campaign, django_assert_num_queries):
    caches["process"].clear()
    company = a_mustered_company()
    an_enrolment(campaign, company)

    def checked():
        (row,) = enrolment_rows(campaign, company.owner)
        return row.check

    with django_assert_num_queries(8):
        first = checked()
    with django_assert_num_queries(1):
        assert checked() == first
    unit = unit_buy(company=company, by=company.owner, published="wasp")
    assert checked().points == first.points + 9
    unit_sell(company=company, by=company.owner, unit=unit)
    assert checked() == enrolment_check(company, campaign)
    campaign.points = 1
    assert "allows only 1." in checked().problems[0].message
