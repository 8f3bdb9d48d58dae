"""What pages of companies signal: no column that says the same in every row, no machine's words, no fact told thrice."""

import re
import uuid
from dataclasses import replace

import pytest
from django.template import engines
from django.urls import reverse

from rosters.templatetags.face import which_unit
from tests.builders import a_company, a_crewed_unit, a_player, a_unit
from tests.rosters.test_drawn import an_entry

DRAWN = "{% load ledgers %}{% ledger_entries rows 1 %}"


@pytest.fixture
def owner(client):
    owner = a_player()
    client.force_login(owner)
    return owner


def page(client, name, *args):
    response = client.get(reverse(f"rosters:{name}", args=args))
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


@pytest.mark.parametrize(
    ("place", "told"),
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
def test_a_problem_names_its_unit_by_number_where_its_sentence_does_not_and_never_shows_a_path(place, told):
    assert which_unit(place) == told


@pytest.mark.django_db
def test_lists_have_no_column_that_says_yes_in_every_row(client):
    for name in ("designs", "scenarios"):
        html = page(client, name)
        for word in ("Legal", "Playable"):
            assert f'<th scope="col">{word}</th>' not in html


def test_what_a_game_wrote_into_the_ledger_is_one_line_with_its_rest_folded():
    game = replace(an_entry(), id=9, kind="game", points=12, balance=14)
    rows = [game, replace(game, id=8, kind="promoted", points=0), replace(game, id=7, kind="fought", points=0)]
    drawn = engines["django"].from_string(DRAWN).render({"rows": [*rows, replace(game, id=6, act=uuid.UUID(int=2))]})
    outer = re.sub(r"<details class=\"ledger__rest\">.*?</details>", "", drawn, flags=re.S)
    assert re.findall(r'id="entry-(\d+)"', outer) == ["9", "6"]
    assert re.findall(r'id="entry-(\d+)"', drawn) == ["9", "8", "7", "6"]
    assert "<summary>2 more entries of this game</summary>" in drawn


def test_two_entries_of_one_game_are_not_folded():
    game = replace(an_entry(), id=9, kind="game")
    drawn = engines["django"].from_string(DRAWN).render({"rows": [game, replace(game, id=8, kind="fought")]})
    assert "<details" not in drawn


@pytest.mark.django_db
def test_a_unit_named_as_its_design_is_bought_by_one_name(client, owner):
    own = a_company(owner)
    a_unit(own, "wasp", name="Wasp")
    a_unit(own, "wasp", name="Buzz")
    html = page(client, "company_ledger", own.pk)
    assert re.findall(r"Bought <a [^>]*>([^<]*)</a>([^<]*?) <span", html) == [("Buzz", ", a WASP"), ("Wasp", "")]


@pytest.mark.django_db
def test_the_ledgers_of_a_unit_and_a_pilot_do_not_show_what_the_company_had_left(client, owner):
    own = a_company(owner)
    unit, pilot = a_crewed_unit(own, "wasp", pilot="Abel")
    assert "ledger__balance" in page(client, "company_ledger", own.pk)
    told = page(client, "unit", own.pk, unit.pk)
    assert "ledger__balance" not in told
    assert ", piloted by <a" in told
    assert "ledger__balance" not in page(client, "pilot", own.pk, pilot.pk)


@pytest.mark.django_db
class TestTheWayBack:
    """Who signs in or up comes back to what he wanted."""

    def test_the_first_page_leads_through_the_sign_up_to_founding(self, client):
        assert "/accounts/signup/?next=/companies/found/" in client.get("/").content.decode()

    def test_the_head_of_a_page_leads_through_the_doors_and_back_to_it(self, client):
        html = client.get("/rules/?q=heat").content.decode()
        for door in ("login", "signup"):
            assert f'href="/accounts/{door}/?next=%2Frules%2F%3Fq%3Dheat"' in html

    def test_the_doors_hand_on_what_they_were_given(self, client):
        html = client.get("/accounts/login/?next=/clubs/").content.decode()
        assert html.count('href="/accounts/signup/?next=%2Fclubs%2F"') == 2
        a_player("first")  # a site without anybody offers to restore a club, too
        assert "next=" not in client.get("/accounts/signup/").content.decode()

    def test_who_signs_up_lands_where_he_wanted_to_be(self, client):
        chosen = {
            "username": "ada",
            "email": "ada@example.org",
            "password1": "Ml3-tomtom-rx",
            "password2": "Ml3-tomtom-rx",
        }
        answer = client.post("/accounts/signup/", {**chosen, "next": "/companies/found/"})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/companies/found/")


@pytest.mark.django_db
def test_the_foot_names_the_outbox_to_an_operator_at_the_machine_alone(client, owner, settings):
    settings.EMAIL_LOCAL_OUTBOX = True
    assert "/outbox/" not in client.get("/rules/", HTTP_HOST="localhost").content.decode()
    owner.is_staff = True
    owner.save()
    assert "/outbox/" in client.get("/rules/", HTTP_HOST="localhost").content.decode()


@pytest.mark.django_db
class TestRulesPage:
    def test_the_rules_stand_in_groups_each_with_its_contents(self, client):
        html = page(client, "rules", "mech-campaign")
        groups = re.findall(r'<h2 id="about-([\w-]+)">', html)
        assert groups[0] == "build"
        assert {"build", "battle", "campaign"} <= set(groups)
        listed = set(re.findall(r'<li><a href="#(MC-\w+)">', html))
        there = set(re.findall(r'<div class="rules__rule" id="(MC-\w+)">', html))
        assert listed <= there
        assert len(listed) > 0.9 * len(there)

    def test_nothing_stands_on_it_that_only_makers_know(self, client):
        html = page(client, "rules")
        for internal in ("Source:", ">done<", ">table-only<", ">planned<"):
            assert internal not in html

    def test_a_search_says_how_many_it_found_and_leads_back(self, client):
        html = client.get("/rules/meks-and-mercs/?q=MM-001").content.decode()
        assert "1 rule found." in html
        assert '<a href="/rules/meks-and-mercs/">Show all</a>' in html
