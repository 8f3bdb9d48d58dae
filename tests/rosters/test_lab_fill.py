"""Random builds from the lab, by client."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from systems import ROSTERS

BUILD = {"chassis": "medium", "weapons": "cannon", "name": "Mine"}


def _filled(client, **more):
    page = client.get(reverse("rosters:lab"), {**BUILD, "fill": "", **more})
    assert page.status_code == 200
    return page


def _link(page, name):
    (found,) = re.findall(rf'href="([^"]*)">{name}<', page.content.decode())
    return html.unescape(found)


pytestmark = pytest.mark.django_db


def test_form_offers_and_keeps_the_builds_parts(client):
    page = _filled(client)
    assert page.context["fill_form"].initial["keep"] == ["chassis", "cannon"]
    assert page.context["filling"] is None


def test_filled_build_opens_in_the_lab(client):
    arguments = {"fill-points": 16, "fill-seed": 3, "fill-keep": ["chassis", "cannon"]}
    page = _filled(client, **arguments)
    lab = client.get(_link(page, "Use this")).context["lab"]
    assert lab.name == "Mine"
    assert lab.check.legal
    assert lab.check.points == page.context["filling"].points <= 16
    assert lab.spec["chassis"] == "medium"
    assert "cannon" in lab.spec["weapons"]
    assert _filled(client, **arguments).context["filling"] == page.context["filling"]


def test_next_seed_is_one_press_away(client):
    page = _filled(client, **{"fill-points": 16, "fill-seed": 3, "fill-keep": "chassis"})
    again = client.get(_link(page, "Try another"))
    assert again.context["fill_form"].cleaned_data == {"points": 16, "seed": 4, "keep": ["chassis"]}


def test_too_few_points_are_refused_with_advice(client):
    page = _filled(client, **{"fill-points": 3, "fill-seed": 3, "fill-keep": ["chassis"]})
    assert "No legal unit found" in page.content.decode()


@pytest.mark.parametrize(
    "wrong", [{"fill-points": "x"}, {"fill-points": "-1"}, {"fill-keep": "moon"}, {"fill-seed": ""}]
)
def test_bad_input_shows_errors_on_its_field(client, wrong):
    page = _filled(client, **{"fill-points": 16, "fill-seed": 3, **wrong})
    assert page.context["fill_form"].errors
    assert page.context["filling"] is None


@pytest.mark.slow
@pytest.mark.parametrize("system", list(ROSTERS))
def test_fill_of_every_game_makes_no_query(client, system, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = client.get(reverse("rosters:lab"), {"system": system, "fill-points": 200, "fill-seed": 1})
    assert page.context["filling"].query
