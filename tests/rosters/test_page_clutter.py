"""Signal and noise on company pages: no column with one value, no internal words, no fact shown three times."""

import re
import uuid
from dataclasses import replace

import pytest
from django.template import engines
from django.urls import reverse

from rosters.templatetags.components import which_unit
from tests.builders import a_company, a_crewed_unit, a_player, a_unit
from tests.rosters.test_python_rendering import an_entry

DRAWN = "{% load companies %}{% ledger_entries rows 1 %}"


@pytest.fixture
def owner(client):
    owner = a_player()
    client.force_login(owner)
    return owner


def page(client, name, *args):
    response = client.get(reverse(f"rosters:{name}", args=args), follow=True)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("members[0].weapons", "unit 1"),
        ("members[2].pilot.skills", "unit 3"),
        ("members[1].pilot", ""),
        ("members[0]", ""),
        ("attacker.setup", ""),
        ("weapons", ""),
        ("", ""),
    ],
)
def test_problem_names_its_unit_and_hides_paths(place, expected):
    assert which_unit(place) == expected


@pytest.mark.django_db
def test_lists_have_no_constant_column(client):
    for name in ("designs", "scenarios"):
        html = page(client, name)
        for word in ("Legal", "Playable"):
            assert f'<th scope="col">{word}</th>' not in html


def test_entries_of_one_game_are_folded_under_one_line():
    game = replace(an_entry(), id=9, kind="game", points=12, balance=14)
    rows = [game, replace(game, id=8, kind="promoted", points=0), replace(game, id=7, kind="fought", points=0)]
    drawn = engines["django"].from_string(DRAWN).render({"rows": [*rows, replace(game, id=6, act=uuid.UUID(int=2))]})
    outer = re.sub(r"<details class=\"ledger__rest\">.*?</details>", "", drawn, flags=re.S)
    assert re.findall(r'id="entry-(\d+)"', outer) == ["9", "6"]
    assert re.findall(r'id="entry-(\d+)"', drawn) == ["9", "8", "7", "6"]
    assert "<summary>2 more entries from this game</summary>" in drawn


def test_two_entries_of_one_game_are_not_folded():
    game = replace(an_entry(), id=9, kind="game")
    drawn = engines["django"].from_string(DRAWN).render({"rows": [game, replace(game, id=8, kind="fought")]})
    assert "<details" not in drawn


@pytest.mark.django_db
def test_unit_named_like_its_design_is_named_once(client, owner):
    own = a_company(owner)
    a_unit(own, "wasp", name="Wasp")
    a_unit(own, "wasp", name="Buzz")
    html = page(client, "company_ledger", own.pk)
    assert re.findall(r"Bought <a [^>]*>([^<]*)</a>([^<]*?) <span", html) == [("Buzz", ", a WASP"), ("Wasp", "")]


@pytest.mark.django_db
def test_unit_and_pilot_ledgers_show_no_company_balance(client, owner):
    own = a_company(owner)
    unit, pilot = a_crewed_unit(own, "wasp", pilot="Abel")
    assert "ledger__balance" in page(client, "company_ledger", own.pk)
    html = page(client, "unit", own.pk, unit.pk)
    assert "ledger__balance" not in html
    assert ", piloted by <a" in html
    assert "ledger__balance" not in page(client, "pilot", own.pk, pilot.pk)


@pytest.mark.django_db
class TestReturnAfterSignIn:
    """Signing in or up returns the player to the page they wanted."""

    def test_first_page_leads_through_sign_up_to_founding(self, client):
        assert "/accounts/signup/?next=/companies/found/" in client.get("/").content.decode()

    def test_page_header_links_to_sign_in_and_back(self, client):
        html = client.get("/rules/?q=heat").content.decode()
        for door in ("login", "signup"):
            assert f'href="/accounts/{door}/?next=%2Frules%2F%3Fq%3Dheat"' in html

    def test_sign_in_pages_pass_on_the_next_page(self, client):
        html = client.get("/accounts/login/?next=/clubs/").content.decode()
        assert html.count('href="/accounts/signup/?next=%2Fclubs%2F"') == 2
        a_player("first")  # a site without users also offers to restore a club
        assert "next=" not in client.get("/accounts/signup/").content.decode()

    def test_sign_up_redirects_to_the_wanted_page(self, client):
        chosen = {
            "username": "ada",
            "email": "ada@example.org",
            "password1": "Ml3-tomtom-rx",
            "password2": "Ml3-tomtom-rx",
        }
        answer = client.post("/accounts/signup/", {**chosen, "next": "/companies/found/"})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/companies/found/")


@pytest.mark.django_db
def test_only_local_operators_see_the_outbox_link(client, owner, settings):
    settings.EMAIL_LOCAL_OUTBOX = True
    assert "/outbox/" not in client.get("/rules/", HTTP_HOST="localhost").content.decode()
    owner.is_staff = True
    owner.save()
    assert "/outbox/" in client.get("/rules/", HTTP_HOST="localhost").content.decode()


@pytest.mark.django_db
class TestRulesPage:
    def test_rules_are_grouped_with_contents(self, client):
        html = page(client, "rules", "mech-campaign")
        groups = re.findall(r'<h2 id="about-([\w-]+)">', html)
        assert groups[0] == "build"
        assert {"build", "battle", "campaign"} <= set(groups)
        linked = set(re.findall(r'<li><a href="#(MC-\w+)">', html))
        there = set(re.findall(r'<div class="rules__rule" id="(MC-\w+)">', html))
        assert linked <= there
        assert len(linked) > 0.9 * len(there)

    def test_rules_page_shows_no_internal_words(self, client):
        html = page(client, "rules")
        for internal in ("Source:", ">done<", ">table-only<", ">planned<"):
            assert internal not in html

    def test_search_shows_count_and_a_link_back(self, client):
        html = client.get("/rules/meks-and-mercs/?q=MM-001").content.decode()
        assert "1 rule found." in html
        assert '<a href="/rules/meks-and-mercs/">Show all</a>' in html
