"""The odds of matches are the site's own question: never refused for what visitors ask, nor they for them."""

import pytest
from django.urls import reverse

from battles.models import SITE, Forecast
from battles.services import limits
from battles.services.forecasts import forecast_ask, forecast_call_off
from campaigns.models import Match
from campaigns.services.forces import forces_open
from campaigns.services.odds import BATTLES
from campaigns.services.rounds import round_open
from rosters.services import RefusedError
from rosters.site.visitors import visitor_mark
from tests.battles.builders import duel
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db


def opened(matches, **fields):
    """A round of so many matches of a campaign that fights absent players' matches, just opened."""
    campaign = a_campaign(**{"absent_rule": "orders", **fields})
    planned = a_round(campaign, "planned", deadline=None)
    for _ in range(matches):
        a_match(planned, dice=None)
    return round_open(round_=planned, by=None)


def test_every_match_of_a_round_of_twenty_gets_its_odds():
    round_ = opened(20)
    assert Match.objects.filter(round=round_, forecast=None).count() == 0
    assert Forecast.objects.count() == 20
    assert set(Forecast.objects.values_list("asked_by", "asked_from", "runs_asked")) == {(None, SITE, BATTLES)}


def test_they_are_published_however_much_visitors_ask():
    for asked in range(limits.OPEN_VISITORS_TOGETHER):
        forecast_ask(setup=duel(), runs=10, seed=asked, visitor=f"visitor {asked}")
    with pytest.raises(RefusedError, match="Many visitors"):
        forecast_ask(setup=duel(), runs=10, seed=999, visitor="one more")
    assert Match.objects.filter(round=opened(2), forecast=None).count() == 0


def test_visitors_are_not_refused_for_what_the_site_asked():
    opened(20)
    Forecast.objects.update(status="running")
    for seed in range(limits.OPEN_VISITOR):
        assert forecast_ask(setup=duel(), runs=10, seed=seed, visitor="a visitor")[1]
    for seed in range(limits.OPEN_VISITORS_TOGETHER - limits.OPEN_VISITOR):
        assert forecast_ask(setup=duel(), runs=10, seed=100 + seed, visitor=f"visitor {seed}")[1]


def test_no_visitor_is_taken_for_the_site(rf):
    assert len(visitor_mark(rf.get("/"))) == 32
    assert set(visitor_mark(rf.get("/"))) <= set("0123456789abcdef")
    assert not set(SITE) <= set("0123456789abcdef")


def test_the_sites_counts_come_one_after_the_other_so_that_others_get_in_between(
    monkeypatch, django_capture_on_commit_callbacks
):
    from battles.tasks import forecast_run

    sent = []
    monkeypatch.setattr(forecast_run, "apply_async", lambda args, kwargs=None, countdown=0: sent.append(countdown))
    with django_capture_on_commit_callbacks(execute=True):
        opened(limits.SITE_AT_ONCE + 2)
        forecast_ask(setup=duel(), runs=10, visitor="a visitor")
    assert sent == [0] * limits.SITE_AT_ONCE + [limits.SITE_PAUSE, 2 * limits.SITE_PAUSE, 0]


def test_what_the_site_wants_to_know_nobody_calls_off():
    match = forces_open(match=a_match(a_round(a_campaign(absent_rule="orders"))))
    known = match.forecast
    asker = a_player()
    Forecast.objects.filter(pk=known.pk).update(asked_by=asker, asked_from="")
    again, is_new = forecast_ask(setup=match.setup, runs=BATTLES, visitor=SITE)
    assert (again.pk, is_new) == (known.pk, False)
    with pytest.raises(RefusedError, match="Only who asked"):
        forecast_call_off(forecast=again, actor=asker)


def test_the_page_and_the_api_say_why_a_match_has_no_odds(client):
    campaign = a_campaign(absent_rule="orders")
    planned = a_round(campaign, "planned", deadline=None)
    empty = a_mustered_company(name="Ghosts")
    match = a_match(planned, an_enrolment(campaign, empty), dice=None)
    empty.units.update(pilot=None)
    round_open(round_=planned, by=None)
    match.refresh_from_db()
    assert (match.forecast, match.no_odds) == (None, "Ghosts has no unit that is ready and has a pilot.")
    assert match.no_odds in client.get(reverse("campaigns:match", args=[match.key])).content.decode()
    told = client.get(reverse("api-match", args=[match.key])).json()
    assert (told["odds"], told["no_odds"]) == (None, match.no_odds)


def test_where_no_match_is_fought_by_orders_nothing_is_said_of_odds():
    planned = a_round(a_campaign(), "planned", deadline=None)
    match = a_match(planned, dice=None)
    match.attacker.company.units.update(pilot=None)
    round_open(round_=planned, by=None)
    match.refresh_from_db()
    assert (match.forecast, match.no_odds) == (None, "")


@pytest.mark.parametrize("rule", ["forfeit", "draw", "orders"])
def test_odds_are_counted_whatever_becomes_of_what_nobody_reports(rule):
    assert Match.objects.filter(round=opened(1, absent_rule=rule, counts_odds=True), forecast=None).count() == 0


def test_a_campaign_that_turns_them_off_has_none_of_matches_to_come(client):
    campaign = a_campaign(counts_odds=True)
    client.force_login(campaign.club.memberships.get().player)
    path = reverse("api-campaign", args=[campaign.pk])
    told = client.patch(path, {"counts_odds": False}, content_type="application/json").json()
    assert told["counts_odds"] is False
    planned = a_round(campaign, "planned", deadline=None)
    match = a_match(planned, dice=None)
    round_open(round_=planned, by=None)
    match.refresh_from_db()
    assert (match.forecast, match.no_odds) == (None, "")


def test_a_new_campaign_counts_them_unless_its_organiser_says_otherwise(client):
    club = a_club()
    client.force_login(club.memberships.get().player)
    page = client.get(reverse("campaigns:campaign_new", args=[club.slug]))
    assert page.context["form"]["counts_odds"].value() is True
    told = {"club": club.slug, "system": "meks-and-mercs", "name": "War"}
    made = client.post(reverse("api-campaigns"), told, content_type="application/json").json()
    assert (made["absent_rule"], made["counts_odds"]) == ("forfeit", True)


def test_campaigns_that_were_begun_before_keep_what_they_had():
    from importlib import import_module

    from django.apps import apps

    moved = import_module("campaigns.migrations.0180_odds_of_their_own")
    rows = [
        a_campaign(a_club(name=f"Club {at}"), state=state, absent_rule=rule, counts_odds=True)
        for at, (state, rule) in enumerate([("running", "forfeit"), ("running", "orders"), ("draft", "forfeit")])
    ]
    moved.keep_what_they_had(apps, None)
    for row in rows:
        row.refresh_from_db()
    assert [row.counts_odds for row in rows] == [False, True, True]


def test_matches_under_way_lose_odds_that_told_their_orders():
    from importlib import import_module

    from django.apps import apps

    match = forces_open(match=a_match(a_round(a_campaign(counts_odds=True))))
    assert match.forecast is not None
    match.setup["sides"][0]["standing"] = {"retreat": 1}
    match.save(update_fields=["setup"])
    import_module("campaigns.migrations.0180_odds_of_their_own").hide_orders(apps, None)
    match.refresh_from_db()
    assert match.forecast is None
    assert "have ordered" in match.no_odds
