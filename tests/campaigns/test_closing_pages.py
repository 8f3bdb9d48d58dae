"""Closing a round on its page: the consequences are shown first, then every step."""

import pytest
from django.urls import reverse

from campaigns import tasks
from campaigns.army_lists.services import lists_reveal
from campaigns.models import RoundClose
from campaigns.results.services import report_make
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_round
from tests.campaigns.test_results import owner

pytestmark = pytest.mark.django_db


@pytest.fixture
def row():
    """An open round with two matches: one reported by one side, one by nobody."""
    row = a_round(a_campaign(absent_rule="draw"))
    match = lists_reveal(match=a_match(row))
    report_make(match=match, side=0, content={"muster": "report/1", "winner": "attacker"}, by=owner(match, 0))
    a_match(row)
    return row


@pytest.fixture
def organiser(client, row):
    player = row.campaign.club.memberships.get(role="organiser").player
    client.force_login(player)
    return player


@pytest.fixture
def queued_tasks(monkeypatch):
    queued_tasks = []
    monkeypatch.setattr(tasks.round_close_run, "delay", queued_tasks.append)
    return queued_tasks


def page(client, row, **headers):
    response = client.get(reverse("campaigns:round", args=[row.campaign_id, row.number]), headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def close(client, row):
    return client.post(reverse("campaigns:round_act", args=[row.campaign_id, row.number]), {"act": "close"})


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("draw", "It counts as a draw"),
        (
            "forfeit",
            "neither submitted a list nor reported forfeits",
        ),
        ("orders", "It is simulated at once"),
    ],
)
def test_page_shows_the_fate_of_undecided_matches(client, row, organiser, rule, expected):
    type(row.campaign).objects.update(absent_rule=rule)
    before = page(client, row)
    assert "Close round 1 now" in before
    assert "1 reported by one side" in before
    assert "That report counts" in before
    assert "1 not reported" in before
    assert expected in before


def test_page_drops_single_reports_if_both_are_required(client, row, organiser):
    type(row.campaign).objects.update(confirms_by_deadline=False)
    assert "That report counts" not in page(client, row)


def test_page_shows_closing_steps_until_done(client, row, organiser, queued_tasks, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        assert close(client, row).status_code == 302
        assert close(client, row).status_code == 302
    job = RoundClose.objects.get()
    assert queued_tasks == [job.pk]
    asked = page(client, row)
    assert 'hx-trigger="every 1s"' in asked
    assert "Close round 1 now" not in asked
    part = page(client, row, **{"HX-Request": "true"})
    assert part.startswith('<div id="closing"')
    tasks.round_close_run(job.pk)
    over = client.get(reverse("campaigns:round", args=[row.campaign_id, row.number]), headers={"HX-Request": "true"})
    part = over.content.decode()
    assert over.headers["HX-Refresh"] == "true"
    assert "hx-trigger" not in part
    for text in ("1 single report counted", "1 match: a draw", "closed"):
        assert text in part
    whole = page(client, row)
    assert "Closing summary" in whole
    assert client.get(reverse("campaigns:gazette", args=[row.campaign_id, 1])).status_code == 200
    assert reverse("campaigns:gazette", args=[row.campaign_id, 1]) in whole
    assert "1 single report counted" in whole


def test_failed_closing_can_be_started_again(client, row, organiser, queued_tasks):
    close(client, row)
    job = RoundClose.claim(RoundClose.objects.get().pk)
    job.fail("The round could not be closed.")
    failed = page(client, row)
    assert "The round could not be closed." in failed
    assert "failed" in failed
    assert "hx-trigger" not in failed
    assert "Close round 1 now" in failed
    close(client, row)
    assert RoundClose.objects.get().status == "queued"


def test_only_organisers_close_a_round(client, row, queued_tasks):
    for player, status in ((None, 302), (a_member(row.campaign.club), 403), (a_member(a_club(name="Other")), 403)):
        if player:
            client.force_login(player)
        assert close(client, row).status_code == status
        assert "Close round 1 now" not in page(client, row)
    assert not RoundClose.objects.exists()


@pytest.mark.slow
def test_page_queries_do_not_grow_with_matches(client, row, organiser, django_assert_max_num_queries):
    counts = []
    for _ in range(2):
        with django_assert_max_num_queries(12) as queries:
            page(client, row)
        counts.append(len(queries))
        for _ in range(3):
            a_match(row)
    assert counts[0] == counts[1]
