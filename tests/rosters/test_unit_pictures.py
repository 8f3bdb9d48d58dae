"""Pages show units as they are built."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from rosters.card_layout import Picture
from rosters.paper.themes import THEMES
from rosters.paper.unit_artwork import picture_image
from rosters.unit_cache import chit_svg, unit_drawing, unit_svg
from tests import builders

WASP = {"chassis": "light", "weapons": ["cannon"]}


def pictures(html: str, size: str) -> list[str]:
    """Return each picture of that size as drawn, by its paths."""
    return re.findall(rf'<svg class="body body--{size}[^>]*>(.*?)</svg>', html, re.DOTALL)


def test_unreadable_spec_has_no_picture():
    assert unit_drawing("meks-and-mercs", {"chassis": "none such"}) is None
    assert unit_svg(None) == ""
    assert chit_svg("meks-and-mercs", {"chassis": "none such"}) == ""


def test_picture_is_decorative_and_escapes_its_colour():
    svg = unit_svg(unit_drawing("meks-and-mercs", WASP), "row", colour='"><script>')
    assert 'aria-hidden="true"' in svg
    assert "<script>" not in svg
    assert 'class="livery"' in svg
    assert 'class="tint"' not in svg


def test_chit_takes_its_colour_from_the_text():
    assert " fill=" not in chit_svg("meks-and-mercs", WASP)


@pytest.mark.django_db
def test_design_and_lab_show_the_same_picture(client):
    design = client.get(reverse("rosters:design_published", args=["meks-and-mercs", "viper"])).content.decode()
    link = re.search(r'href="(/designs/lab/\?[^"#]+)"', design)
    assert link
    lab = client.get(link[1].replace("&amp;", "&")).content.decode()
    (picture,) = pictures(design, "large")
    assert pictures(lab, "large") == [picture]


@pytest.mark.django_db
def test_lab_preview_shows_the_changed_build(client):
    url = reverse("rosters:lab_preview")
    made = [
        pictures(client.get(url, {"chassis": "heavy", "weapons": weapons}).content.decode(), "large")
        for weapons in ("cannon", "cannon,missile")
    ]
    assert [len(each) for each in made] == [1, 1]
    assert made[0] != made[1]


@pytest.mark.django_db
def test_list_shows_a_picture_of_each_design(client):
    page = client.get(reverse("rosters:designs")).content.decode()
    row_pictures = pictures(page, "row")
    assert len(row_pictures) == len(set(row_pictures)) >= 50


@pytest.mark.django_db
def test_company_unit_and_pilot_pages_show_pictures(client):
    company = builders.a_company(colour="#2f6f8f")
    unit, pilot = builders.a_crewed_unit(company)
    client.force_login(company.owner)
    roster = client.get(reverse("rosters:company", args=[company.pk])).content.decode()
    assert len(pictures(roster, "row")) == 1
    assert len(pictures(roster, "chit")) >= 10  # the unit in its table, and what the hangar sells
    pages = [
        client.get(reverse(f"rosters:{name}", args=[company.pk, pk])).content.decode()
        for name, pk in (("unit", unit.pk), ("pilot", pilot.pk))
    ]
    assert [len(pictures(page, "large")) for page in pages] == [1, 1]
    assert pictures(pages[0], "large") == pictures(pages[1], "large")
    assert 'fill="#2f6f8f"' in pages[0]


def test_printed_pictures_use_their_themes_colours():
    made = unit_drawing("meks-and-mercs", WASP)
    for name, theme in THEMES.items():
        codes = set(re.findall(r"%23([0-9a-f]{6})", picture_image(made, "Ash", theme, "#2f6f8f")))
        assert ("2f6f8f" in codes) == (name == "colour")
        greys = {code for code in codes if code[:2] == code[2:4] == code[4:]}
        assert name == "colour" or greys == codes
    assert picture_image(None, "Ash", THEMES["colour"], "") == ""


def test_pictures_of_different_units_have_different_repr():
    one, other = (Picture(unit_drawing("meks-and-mercs", spec), 0, 0, 10) for spec in (WASP, {"chassis": "heavy"}))  # type: ignore[arg-type]
    assert repr(one) != repr(other)
