"""A match's packet: only what its reader may see, and a slip that leads to the report form."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaigns.army_lists.services import lists_reveal
from campaigns.models import SupportRoll
from campaigns.results.forms import ReportForms
from campaigns.results.selectors import pilot_names
from rosters.models import PrintJob
from rosters.printing.selectors import rolled_support
from rosters.tasks import print_run
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_round, submit_list
from tests.rosters.paper.forms import form_fields

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_run, "delay", lambda pk: None)


@pytest.fixture
def match():
    return a_match(a_round(a_campaign(a_club(is_public=True))))


def page_of(match) -> str:
    return reverse("campaigns:print_packet", args=[match.key])


def packet(client, match, **changed) -> dict:
    answer = client.post(page_of(match), form_fields(client.get(page_of(match)).context["form"], **changed))
    assert answer.status_code == 302, answer.context["form"].errors
    return PrintJob.objects.order_by("-pk")[0].content


def companies_on(order: dict) -> set[str]:
    return {item["unit"]["company"] for item in order["items"] if "unit" in item}


def test_side_prints_only_its_own_units_before_the_reveal(client, match):
    submit_list(match, most=1)
    defender = match.defender.company
    client.force_login(defender.owner)
    order = packet(client, match)
    attacker = match.attacker.company
    assert companies_on(order) == {defender.name}
    text = str(order)
    assert not [unit.name for unit in attacker.units.all() if f"'{unit.name}'" in text and unit.name not in
                [each.name for each in defender.units.all()]]  # fmt: skip
    (slip,) = [item["slip"] for item in order["items"] if item["what"] == "slip"]
    assert [len(side["units"]) > 0 for side in slip["sides"]] == [False, True]
    assert "opponent" in client.get(page_of(match)).content.decode()


def test_stranger_prints_no_units_before_the_reveal(client, match):
    submit_list(match, most=1)
    products = dict(client.get(page_of(match)).context["form"].fields["products"].choices)
    assert "unit-card" not in products
    assert not companies_on(packet(client, match))


def test_packet_has_the_units_as_submitted(client, match):
    submit_list(match, most=1)
    client.force_login(match.attacker.company.owner)
    order = packet(client, match, products=["unit-card"])
    assert len(order["items"]) == 1


def test_revealed_lists_are_printed_for_both_sides(client, match):
    opened = lists_reveal(match=match)
    client.force_login(match.attacker.company.owner)
    order = packet(client, match)
    assert companies_on(order) == {side["name"] for side in opened.setup["sides"]}
    names = {item["unit"]["pilot"]["name"] for item in order["items"] if "unit" in item and item["unit"]["pilot"]}
    assert set(pilot_names(opened).values()) <= names


def test_slip_matches_and_links_the_report_form(client, match):
    opened = lists_reveal(match=match)
    client.force_login(match.attacker.company.owner)
    (slip,) = [item["slip"] for item in packet(client, match)["items"] if item["what"] == "slip"]
    assert slip["url"] == f"http://testserver{reverse('campaigns:match_report', args=[match.key])}"
    assert client.get(slip["url"]).status_code == 200
    form = ReportForms(opened, pilots={})
    assert slip["outcomes"] == [label for _, label in form.end.fields["winner"].choices]
    fates = [label for value, label in form.sides[0].rows[0].form.fields["fate"].choices if value]
    assert slip["fates"] == fates
    hits = [[row.form.unit.hits for row in side.rows] for side in form.sides]
    assert [[unit["hits"] for unit in side["units"]] for side in slip["sides"]] == hits


def test_rolled_support_is_offered_to_the_owner_until_decided(match):
    company = match.attacker.company
    SupportRoll.objects.create(match=match, side=0, number=1, faces=[1], result="ambush")
    SupportRoll.objects.create(match=match, side=1, number=1, faces=[3], result="surprise")
    assert rolled_support(company, company.owner) == {"ambush": "Ambush"}
    assert rolled_support(company, a_player()) == {}
    match.state = "void"
    match.save()
    assert rolled_support(company, company.owner) == {}
