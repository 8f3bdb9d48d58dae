"""A match's live table: one for both players, and a report form filled in from it."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from battles.live.sheet import WINNER
from battles.models import LiveTable
from campaigns.army_lists.services import lists_reveal
from campaigns.live_tables import match_table_seat, table_report
from campaigns.models import MatchState, MatchTable
from campaigns.results.services import report_make
from rosters.models import LedgerEntry
from rosters.services import RefusedError
from tests.battles.live.builders import mark
from tests.builders import a_player
from tests.campaigns.builders import a_match
from tests.campaigns.test_results import key, owner
from tests.test_edit_conflicts import form_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return lists_reveal(match=a_match())


def seats(match):
    return [match_table_seat(match=match, side=side, by=owner(match, side)) for side in (0, 1)]


def test_both_sides_get_seats_at_the_same_table(match):
    ann, ben = seats(match)
    assert (ann.table, ann.side, ben.side) == (ben.table, 0, 1)
    assert match_table_seat(match=match, side=0, by=owner(match, 0)) == ann
    assert LiveTable.objects.count() == 1
    assert ann.table.code is None, "nobody else can join"


def test_only_the_two_sides_get_a_seat(match):
    with pytest.raises(RefusedError, match="don't play in this match"):
        match_table_seat(match=match, side=0, by=a_player())
    with pytest.raises(RefusedError, match="don't play in this match"):
        match_table_seat(match=match, side=1, by=owner(match, 0))


def test_table_exists_only_between_reveal_and_decision(match):
    closed = a_match(match.round, match.attacker, match.defender)
    with pytest.raises(RefusedError, match="revealed yet"):
        match_table_seat(match=closed, side=0, by=owner(closed, 0))
    type(match).objects.filter(pk=match.pk).update(state=MatchState.VOID)
    match.refresh_from_db()
    with pytest.raises(RefusedError, match="decided"):
        match_table_seat(match=match, side=0, by=owner(match, 0))


def test_marks_fill_both_reports_and_confirm_the_match(match):
    ann, ben = seats(match)
    killer, victim = key(match, 0), key(match, 1)
    mark(ben, f"{victim}.hits", 2)
    mark(ann, f"{killer}.fate-kills", 1)
    mark(ann, WINNER, "attacker")
    report = table_report(match, 0)
    assert report["units"] == {killer: {"kills": 1}, victim: {"hits_lost": 2, "destroyed": True}}
    for side in (0, 1):
        client, path = Client(), reverse("campaigns:match_report", args=[match.key])
        client.force_login(owner(match, side))
        page = client.get(path)
        assert "Filled in from your game. Check it before you send it" in page.content.decode()
        answer = client.post(path, form_on(page, path))
        assert answer.status_code == 302, re.findall(r"errorlist.*?</ul>", answer.content.decode(), re.DOTALL)
    match.refresh_from_db()
    assert (match.state, match.outcome) == (MatchState.CONFIRMED, "attacker")
    assert LedgerEntry.objects.filter(company=match.attacker.company, kind="kill").exists()
    table = LiveTable.objects.get()
    assert table.ended_at is not None
    assert table.dice.secret, "and its dice are open"


def test_existing_report_is_not_filled_in_from_the_table(match):
    ann, _ = seats(match)
    mark(ann, WINNER, "defender")
    report_make(match=match, side=0, content={"muster": "report/1", "winner": "draw"}, by=owner(match, 0))
    client = Client()
    client.force_login(owner(match, 0))
    page = client.get(reverse("campaigns:match_report", args=[match.key])).content.decode()
    assert "Filled in from your game. Check it before you send it" not in page


def test_sheet_links_to_the_report_then_to_the_match(match):
    ann, _ = seats(match)
    client = Client()
    client.force_login(owner(match, 0))
    sheet = reverse("battles:seat", args=[ann.key])
    mark(ann, WINNER, "draw")
    assert f"{reverse('campaigns:match_report', args=[match.key])}?side=attacker" in client.get(sheet).content.decode()
    report_make(match=match, side=0, content={"muster": "report/1", "winner": "draw"}, by=owner(match, 0))
    report_make(match=match, side=1, content={"muster": "report/1", "winner": "draw"}, by=owner(match, 1))
    page = client.get(sheet).content.decode()
    assert reverse("campaigns:match", args=[match.key]) in page
    assert 'name="agree"' not in page


def test_match_page_offers_the_table_after_the_reveal(match):
    client = Client()
    client.force_login(owner(match, 0))
    page = client.get(reverse("campaigns:match", args=[match.key])).content.decode()
    path = reverse("campaigns:match_table", args=[match.key])
    assert path in page
    answer = client.post(path)
    assert answer["Location"] == reverse("battles:seat", args=[MatchTable.objects.get().table.seats.get(side=0).key])
    closed = a_match(match.round, match.attacker, match.defender)
    assert (
        reverse("campaigns:match_table", args=[closed.key])
        not in client.get(reverse("campaigns:match", args=[closed.key])).content.decode()
    )
