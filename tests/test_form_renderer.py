"""Forms look as Django draws them, whichever way they are drawn."""

import re

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates

from rosters.site.forms.renderer import DRAWN, FormRenderer

HOSTILE = '"><script>alert(1)</script>'


class Everything(forms.Form):
    name = forms.CharField(initial=HOSTILE, help_text="A name.", widget=forms.TextInput(attrs={"inputmode": "text"}))
    number = forms.IntegerField(required=False, initial=1234567, min_value=0)
    hidden = forms.CharField(widget=forms.HiddenInput, initial="kept")
    choice = forms.ChoiceField(
        choices=[("", "none"), ("Group <1>", [("a", HOSTILE), (2, "two & more")]), ("z", "last")], initial=2
    )
    ticked = forms.BooleanField(required=False, initial=True)
    ways = forms.ChoiceField(choices=[("a", HOSTILE), ("b", "B")], initial="b", widget=forms.RadioSelect)
    several = forms.MultipleChoiceField(choices=[("a", "A"), ("b", "B")], widget=forms.CheckboxSelectMultiple)
    many = forms.MultipleChoiceField(choices=[("a", "A"), ("b", "B")], initial=["b"], disabled=True)


def drawn(renderer, data):
    form = Everything(data, renderer=renderer)
    fields = [f"{field}{field.errors}" for field in form]
    fields += [option.tag() for name in ("ways", "several") for option in form[name]]
    return [re.sub(r"\s*\n\s*", "", text) for text in fields]


@pytest.mark.parametrize("data", [None, {}, {"name": HOSTILE, "choice": "b", "number": "x", "hidden": ""}])
def test_every_piece_is_the_same_as_from_the_templates_of_django(data):
    ours, theirs = drawn(FormRenderer(), data), drawn(DjangoTemplates(), data)
    assert ours == theirs
    assert "<script" not in "".join(ours)


def test_what_is_drawn_without_a_template_is_named_as_django_names_it():
    for name in DRAWN:
        assert FormRenderer().get_template(name)
