"""Support orders on a standing company's list page: offered, submitted, shown again, refused."""

import pytest
from django.urls import reverse

from tests.campaigns.builders import a_campaign, a_match, a_round, an_enrolment
from tests.test_edit_conflicts import form_on

pytestmark = pytest.mark.django_db


def a_printed_match(scenario="head-to-head"):
    campaign = a_campaign(scenarios=[{"value": scenario, "name": "As printed"}])
    sides = [an_enrolment(campaign) for _ in range(2)]
    return a_match(a_round(campaign), *sides, scenario=scenario, scenario_name="As printed", terrain="printed")


@pytest.fixture
def match():
    return a_printed_match()


@pytest.fixture
def page(client, match):
    client.force_login(match.attacker.company.owner)
    return reverse("campaigns:match_forces", args=[match.key])


def units_of(match):
    return list(match.attacker.company.units.order_by("pk").values_list("pk", flat=True))


def test_page_asks_for_orders_of_any_possible_support(client, page, match):
    text = client.get(page).content.decode()
    for word in ("Orders for support", "Minefield", "Zone", "Hidden Mek", "Mek to repair", "Ambushing Mek"):
        assert word in text


def test_support_orders_are_submitted_and_shown_again(client, page, match):
    first, second = units_of(match)
    sent = form_on(client.get(page), page)
    sent |= {"order-minefield-zone": "6", "order-hidden-mek-unit": str(second), "order-air-strike-from": "3"}
    assert client.post(page, sent).status_code == 302
    assert match.sealed.get().document["orders"] == {
        "minefield": {"zone": 6},
        "hidden-mek": {"unit": f"u{second}"},
        "air-strike": {"from": 3},
    }
    form = client.get(page).context["form"]
    assert [form[f"order-{name}"].value() for name in ("minefield-zone", "hidden-mek-unit")] == ["6", str(second)]
    again = form_on(client.get(page), page)
    again["order-hidden-mek-unit"] = ""
    assert client.post(page, again).status_code == 302
    assert "hidden-mek" not in match.sealed.get().document["orders"]
    assert first != second


@pytest.mark.rule("MM-082")
def test_order_for_a_unit_left_at_home_is_refused(client, page, match):
    first, second = units_of(match)
    sent = form_on(client.get(page), page)
    sent |= {"units": [str(first)], "order-hidden-mek-unit": str(second)}
    answer = client.post(page, sent)
    assert answer.status_code == 422
    assert "none of this side&#x27;s units (MM-082)" in answer.content.decode()
    assert not match.sealed.exists()


def test_invalid_turn_is_refused_at_its_field(client, page, match):
    sent = form_on(client.get(page), page) | {"order-air-strike-from": "0"}
    answer = client.post(page, sent)
    assert answer.status_code == 422
    assert answer.context["form"].errors["order-air-strike-from"]
    assert not match.sealed.exists()


def test_match_without_support_rolls_asks_for_no_orders(client):
    match = a_match()
    client.force_login(match.attacker.company.owner)
    text = client.get(reverse("campaigns:match_forces", args=[match.key])).content.decode()
    assert "Orders for support" not in text
