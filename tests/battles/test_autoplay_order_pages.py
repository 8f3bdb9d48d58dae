"""Autoplay orders in set-up, odds and replays: the form's lines, what if, the battle's page, the API."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from battles.models import Battle, WhatIf
from battles.odds.changes import Change, apply_change, change_places, describe_change
from battles.odds.services import forecast_ask
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve, forecast_run, forecast_what_if
from systems import battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import setup_json
from tests.battles.builders import duel, player
from tests.battles.test_scenario_pages import scenario_data

pytestmark = pytest.mark.django_db
LINES = {
    "a-standing-1-who": "all",
    "a-standing-1-what": "retreat:2",
    "a-standing-2-who": "2",
    "a-standing-2-what": "move:zone-5",
    "b-standing-1-who": "1",
    "b-standing-1-what": "start:zone-3",
}


def ordered_duel():
    setup = duel("viper", "saber")
    setup["sides"][0]["units"][0]["standing"] = {"range": "long", "retreat": 1}
    return setup


def test_battle_and_rematch_keep_the_forms_orders(client):
    answer = client.post("/battles/new/", scenario_data(**LINES))
    assert answer.status_code == 302, answer.content.decode()
    battle = Battle.objects.get()
    attacker, defender = battle.setup["sides"]
    assert attacker["standing"] == {"retreat": 2}
    assert [unit.get("standing") for unit in attacker["units"]] == [None, {"move": "zone-5"}, None]
    assert [unit.get("standing") for unit in defender["units"]] == [{"start": "zone-3"}, None, None]
    again = client.get(f"/battles/new/?from={battle.key}").content.decode()
    for value in ("retreat:2", "move:zone-5", "start:zone-3"):
        assert f'<option value="{value}" selected>' in again


def order_lines(html: str, letter: str) -> list[str]:
    return re.findall(rf'<select name="{letter}-standing-(\d+)-what"', html)


def test_order_form_grows_by_two_lines_and_keeps_input(client):
    assert order_lines(client.get("/battles/new/").content.decode(), "a") == ["1", "2"]
    sent = scenario_data(**LINES, **{"a-name": "Dogs", "do": "more-orders-a"})
    for address in ("/battles/new/", reverse("battles:quick-battle-part")):
        html = client.post(address, sent).content.decode()
        assert order_lines(html, "a") == ["1", "2", "3", "4"]
        assert order_lines(html, "b") == ["1", "2"]
        assert 'value="Dogs"' in html
        for value in ("retreat:2", "move:zone-5", "start:zone-3"):
            assert f'<option value="{value}" selected>' in html
    assert not Battle.objects.exists()


def test_order_lines_with_gaps_are_all_read(client):
    data = scenario_data(**{"a-standing-1-what": "", "a-standing-7-who": "all", "a-standing-7-what": "retreat:2"})
    assert client.post("/battles/new/", data).status_code == 302
    battle = Battle.objects.get()
    assert battle.setup["sides"][0]["standing"] == {"retreat": 2}
    assert order_lines(client.get(f"/battles/new/?from={battle.key}").content.decode(), "a") == ["1", "2"]


def test_order_form_has_at_most_100_lines(client):
    sent = scenario_data(**{"a-standing-99-what": "", "do": "more-orders-a"})
    assert order_lines(client.post("/battles/new/", sent).content.decode(), "a")[-1] == "100"
    sent = scenario_data(**{"a-standing-100-what": "", "a-standing-101-what": "", "do": "more-orders-a"})
    assert order_lines(client.post("/battles/new/", sent).content.decode(), "a")[-1] == "100"
    sent = scenario_data(do="more-orders-c")
    assert order_lines(client.post("/battles/new/", sent).content.decode(), "a") == ["1", "2"]


SUPPORT = {
    "a-support-1": "air-strike",
    "b-support-1": "minefield",
    "b-support-2": "hidden-mek",
    "a-orders-order-air-strike-target": "dearest",
    "a-orders-order-air-strike-from": "2",
    "b-orders-order-minefield-zone": "2",
    "b-orders-order-hidden-mek-unit": "1",
}


def test_battle_and_rematch_keep_support_orders(client):
    answer = client.post("/battles/new/", scenario_data("hot-gates", **SUPPORT))
    assert answer.status_code == 302, answer.content.decode()
    attacker, defender = Battle.objects.get().setup["sides"]
    assert attacker["orders"] == {"air-strike": {"target": "dearest", "from": 2}}
    assert defender["orders"] == {"minefield": {"zone": 2}, "hidden-mek": {"unit": "b1"}}
    again = client.get(f"/battles/new/?from={Battle.objects.get().key}").context["forms"]
    held = [side.orders for side in again.sides]
    assert held[0]["order-air-strike-target"].value() == "dearest"
    assert held[1]["order-hidden-mek-unit"].value() == "1"
    part = client.post("/battles/new/part/", scenario_data("hot-gates", **SUPPORT)).content.decode()
    assert '<option value="dearest" selected>' in part, "htmx keeps the orders"


@pytest.mark.rule("MM-082", "MM-014")
@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ({"b-support-2": "none", "b-support-3": "surprise"}, "this side has no such support to order (MM-082)"),
        ({"b-orders-order-hidden-mek-unit": "6"}, "none of this side's units (MM-082)"),
        ({"b-orders-order-minefield-zone": "10"}, "Select a valid choice"),
    ],
)
def test_impossible_support_orders_are_refused(client, lines, reason):
    answer = client.post("/battles/new/", scenario_data("hot-gates", **(SUPPORT | lines)))
    assert answer.status_code == 422
    assert reason in answer.content.decode().replace("&#x27;", "'")
    assert not Battle.objects.exists()


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (
            {"a-standing-1-who": "6", "a-standing-1-what": "retreat:2"},
            "Unit 6 has autoplay orders but is empty",
        ),
        ({"a-standing-2-who": "all", "a-standing-2-what": "retreat:3"}, "The line above has the same order"),
        ({"a-standing-1-what": "sing:loud"}, "Select a valid choice"),
        ({"a-standing-1-what": "until:3"}, "goes with “Movement”"),
        ({"b-standing-1-what": "start:zone-9", "b-standing-1-who": "all"}, "is ordered of single units"),
    ],
)
def test_impossible_orders_are_refused(client, lines, reason):
    answer = client.post("/battles/new/", scenario_data(**(LINES | lines)))
    assert answer.status_code == 422
    assert reason in answer.content.decode().replace("&#x27;", "'")
    assert not Battle.objects.exists()


def test_order_number_beyond_the_rules_is_refused(client):
    lines = LINES | {"a-standing-3-who": "2", "a-standing-3-what": "until:25"}
    answer = client.post("/battles/new/", scenario_data(**lines))
    assert answer.status_code == 302, answer.content.decode()
    battle = Battle.objects.get()
    assert battle.setup["sides"][0]["units"][1]["standing"] == {"move": "zone-5", "until": 25}
    again = client.get(f"/battles/new/?from={battle.key}").content.decode()
    assert again.count('<option value="until:25" selected>Until turn: 25</option>') == 1
    for number in ("100", "025", "٢٥", "9" * 40):
        lines["a-standing-3-what"] = f"until:{number}"
        answer = client.post("/battles/new/", scenario_data(**lines))
        assert answer.status_code == 422, number
        assert "Select a valid choice" in answer.content.decode()
    assert Battle.objects.count() == 1


def test_zone_battle_offers_no_map_orders(client):
    plain = client.get("/battles/new/").content.decode()
    assert "range:long" in plain
    assert "move:hold" not in plain
    assert "move:hold" in client.get("/battles/new/?scenario=opening-shots").content.decode()


def test_battle_page_shows_orders_and_their_decisions(client):
    battle = battle_queue(setup=ordered_duel(), seed=4, visitor="v")
    battle_resolve(battle.pk)
    page = " ".join(client.get(reverse("battles:battle", args=[battle.key])).content.decode().split())
    assert "keeps away at Long if it can; breaks contact when its Hits are down to 1" in page
    record = client.get(f"/api/v1/battles/{battle.key}/record/")
    text = b"".join(record.streaming_content).decode() if record.streaming else record.content.decode()
    assert '"kind":"order-of-range"' in text


def test_what_if_compares_other_orders(client):
    forecast, _ = forecast_ask(setup=duel("viper", "saber"), runs=1000, visitor="v")
    forecast_run(forecast.pk)
    client.force_login(player())
    answer = client.post(
        reverse("battles:what-if-create", args=[forecast.key]), {"change": "order|a1|range:long", "battles": "1000"}
    )
    assert answer.status_code == 302, answer.content.decode()
    row = WhatIf.objects.get()
    assert row.title == "VIPER: keeps away at Long if it can"
    forecast_what_if(row.pk)
    row.refresh_from_db()
    assert row.setup["sides"][0]["units"][0]["standing"] == {"range": "long"}
    answer = client.get(reverse("battles:explore", args=[row.key]))
    assert "percentage points" in answer.content.decode()


def test_changes_give_and_remove_orders():
    setup = read_setup(ordered_duel())
    given = apply_change(setup, Change(what="order", of="Blue", to="retreat:0"))
    assert given.sides[1].standing == {"retreat": 0}
    taken = apply_change(setup, Change(what="order", of="a1", to="range"))
    assert taken.sides[0].units[0].standing == {"retreat": 1}
    assert describe_change(setup, Change(what="order", of="a1", to="range"), {}) == "VIPER: no order for range"
    for to, reason in (
        ("range:long", "makes no difference"),
        ("sing:loud", "autoplay order"),
        ("range:far", "must be one of"),
        ("retreat:" + "9" * 5000, "whole number"),
    ):
        with pytest.raises(DocumentError, match=reason):
            apply_change(setup, Change(what="order", of="a1", to=to))
    with pytest.raises(DocumentError, match="no side is called"):
        apply_change(setup, Change(what="order", of="x9", to="range:long"))


def test_every_offered_order_change_can_be_made():
    setup = read_setup(ordered_duel())
    offered = [
        value
        for place in change_places(setup)
        for _, lines in place.groups
        for value, _ in lines
        if value.startswith("order|")
    ]
    assert len(offered) > 40
    for value in offered:
        what, of, to = value.split("|")
        apply_change(setup, Change(what=what, of=of, to=to))


def test_api_refuses_bad_order_with_field_and_rule(client):
    setup = ordered_duel()
    setup["sides"][0]["units"][0]["standing"] = {"range": "far"}
    client.force_login(player())
    answer = client.post("/api/v1/battles/", {"setup": setup}, content_type="application/json")
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["field"].endswith("sides[0].units[0].standing.range")
    assert "MM-A43" in str(error)


@pytest.mark.parametrize(
    ("slug", "preserve", "words"),
    [
        (
            "mech-campaign",
            "pilot",
            "keeps as far away as it can and still fire; until turn 2; then closes with the nearest enemy",
        ),
        (
            "blazing-steel",
            "warmech",
            "keeps away from the nearest enemy; until round 2; then closes with the nearest enemy",
        ),
        (
            "mechastellar",
            "pilot",
            "keeps its distance, near its own table edge; until Round 2; then closes with the nearest enemy",
        ),
        (
            "hex-core",
            "pilot",
            "keeps its distance and stays out of sight; until Round 2; then closes with the nearest enemy",
        ),
    ],
)
def test_inch_and_hex_games_offer_and_show_their_orders(client, slug, preserve, words):
    form = client.get(f"/battles/new/?system={slug}").content.decode()
    for value in (
        "start:left",
        "move:hold",
        "until:2",
        "then:close",
        "retreat:3",
        f"preserve:{preserve}",
        "target:nearest",
    ):
        assert f'<option value="{value}"' in form
    setup = setup_json(battle_rules(slug).example())
    given = {"start": "right", "move": "keep-away", "until": 2, "then": "close", "preserve": preserve}
    setup["sides"][0]["units"][0]["standing"] = given
    client.force_login(player())
    answer = client.post("/api/v1/battles/", {"setup": setup}, content_type="application/json")
    assert answer.status_code in {201, 202}, answer.content.decode()
    battle = Battle.objects.get()
    battle_resolve(battle.pk)
    page = " ".join(client.get(reverse("battles:battle", args=[battle.key])).content.decode().split())
    assert f"starts in the right third; {words}" in page
    turned = apply_change(read_setup(setup), Change(what="order", of="a1", to="move:hold"))
    assert turned.sides[0].units[0].standing == {**given, "move": "hold"}
    for gone, need in (("until", "“Until"), ("move", "“Movement”")):
        with pytest.raises(DocumentError, match=need):
            apply_change(read_setup(setup), Change(what="order", of="a1", to=gone))


@pytest.mark.parametrize("slug", ["mech-campaign", "blazing-steel", "mechastellar", "hex-core"])
def test_what_if_offers_dependent_orders_only_together(slug):
    body = setup_json(battle_rules(slug).example())

    def offered(**given):
        body["sides"][0]["units"][0]["standing"] = given
        key = body["sides"][0]["units"][0]["key"]
        lines = [value for place in change_places(read_setup(body)) for _, group in place.groups for value, _ in group]
        return {value.split("|")[2].partition(":")[0] for value in lines if value.startswith(f"order|{key}|")}

    assert offered() == {"start", "move", "retreat", "preserve", "target"}
    assert offered(move="hold") == {"start", "move", "until", "retreat", "preserve", "target"}
    assert offered(move="hold", until=2) == {"start", "move", "until", "then", "retreat", "preserve", "target"}
