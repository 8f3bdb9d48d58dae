"""The galleries: companies with their units and results, designs with their pictures; sorted and filtered."""

import re
from uuid import uuid4

import pytest

from rosters.galleries import list_newest_companies
from rosters.models import Company
from tests.builders import SYSTEM, a_company, a_player, a_unit

pytestmark = pytest.mark.django_db


def game(company, result):
    facts = {"result": result, "season_points": 0, "income": 0}
    return company.ledger.create(act=uuid4(), kind="game", points=0, facts=facts, cause="result")


def names(answer):
    return [row.name for row in answer.context["public"]]


def a_public(name, **fields):
    return a_company(a_player(), name=name, visibility="public", **fields)


def test_company_shows_units_worth_and_record():
    owner = a_player()
    company = a_company(owner, name="Ants")
    units = [a_unit(company), a_unit(company, "viper")]
    for result in ("won", "won", "drawn", "lost", "lost", "lost"):
        game(company, result)
    (row,) = list_newest_companies(owner, most=5)
    assert (row.won, row.drawn, row.lost) == (2, 1, 3)
    assert [unit.name for unit in row.units] == [unit.name for unit in units]
    assert (row.value, row.balance) == (21, 39)


def test_undone_game_is_not_counted():
    owner = a_player()
    company = a_company(owner)
    entry = game(company, "won")
    company.ledger.create(act=uuid4(), kind="reversed", points=0, facts={"kind": "game"}, cause="undo", reverses=entry)
    (row,) = list_newest_companies(owner, most=5)
    assert row.games == 0


def test_companies_are_sorted_by_name_founding_and_victories(client):
    bees, ants, cats = a_public("Bees"), a_public("Ants"), a_public("Cats")
    for company, wins in ((bees, 1), (cats, 2)):
        for _ in range(wins):
            game(company, "won")
    game(ants, "lost")
    assert names(client.get("/companies/")) == ["Ants", "Bees", "Cats"]
    assert names(client.get("/companies/", {"sort": "newest"})) == ["Cats", "Ants", "Bees"]
    assert names(client.get("/companies/", {"sort": "victories"})) == ["Cats", "Bees", "Ants"]
    assert names(client.get("/companies/", {"sort": "x"})) == ["Ants", "Bees", "Cats"]


@pytest.mark.parametrize("sort", ["name", "newest", "victories"])
def test_every_order_pages_without_a_gap(client, sort):
    owner = a_player()
    Company.objects.bulk_create(
        Company(owner=owner, system=SYSTEM, name=f"C {number:02}", visibility="public") for number in range(65)
    )
    for company in Company.objects.order_by("pk")[:40]:
        for _ in range(company.pk % 3):
            game(company, "won")
    seen, after = [], ""
    while True:
        page = client.get("/companies/", {"sort": sort, "after": after}).context["public"]
        seen += [row.name for row in page]
        after = page.after
        if not after:
            break
    assert sorted(seen) == [f"C {number:02}" for number in range(65)]


def test_companies_are_filtered_by_game(client):
    a_public("Ants")
    a_public("Squad", system="hex-core", points=480)
    assert names(client.get("/companies/", {"system": "hex-core"})) == ["Squad"]
    assert names(client.get("/companies/", {"system": "nothing"})) == ["Ants", "Squad"]


def test_only_own_companies_show_their_visibility(client):
    owner = a_player()
    a_company(owner, name="Ants", visibility="link")
    a_company(owner, name="Cicadas", visibility="public")
    a_public("Bees")
    client.force_login(owner)
    page = client.get("/companies/").content.decode()
    assert page.count("shared by link") == 1, "a public company's card doesn't show its visibility"


def linked_names(answer):
    return re.findall(r'class="leads__to"\s+href="/designs/[^"]+"\s*>([^<]+)<', answer.content.decode())


def test_designs_are_filtered_by_game_and_sorted_by_points(client):
    cheapest = linked_names(client.get("/designs/", {"system": SYSTEM, "sort": "points"}))
    assert len(cheapest) == 9
    assert cheapest[0] == "WASP"
    dearest = linked_names(client.get("/designs/", {"system": SYSTEM, "sort": "dearest"}))
    assert dearest[0] == "ODIN"
    assert linked_names(client.get("/designs/", {"system": SYSTEM, "sort": "name"})) == sorted(cheapest)
    assert len(linked_names(client.get("/designs/"))) > 9


def test_scenarios_are_filtered_by_game(client):
    page = client.get("/scenarios/", {"system": "hex-core"})
    assert {each.system for each in page.context["published"]} == {"hex-core"}
    assert 'data-label="Game"' not in page.content.decode()
    assert len({each.system for each in client.get("/scenarios/").context["published"]}) > 1


@pytest.mark.parametrize("path", ["/companies/", "/designs/", "/scenarios/", "/battles/"])
def test_filters_keep_their_values(client, path):
    def chosen(asked):
        return re.findall(r'<option value="([^"]*)" selected>', client.get(path, asked).content.decode())

    assert chosen({}) == []
    assert chosen({"system": SYSTEM}) == [SYSTEM]


def test_search_text_is_kept_and_escaped(client):
    html = client.get("/companies/", {"q": '"><b>x'}).content.decode()
    assert 'value="&quot;&gt;&lt;b&gt;x"' in html
    assert "<b>x" not in html


def test_card_shows_owners_figures_to_the_owner_only(client):
    company = a_company(name="Iron Hounds")
    Company.objects.filter(pk=company.pk).update(visibility="public", motto="Bite first.")
    for _ in range(2):
        assert "Bite first." in client.get("/companies/").content.decode()
    Company.objects.filter(pk=company.pk).update(name="Tin Hounds", motto="Bark first.")
    page = client.get("/companies/").content.decode()
    assert "Tin Hounds" in page
    assert "Bark first." in page
    assert "Bite first." not in page
    assert "points left" not in " ".join(page.split())
    client.force_login(company.owner)
    assert "points left" in " ".join(client.get("/companies/").content.decode().split())
    client.logout()
    assert "points left" not in " ".join(client.get("/companies/").content.decode().split())
    Company.objects.filter(pk=company.pk).update(visibility="private")
    assert "Tin Hounds" not in client.get("/companies/").content.decode()
