"""Visibility that depends on something else: the club, the deadline, membership."""

import pytest
from django.test import Client
from django.urls import reverse

from battles.models import Battle
from campaigns.activity_log import log_match_activity
from campaigns.army_lists.services import lists_reveal
from campaigns.models import ActivityLogEntry, Role
from campaigns.planning.services import round_open
from campaigns.policy import log_entries_visible_to_role
from campaigns.results.services import match_refuse, report_make
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_round
from tests.campaigns.corrections import COMPENSATE, correct_match, report

pytestmark = [pytest.mark.any_database, pytest.mark.django_db]


@pytest.mark.parametrize(
    ("club", "campaign", "visibility"), [(True, True, "public"), (True, False, "link"), (False, True, "link")]
)
def test_battle_is_listed_if_its_campaign_is_public(club, campaign, visibility):
    row = a_campaign(a_club(is_public=club), is_public=campaign, absent_rule="draw")
    match = a_match(a_round(row))
    _report_both(match)
    assert Battle.objects.get().visibility == visibility
    match.refresh_from_db()
    correct_match(match, report(match, "defender"), COMPENSATE, a_player())
    assert match.battle.visibility == visibility
    assert Battle.objects.count() == 2


def test_opponent_sees_a_company_once_the_match_is_scheduled():
    match = a_match(a_round(a_campaign(), "planned"))
    client = Client()
    client.force_login(match.defender.company.owner)
    page = reverse("rosters:company", args=[match.attacker.company.pk])
    assert client.get(page).status_code == 404
    round_open(round_=match.round, by=None)
    assert client.get(page).status_code == 200


def test_activity_log_and_refusal_are_visible_to_members_only():
    match = a_match(a_round(a_campaign()))
    match_refuse(match=match, side=0, reason="Moving house", by=match.attacker.company.owner)
    page = reverse("campaigns:match", args=[match.key])
    assert "Moving house" not in Client().get(page).content.decode()
    client = Client()
    client.force_login(a_member(match.round.campaign.club))
    assert client.get(page).content.decode().count("Moving house") == 2


def test_entries_about_a_planned_match_are_for_organisers():
    match = a_match(a_round(a_campaign(), "planned"))
    log_match_activity(match, "Changed table 1", None)

    def read(role):
        return ActivityLogEntry.objects.filter(log_entries_visible_to_role(role), match=match).exists()

    assert [role for role in Role if read(role)] == [Role.ORGANISER]
    round_open(round_=match.round, by=None)
    assert all(map(read, Role))


def _report_both(match):
    opened = lists_reveal(match=match)
    for side, enrolment in enumerate((match.attacker, match.defender)):
        content = {"muster": "report/1", "winner": "draw", "units": {}}
        report_make(match=opened, side=side, content=content, by=enrolment.company.owner)
