"""Cached addresses equal Django's."""

import uuid

import pytest
from django.template import Context, Template
from django.urls import NoReverseMatch, reverse
from django.utils.safestring import mark_safe

from rosters.templatetags.links import address
from tests.permissions.routes import _argument_names, routes

KEY = uuid.UUID("0a0b0c0d-0000-4000-8000-73164509aaaa")
GIVEN = [7, 73164509018, KEY, "iron-table", "Iron_Table2"]


@pytest.mark.parametrize("route", sorted(routes()))
def test_every_route_has_djangos_address(route):
    for wanted in _argument_names(route):
        for value in GIVEN:
            for args, kwargs in (([value] * len(wanted), {}), ([], dict.fromkeys(wanted, value))):
                path = address(route, [*args, *kwargs.values()], tuple(kwargs))
                try:
                    expected = reverse(route, args=args, kwargs=kwargs)
                except NoReverseMatch:
                    assert path is None
                else:
                    assert path in (None, expected)


def test_simple_arguments_need_no_search():
    assert address("rosters:unit", [7, 8]) == "/companies/7/units/8/"
    assert address("rosters:unit", [8, 7], ("unit_pk", "pk")) == "/companies/7/units/8/"
    assert address("campaigns:club", ["iron-table"]) == "/clubs/iron-table/"
    assert address("battles:battle", [KEY]) == f"/battles/{KEY}/"
    assert address("home", []) == "/"


@pytest.mark.parametrize("value", ["a b", "ä", "a/b", "<b>", "", None, -1, True, 1.5])
def test_complex_value_is_left_to_django(value):
    assert address("campaigns:club", [value]) is None


def test_url_tag_reuses_known_routes(monkeypatch):
    template = Template("{% url 'rosters:unit' pk=pk unit_pk=9 %} {% url 'campaigns:club' slug %} {% url 'home' %}")
    template.render(Context({"pk": 3, "slug": "iron"}))
    monkeypatch.setattr("django.urls.reverse", None)
    html = template.render(Context({"pk": 4, "slug": mark_safe("tin")}))
    assert html == "/companies/4/units/9/ /clubs/tin/ /"


def test_unknown_route_raises_unless_stored_in_a_variable():
    template = Template("{% url 'no-such' 3 as found %}[{{ found }}]{% url 'rosters:company' pk as found %}{{ found }}")
    assert template.render(Context({"pk": 3})) == f"[]{reverse('rosters:company', args=[3])}"
    with pytest.raises(NoReverseMatch):
        Template("{% url 'rosters:company' %}").render(Context())
