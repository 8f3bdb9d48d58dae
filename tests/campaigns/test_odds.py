"""Odds of matches: the site's jobs and visitors' jobs don't block each other."""

from itertools import product

import pytest
from django.urls import reverse

from battles.models import ASKED_BY_SITE, Forecast
from battles.odds.services import forecast_ask, forecast_cancel, forecast_work
from battles.selectors.battle import luck_report
from battles.services import limits
from campaigns.army_lists.services import ODDS_RUNS, list_submit, lists_reveal, odds_publish, odds_store, orders_publish
from campaigns.enrolments.services import orders_set
from campaigns.models import Match
from campaigns.planning.pairing_odds import match_chance
from campaigns.planning.services import round_open
from campaigns.results.services import report_make
from campaigns.rounds.closing import ABSENT_ACTIONS
from rosters.services import RefusedError
from rosters.site.visitors import visitor_mark
from systems.reading import stored_setup
from tests.battles.builders import duel
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.test_results import document, owner

pytestmark = pytest.mark.django_db


def open_round(matches, **fields):
    """Open a round with this many matches, in a campaign that simulates absent players' matches."""
    campaign = a_campaign(**{"absent_rule": "orders", **fields})
    planned = a_round(campaign, "planned", deadline=None)
    for _ in range(matches):
        a_match(planned, dice=None)
    return round_open(round_=planned, by=None)


def test_every_match_of_a_round_gets_odds():
    round_ = open_round(20)
    assert Match.objects.filter(round=round_, forecast=None).count() == 0
    assert Forecast.objects.count() == 20
    assert set(Forecast.objects.values_list("asked_by", "asked_from", "runs_asked")) == {
        (None, ASKED_BY_SITE, ODDS_RUNS)
    }


def test_match_odds_are_published_despite_visitor_limits():
    for asked in range(limits.OPEN_VISITORS_TOGETHER):
        forecast_ask(setup=duel(), runs=10, seed=asked, visitor=f"visitor {asked}")
    with pytest.raises(RefusedError, match="Many visitors"):
        forecast_ask(setup=duel(), runs=10, seed=999, visitor="one more")
    assert Match.objects.filter(round=open_round(2), forecast=None).count() == 0


def test_site_jobs_do_not_count_against_visitors():
    open_round(20)
    Forecast.objects.update(status="running")
    for seed in range(limits.OPEN_VISITOR):
        assert forecast_ask(setup=duel(), runs=10, seed=seed, visitor="a visitor")[1]
    for seed in range(limits.OPEN_VISITORS_TOGETHER - limits.OPEN_VISITOR):
        assert forecast_ask(setup=duel(), runs=10, seed=100 + seed, visitor=f"visitor {seed}")[1]


def test_visitor_marks_differ_from_the_site(rf):
    assert len(visitor_mark(rf.get("/"))) == 32
    assert set(visitor_mark(rf.get("/"))) <= set("0123456789abcdef")
    assert not set(ASKED_BY_SITE) <= set("0123456789abcdef")


def test_site_jobs_are_spaced_out(monkeypatch, django_capture_on_commit_callbacks):
    from battles.tasks import forecast_run

    sent = []
    monkeypatch.setattr(forecast_run, "apply_async", lambda args, kwargs=None, countdown=0: sent.append(countdown))
    with django_capture_on_commit_callbacks(execute=True):
        open_round(limits.MAX_SITE_JOBS + 2)
        forecast_ask(setup=duel(), runs=10, visitor="a visitor")
    assert sent == [0] * limits.MAX_SITE_JOBS + [limits.SITE_DELAY_STEP, 2 * limits.SITE_DELAY_STEP, 0]


def test_site_forecast_cannot_be_cancelled():
    match = lists_reveal(match=a_match(a_round(a_campaign(absent_rule="orders"))))
    known = match.forecast
    asker = a_player()
    Forecast.objects.filter(pk=known.pk).update(asked_by=asker, asked_from="")
    again, is_new = forecast_ask(setup=match.setup, runs=ODDS_RUNS, visitor=ASKED_BY_SITE, best_styles=True)
    assert (again.pk, is_new) == (known.pk, False)
    with pytest.raises(RefusedError, match="Only who asked"):
        forecast_cancel(forecast=again, actor=asker)


