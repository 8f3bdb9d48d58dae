"""Autoplay orders: submitted with a list, kept with an enrolment for absent players, given to friendlies."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from campaigns.army_lists.checks import default_list, public_estimate_list
from campaigns.army_lists.services import lists_reveal, orders_publish
from campaigns.enrolments.services import orders_set
from campaigns.models import RoundClose
from campaigns.rounds.closing import round_close, round_close_work
from rosters.services import RefusedError, pilot_assign
from systems.simulation.records import verify
from tests.campaigns.builders import a_campaign, a_match, a_round, submit_list

pytestmark = pytest.mark.django_db
LONG = {"all": {"range": "long"}}


def a_match_to_fight(**settings):
    return a_match(a_round(a_campaign(absent_rule="orders", **settings)))


def unit_of(match, side):
    return (match.attacker, match.defender)[side].company.units.first()


def test_submitted_orders_appear_only_in_their_set_up():
    match = a_match_to_fight()
    one = unit_of(match, 0)
    submit_list(match, 0, standing={**LONG, str(one.pk): {"retreat": 1}})
    submit_list(match, 1)
    match.refresh_from_db()
    attacker, defender = match.setup["sides"]
    assert attacker["standing"] == {"range": "long"}
    assert [unit["standing"] for unit in attacker["units"] if unit["key"] == f"u{one.pk}"] == [{"retreat": 1}]
    assert "standing" not in defender


def test_list_without_orders_keeps_the_older_hash():
    match = a_match_to_fight()
    submit_list(match, 0)
    assert set(match.sealed.get().document) == {"units", "doctrine"}


@pytest.mark.parametrize(
    ("standing", "reason"),
    [
        ({"all": {"sing": "loud"}}, "autoplay order"),
        ({"all": {"range": "far"}}, "must be one of short, medium, long"),
        ({"999999": {"range": "long"}}, "isn't a unit that can have orders"),
        ({"all": "long"}, "must be an object"),
        ({"all": {"move": "hold"}}, "can't be ordered in this scenario"),
    ],
)
def test_invalid_orders_are_refused_and_not_submitted(standing, reason):
    match = a_match_to_fight()
    with pytest.raises(RefusedError, match=reason):
        submit_list(match, 0, standing=standing)
    assert not match.sealed.exists()


@pytest.mark.rule("MM-013")
@pytest.mark.parametrize(
    ("scenario", "zone", "reason"),
    [
        ("opening-shots", "zone-9", "at least one Mek starts in zone 3"),
        ("breach", "zone-9", "half of the Meks start in"),
    ],
)
def test_defenders_starts_against_the_scenario_are_refused(scenario, zone, reason):
    match = a_match_to_fight()
    match.scenario, match.terrain = scenario, "printed"
    match.save()
    starts = {str(pk): {"start": zone} for pk in match.defender.company.units.values_list("pk", flat=True)}
    with pytest.raises(RefusedError, match=reason):
        submit_list(match, 1, standing=starts)
    assert not match.sealed.exists()
    one = match.defender.company.units.last()
    submit_list(match, 1, standing={str(one.pk): {"start": zone}})
    assert match.sealed.get().document["standing"] == {str(one.pk): {"start": zone}}


def test_absent_players_match_uses_their_orders():
    match = a_match_to_fight()
    enrolment, one = match.attacker, unit_of(match, 0)
    owner = enrolment.company.owner
    orders = {"all": {"range": "long", "move": "hold"}, str(one.pk): {"retreat": 2}}
    orders_set(enrolment=enrolment, doctrine="cautious", standing=orders, by=owner)
    enrolment.refresh_from_db()
    assert enrolment.orders == {"doctrine": "cautious", "standing": orders}
    job = RoundClose.claim(round_close(round_=match.round, by=None).pk)
    assert round_close_work(job=job)
    match.refresh_from_db()
    attacker = match.setup["sides"][0]
    assert attacker["standing"] == {"range": "long"}  # there's no map on which to hold anything
    assert [unit["standing"] for unit in attacker["units"] if "standing" in unit] == [{"retreat": 2}]


def test_odds_and_handicaps_ignore_private_orders(client):
    campaign = a_campaign(absent_rule="orders", handicaps=True)
    match = a_match(a_round(campaign))
    enrolment, one = match.attacker, unit_of(match, 0)
    orders = {"all": {"range": "long"}, str(one.pk): {"retreat": 6}}
    orders_set(enrolment=enrolment, standing=orders, by=enrolment.company.owner)
    match.refresh_from_db()
    orders_publish(match)
    assert match.forecast is not None
    assert '"standing":' not in json.dumps(match.forecast.setup)
    assert default_list(match, 0)["standing"] == orders
    assert "standing" not in public_estimate_list(match, 0)
    page = client.get(reverse("battles:forecast", args=[match.forecast.key])).content.decode()
    assert "keeps away at Long" not in page


def test_orders_are_changed_separately_and_removed():
    match = a_match_to_fight()
    enrolment = match.attacker
    by = enrolment.company.owner
    orders_set(enrolment=enrolment, doctrine="cautious", by=by)
    orders_set(enrolment=enrolment, standing=LONG, by=by)
    enrolment.refresh_from_db()
    assert enrolment.orders == {"doctrine": "cautious", "standing": LONG}
    orders_set(enrolment=enrolment, standing={}, by=by)
    enrolment.refresh_from_db()
    assert enrolment.orders == {"doctrine": "cautious"}
    with pytest.raises(RefusedError, match="can't be ordered"):  # starting places belong to a match
        orders_set(enrolment=enrolment, standing={str(unit_of(match, 0).pk): {"start": "zone-3"}}, by=by)


def test_pages_save_and_show_orders(client):
    match = a_match_to_fight()
    enrolment, one = match.attacker, unit_of(match, 0)
    client.force_login(enrolment.company.owner)
    page = reverse("campaigns:enrolment", args=[enrolment.campaign_id, enrolment.pk])
    lines = {
        "standing-1-who": "all",
        "standing-1-what": "range:long",
        "standing-2-who": str(one.pk),
        "standing-2-what": "retreat:0",
    }
    answer = client.post(page, {"act": "orders", "doctrine": "aggressive", **lines})
    assert answer.status_code == 302, answer.content.decode()
    enrolment.refresh_from_db()
    assert enrolment.orders["standing"] == {"all": {"range": "long"}, str(one.pk): {"retreat": 0}}
    assert '<option value="retreat:0" selected>' in client.get(page).content.decode()
    again = client.post(
        page,
        {"act": "orders", "doctrine": "aggressive", **lines, "standing-2-who": "all", "standing-2-what": "range:short"},
    )
    assert again.status_code == 422
    assert "The line above has the same order" in again.content.decode()
    seals = reverse("campaigns:match_forces", args=[match.key])
    assert (
        '<option value="range:long" selected>' in client.get(seals).content.decode()
    )  # the saved orders are the default
    units = [str(pk) for pk in enrolment.company.units.values_list("pk", flat=True)]
    answer = client.post(seals, {"units": units, "doctrine": "cautious", **lines})
    assert answer.status_code == 302, answer.content.decode()
    assert match.sealed.get().document["standing"] == enrolment.orders["standing"]


def test_orders_of_an_absent_unit_are_left_out(client):
    match = a_match_to_fight()
    enrolment, one = match.attacker, unit_of(match, 0)
    orders_set(enrolment=enrolment, standing={str(one.pk): {"retreat": 6}, **LONG}, by=enrolment.company.owner)
    pilot_assign(company=enrolment.company, by=enrolment.company.owner, unit=one, pilot=None)
    client.force_login(enrolment.company.owner)
    form = client.get(reverse("campaigns:match_forces", args=[match.key])).context["standing"]
    given = [(who.value(), what.value()) for who, what in form.rows if what.value()]
    assert given == [("all", "range:long")]


def test_page_shows_and_keeps_any_number_of_orders(client):
    match = a_match_to_fight()
    enrolment = match.attacker
    units = [str(pk) for pk in enrolment.company.units.values_list("pk", flat=True)]
    names = {"range": "long", "retreat": 2, "target": "dearest", "heat": "cool", "move": "hold", "until": 3}
    orders = {whom: dict(names) for whom in ("all", *units)}
    orders_set(enrolment=enrolment, standing=orders, by=enrolment.company.owner)
    client.force_login(enrolment.company.owner)
    page = reverse("campaigns:enrolment", args=[enrolment.campaign_id, enrolment.pk])
    form = client.get(page).context["standing"]
    fields = {field.html_name: field.value() for row in form.rows for field in row if field.value()}
    assert len(fields) == 2 * len(names) * len(orders)
    assert client.post(page, {"act": "orders", "doctrine": "cautious", **fields}).status_code == 302
    enrolment.refresh_from_db()
    assert enrolment.orders["standing"] == orders


def test_api_sets_orders_and_shows_only_own_ones(client):
    match = a_match_to_fight()
    enrolment = match.attacker
    where = f"/api/v1/campaigns/{enrolment.campaign_id}/enrolments/{enrolment.pk}/"
    client.force_login(enrolment.company.owner)
    answer = client.patch(where, {"standing": LONG}, content_type="application/json")
    assert (answer.status_code, answer.json()["standing"]) == (200, LONG)
    bad = client.patch(where, {"standing": {"all": {"range": "far"}}}, content_type="application/json")
    assert bad.status_code == 422
    client.force_login(match.defender.company.owner)
    assert client.get(where).json().get("standing", {}) == {}


def test_battle_with_submitted_orders_can_be_verified():
    match = a_match_to_fight()
    submit_list(match, 0, standing=LONG)
    lists_reveal(match=match)
    job = RoundClose.claim(round_close(round_=match.round, by=None).pk)
    assert round_close_work(job=job)
    match.refresh_from_db()
    assert match.setup["sides"][0]["standing"] == {"range": "long"}
    text = match.battle.record.text
    assert verify(text) is None
