"""Builds by chance from the lab, by client."""

from __future__ import annotations

import html
import re

import pytest
from django.urls import reverse

from systems import ROSTERS

BUILD = {"chassis": "medium", "weapons": "cannon", "name": "Mine"}


def _filled(client, **more):
    page = client.get(reverse("rosters:lab_fill"), {**BUILD, **more})
    assert page.status_code == 200
    return page


def _link(page, name):
    (found,) = re.findall(rf'href="([^"]*)">{name}<', page.content.decode())
    return html.unescape(found)


pytestmark = pytest.mark.django_db


def test_the_form_offers_what_the_build_has_and_keeps_all_of_it(client):
    page = _filled(client)
    assert page.context["form"].initial["keep"] == ["chassis", "cannon"]
    assert page.context["filling"] is None


def test_a_build_is_filled_up_and_taken_to_the_lab(client):
    asked = {"fill-points": 16, "fill-seed": 3, "fill-keep": ["chassis", "cannon"]}
    page = _filled(client, **asked)
    lab = client.get(_link(page, "Take it to the lab")).context["lab"]
    assert lab.name == "Mine"
    assert lab.check.legal
    assert lab.check.points == page.context["filling"].points <= 16
    assert lab.spec["chassis"] == "medium"
    assert "cannon" in lab.spec["weapons"]
    assert _filled(client, **asked).context["filling"] == page.context["filling"]


def test_the_next_seed_is_a_press_away(client):
    page = _filled(client, **{"fill-points": 16, "fill-seed": 3, "fill-keep": "chassis"})
    again = client.get(_link(page, "Another one"))
    assert again.context["form"].cleaned_data == {"points": 16, "seed": 4, "keep": ["chassis"]}


def test_too_few_points_for_what_stays_are_refused_with_what_to_do(client):
    page = _filled(client, **{"fill-points": 3, "fill-seed": 3, "fill-keep": ["chassis"]})
    assert "let go of something" in page.content.decode()


@pytest.mark.parametrize(
    "wrong", [{"fill-points": "x"}, {"fill-points": "-1"}, {"fill-keep": "moon"}, {"fill-seed": ""}]
)
def test_what_cannot_be_asked_is_told_on_its_field(client, wrong):
    page = _filled(client, **{"fill-points": 16, "fill-seed": 3, **wrong})
    assert page.context["form"].errors
    assert page.context["filling"] is None


@pytest.mark.parametrize("system", list(ROSTERS))
def test_every_game_fills_without_a_question_to_the_database(client, system, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = client.get(reverse("rosters:lab_fill"), {"system": system, "fill-points": 200, "fill-seed": 1})
    assert page.context["filling"].query
