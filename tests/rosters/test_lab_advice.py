"""The lab's advice by client: fixes for problems, and what each option would change."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from systems import ROSTERS

pytestmark = pytest.mark.django_db

OVERGUNNED = {"chassis": "light", "weapons": "howitzer-cannon,howitzer-cannon", "name": "Toppler"}


def _words(page):
    """Return the text of the answer, without its markup."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page.content.decode())).split())


def _links(page):
    return [html.unescape(found) for found in re.findall(r'class="way"\s+href="([^"]*)"', page.content.decode())]


@pytest.mark.rule("MM-005")
def test_each_problem_has_fixes_that_give_a_legal_build(client):
    page = client.get(reverse("rosters:lab_advice"), OVERGUNNED)
    assert "2 Howitzer-Cannon less −8 pt" in _words(page)
    for link in _links(page):
        mended = client.get(link).context["lab"]
        assert mended.check.legal
        assert mended.name == "Toppler"


def test_fix_keeps_the_rebuilt_design_and_company(client):
    rebuilt = {**OVERGUNNED, "design": "7", "read": "x", "company": "3"}
    (link, *_) = _links(client.get(reverse("rosters:lab_advice"), rebuilt))
    lab = client.get(link).context["lab"]
    assert (lab.design, lab.read, lab.company) == ("7", "x", "3")


def test_several_problems_are_fixed_in_one_press(client):
    build = {"chassis": "light", "weapons": "howitzer-cannon,cannon,cannon", "systems": "jammer,jammer"}
    page = client.get(reverse("rosters:lab_advice"), build)
    assert "Fix everything" in _words(page)
    assert client.get(_links(page)[-1]).context["lab"].check.legal


def test_options_show_their_effect(client):
    page = _words(client.get(reverse("rosters:lab_advice"), {"chassis": "light", "weapons": "cannon"}))
    assert "one more: +1 pt; Heat 1/2 to 2/2; breaks “Weapon mounts” (MM-005)" in page
    assert "+2 pt; Hits 2 to 3; AR 5 to 4; Move 2d6+2 to 2d6; Heat 1/2 to 1/4" in page
    steel = {"system": "blazing-steel", "chassis": "light", "locomotion": "bipedal"}
    assert "breaks “Extended Magazine” (BS-012)" in _words(client.get(reverse("rosters:lab_advice"), steel))


def test_page_without_scripts_shows_all_advice_on_request(client):
    page = client.get(reverse("rosters:lab"), OVERGUNNED)
    assert not _links(page)
    assert "tell=all" in page.content.decode()
    assert len(_links(client.get(reverse("rosters:lab"), {**OVERGUNNED, "tell": "all"}))) == 2


@pytest.mark.parametrize(
    ("build", "has_advice"),
    [
        ({"chassis": "light", "weapons": "cannon"}, True),
        (OVERGUNNED, False),  # a fix may need a search
        ({"system": "mechastellar"}, False),  # hundreds of changes
        ({"chassis": "ligt"}, False),
    ],
)
def test_page_shows_quick_advice_at_once(client, build, has_advice):
    page = client.get(reverse("rosters:lab"), build)
    assert ("advised" in page.context) is has_advice
    assert ("one more: +1 pt" in _words(page)) is has_advice


def test_going_back_loads_form_first_and_advice_later(client):
    page = client.get(reverse("rosters:lab"), {"chassis": "light"}, headers={"HX-Request": "true"})
    assert "advised" not in page.context
    assert reverse("rosters:lab_advice") in page.content.decode()  # the charts are outside the replaced part


@pytest.mark.slow
@pytest.mark.parametrize("system", list(ROSTERS))
def test_advice_of_every_game_makes_no_query(client, system, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = client.get(reverse("rosters:lab_advice"), {"system": system})
    assert page.context["advised"].prices


def test_unreadable_build_has_no_advice(client):
    page = client.get(reverse("rosters:lab_advice"), {"chassis": "ligt"})
    assert page.status_code == 200
    assert page.context["advised"] is None


def test_each_chart_has_a_table(client):
    page = client.get(reverse("rosters:lab_advice"), {"chassis": "light", "weapons": "cannon"})
    assert [chart.slug for chart in page.context["advised"].charts] == ["hits", "heat", "speed", "points"]
    content = page.content.decode()
    assert content.count('<svg class="plot"') == content.count("<summary>As a table") == 4
    assert "heat rating 2" in _words(page)


def test_empty_chart_says_why(client):
    page = client.get(reverse("rosters:lab_advice"), {"system": "mech-campaign", "kind": "gun-sentry"})
    assert "It never moves." in _words(page)


def test_illegal_build_has_partial_charts(client):
    page = client.get(reverse("rosters:lab_advice"), {"system": "blazing-steel", "chassis": "light"})
    assert "speed" not in [chart.slug for chart in page.context["advised"].charts]  # it has no locomotion yet
    assert page.status_code == 200
