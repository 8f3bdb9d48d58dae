"""The menu, and the way from a roster to a campaign on the pages of a company and a match."""

import re

import pytest
from django.urls import reverse

from campaigns.army_lists.services import lists_reveal
from tests.builders import SYSTEM, a_company, a_player
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def menu_of(page: str) -> dict[str, str]:
    """Return the entries of the menu, and the value of `aria-current` of each."""
    part = page.partition('<ul class="nav__list">')[2].partition("nav__search")[0]
    links = re.findall(r"<a\b([^>]*)>([^<]*)</a>", part)
    return {name.strip(): (re.findall(r'aria-current="(\w+)"', link) or [""])[0] for link, name in links}


def path_of(client, url: str) -> tuple[str, dict[str, str]]:
    """Return the path on the page: its text, and the address of each step that has one."""
    path = client.get(url).content.decode().partition('<nav class="path" ')[2].partition("</nav>")[0]
    links = re.findall(r'<a href="([^"]*)"\s*><b\s*>(\w+)</b>', path)
    return text_of("<nav " + path), {name: link.replace("&amp;", "&") for link, name in links}


@pytest.mark.parametrize(
    ("route", "current"),
    [
        ("battles:tables", {"Play": "page"}),
        ("battles:quick-battle", {"Play": "true"}),
        ("rosters:companies", {"Companies": "page"}),
        ("campaigns:clubs", {"Clubs": "page"}),
        ("rosters:lab", {"Workshop": "true"}),
        ("battles:matrices", {"Workshop": "true"}),
        ("rosters:rules", {"Rules": "page"}),
        ("home", {}),
    ],
)
def test_menu_has_five_entries_and_marks_the_current_one(client, route, current):
    entries = menu_of(client.get(reverse(route)).content.decode())
    assert list(entries) == ["Play", "Companies", "Clubs", "Workshop", "Rules"]
    assert {name: value for name, value in entries.items() if value} == current


def test_company_leads_to_print_table_log_and_campaign(client):
    company = a_mustered_company()
    client.force_login(company.owner)
    text, links = path_of(client, reverse("rosters:company", args=[company.pk]))
    assert "Roster battle-ready" in text
    assert list(links) == ["Roster", "Print", "Play", "Log", "Campaign"]
    assert links["Campaign"] == reverse("campaigns:clubs")
    for link in links.values():
        assert client.get(link).status_code == 200
    enrolment = an_enrolment(a_campaign(), company)
    _, links = path_of(client, reverse("rosters:company", args=[company.pk], query={"show": "ledger"}))
    assert links["Campaign"] == reverse("campaigns:campaign", args=[enrolment.campaign_id])


def test_empty_company_is_not_battle_ready(client):
    company = a_company()
    client.force_login(company.owner)
    assert "Roster no units yet" in path_of(client, reverse("rosters:company", args=[company.pk]))[0]


def test_strangers_see_no_path_on_a_public_company(client):
    company = a_mustered_company()
    company.visibility = "public"
    company.save()
    client.force_login(a_player())
    assert path_of(client, reverse("rosters:company", args=[company.pk]))[1] == {}


def test_table_and_log_begin_with_the_requested_company(client):
    owner = a_player()
    older, newer = a_mustered_company(owner, name="Old"), a_mustered_company(owner, name="New")
    client.force_login(owner)
    for company in (older, newer):
        asked = {"system": SYSTEM, "company": company.pk}
        assert client.get(reverse("battles:tables"), asked).context["first"][0] == f"company:{company.pk}"
        log = client.get(reverse("battles:log-battle"), asked).content.decode()
        assert f'value="{company.name}"' in log
    foreign = a_mustered_company(name="Foreign")
    asked = {"system": SYSTEM, "company": foreign.pk}
    assert client.get(reverse("battles:tables"), asked).context["first"][0] != f"company:{foreign.pk}"


def test_table_and_log_say_why_a_company_cannot_fight(client):
    company = a_company(name="Empty Ones")
    client.force_login(company.owner)
    for route in ("battles:tables", "battles:log-battle", "battles:quick-battle"):
        page = text_of(client.get(reverse(route), {"system": SYSTEM, "company": company.pk}).content.decode())
        assert "Empty Ones can’t fight now. It has no units. Buy one first." in page, route


def test_match_leads_to_list_print_report_and_campaign(client):
    match = a_match(a_round(a_campaign()))
    client.force_login(match.attacker.company.owner)
    url = reverse("campaigns:match", args=[match.key])
    text, links = path_of(client, url)
    assert "List submit your list" in text
    assert list(links) == ["List", "Print", "Campaign"]
    lists_reveal(match=match)
    text, links = path_of(client, url)
    assert "List lists revealed" in text
    assert list(links) == ["List", "Print", "Play", "Report", "Campaign"]
    assert links["Report"] == reverse("campaigns:match_report", args=[match.key])
    client.force_login(a_player())
    assert path_of(client, url)[1] == {}