def test_page_and_api_explain_missing_odds(client):
    campaign = a_campaign(absent_rule="orders")
    planned = a_round(campaign, "planned", deadline=None)
    empty = a_mustered_company(name="Ghosts")
    match = a_match(planned, an_enrolment(campaign, empty), dice=None)
    empty.units.update(pilot=None)
    round_open(round_=planned, by=None)
    match.refresh_from_db()
    assert (match.forecast, match.no_odds) == (None, "Ghosts has no ready unit with a pilot.")
    assert match.no_odds in client.get(reverse("campaigns:match", args=[match.key])).content.decode()
    data = client.get(reverse("api-match", args=[match.key])).json()
    assert (data["odds"], data["no_odds"]) == (None, match.no_odds)


def test_match_without_autoplay_gives_no_odds_reason():
    planned = a_round(a_campaign(), "planned", deadline=None)
    match = a_match(planned, dice=None)
    match.attacker.company.units.update(pilot=None)
    round_open(round_=planned, by=None)
    match.refresh_from_db()
    assert (match.forecast, match.no_odds) == (None, "")


@pytest.mark.parametrize("rule", ["forfeit", "draw", "orders"])
def test_odds_do_not_depend_on_the_absent_rule(rule):
    assert Match.objects.filter(round=open_round(1, absent_rule=rule, counts_odds=True), forecast=None).count() == 0


def test_campaign_can_turn_odds_off(client):
    campaign = a_campaign(counts_odds=True)
    client.force_login(campaign.club.memberships.get().player)
    path = reverse("api-campaign", args=[campaign.pk])
    data = client.patch(path, {"counts_odds": False}, content_type="application/json").json()
    assert data["counts_odds"] is False
    planned = a_round(campaign, "planned", deadline=None)
    match = a_match(planned, dice=None)
    round_open(round_=planned, by=None)
    match.refresh_from_db()
    assert (match.forecast, match.no_odds) == (None, "")


def test_new_campaign_calculates_odds_by_default(client):
    club = a_club()
    client.force_login(club.memberships.get().player)
    page = client.get(reverse("campaigns:campaign_new", args=[club.slug]))
    assert page.context["form"]["counts_odds"].value() is True
    data = {"club": club.slug, "system": "meks-and-mercs", "name": "War"}
    made = client.post(reverse("api-campaigns"), data, content_type="application/json").json()
    assert (made["absent_rule"], made["counts_odds"]) == ("forfeit", True)


def test_migration_keeps_the_odds_setting_of_campaigns():
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


def test_migration_removes_odds_that_reveal_orders():
    from importlib import import_module

    from django.apps import apps

    match = lists_reveal(match=a_match(a_round(a_campaign(counts_odds=True))))
    assert match.forecast is not None
    match.setup["sides"][0]["standing"] = {"retreat": 1}
    match.save(update_fields=["setup"])
    import_module("campaigns.migrations.0180_odds_of_their_own").hide_orders(apps, None)
    match.refresh_from_db()
    assert match.forecast is None
    assert "have ordered" in match.no_odds


# --- AI styles ----------------------------------------------------------------------------------------------------------


def submit_lists(match, *styles):
    """Submit everything both sides have, naming these AI styles."""
    for side, style in enumerate(styles):
        company = (match.attacker, match.defender)[side].company
        units = list(company.units.order_by("pk").values_list("pk", flat=True))
        match = list_submit(match=match, side=side, units=units, doctrine=style, by=company.owner)
    return Match.objects.get(pk=match.pk)


def a_mirror(**fields):
    """A match of two equal companies, where naming the weaker AI style makes a side the underdog."""
    campaign = a_campaign(**{"counts_odds": True, **fields})
    band = ("wasp", "wasp", "viper", "viper")
    sides = [an_enrolment(campaign, a_mustered_company(None, *band, name=name)) for name in ("Ants", "Bees")]
    return a_match(a_round(campaign), *sides)


def styles_of(setup):
    return [side["doctrine"] for side in setup["sides"]]


def first_thousand(forecast):
    """Return the forecast after its first thousand battles."""
    part = forecast_work(forecast=forecast).count(0, 1000)
    body, done, _ = forecast_work(forecast=forecast).add({}, part)
    Forecast.objects.filter(pk=forecast.pk).update(counts=body, runs_done=done)
    forecast.refresh_from_db()
    return forecast


@pytest.mark.parametrize("named", [("cautious", "aggressive"), ("aggressive", "cautious"), ("cautious", "cautious")])
def test_published_odds_use_the_best_ai_styles(named):
    match = submit_lists(a_mirror(), *named)
    assert styles_of(match.setup) == list(named)
    forecast = first_thousand(match.forecast)
    assert not forecast.picks_styles
    assert styles_of(forecast.setup) == ["aggressive", "aggressive"]
    battle = forecast.counts["battle"]
    assert abs(battle["attacker_wins"] - battle["defender_wins"]) < 120, "equal companies have even odds"


def test_named_ai_styles_do_not_change_the_forecast():
    match = submit_lists(a_mirror(), "aggressive", "cautious")
    asked = []
    for pair in product(("aggressive", "cautious"), repeat=2):
        sides = [{**side, "doctrine": style} for side, style in zip(match.setup["sides"], pair, strict=True)]
        odds_publish(match, {**match.setup, "sides": sides})
        asked.append(match.forecast_id)
    assert len(set(asked)) == 1


def test_odds_before_the_reveal_ignore_orders():
    match = a_mirror()
    for side in (match.attacker, match.defender):
        orders_set(enrolment=side, doctrine="cautious", by=side.company.owner)
    orders_publish(match)
    assert styles_of(match.forecast.setup) == ["aggressive", "aggressive"]
    assert match.forecast.picks_styles


def test_simulated_match_gets_odds_of_its_ai_styles():
    match = submit_lists(a_mirror(absent_rule="orders"), "cautious", "aggressive")
    published = match.forecast_id
    assert Forecast.objects.count() == 2, "requested in time"
    ABSENT_ACTIONS["orders"](match)
    match = Match.objects.get(pk=match.pk)
    assert match.state == "auto-resolved"
    assert match.forecast_id != published
    assert not match.forecast.picks_styles
    assert styles_of(match.forecast.setup) == ["cautious", "aggressive"]
    first_thousand(match.forecast)
    odds_store(Match.objects.filter(pk=match.pk))
    match.refresh_from_db()
    assert match.odds["attacker_wins"] < match.odds["defender_wins"]


def test_page_names_the_ai_styles_of_the_odds(client):
    match = submit_lists(a_mirror(absent_rule="orders"), "cautious", "aggressive")
    page = reverse("campaigns:match", args=[match.key])
    assert "the AI style that gives each side its best chance" in client.get(page).content.decode()
    ABSENT_ACTIONS["orders"](match)
    assert "Simulated in the AI styles both sides chose for the match" in client.get(page).content.decode()


def test_odds_of_planned_pairs_ignore_orders():
    match = a_mirror()
    honest = match_chance(match)
    for side in (match.attacker, match.defender):
        orders_set(enrolment=side, doctrine="cautious", by=side.company.owner)
        assert match_chance(Match.objects.get(pk=match.pk)) == honest


def test_luck_report_uses_the_published_odds():
    """The battle's set-up has orders and names other AI styles than the published odds."""
    match = submit_lists(a_mirror(), "cautious", "cautious")
    first_thousand(match.forecast)
    for side in (0, 1):
        match = report_make(match=match, side=side, content=document(), by=owner(match, side))
    battle = match.battle
    report = luck_report(battle, stored_setup(battle.setup), ())
    assert report.forecast == match.forecast
