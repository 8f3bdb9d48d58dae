"""Forms look the same whether drawn by Muster's renderer or by Django's."""

import re

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.template import engines
from django.template.loader import render_to_string
from django.utils.html import escape

from rosters.site.rendering import DRAWN, FormRenderer

FIELD = """{% if field.is_hidden %}{{ field }}{% else %}{% with kind=field.widget_type %}{% if kind == "radioselect" or kind == "checkboxselectmultiple" %}<fieldset class="field{% if field.errors %} has-errors{% endif %}" id="{{ field.auto_id }}"{% if field.aria_describedby %} aria-describedby="{{ field.aria_describedby }}"{% endif %}>
  <legend>{{ label|default:field.label }}{% if not field.field.required and not has_default %} <span class="field__optional">optional</span>{% endif %}</legend>
  {% for option in field %}<label class="check" for="{{ option.id_for_label }}">{{ option.tag }} <span>{{ option.choice_label }}</span></label>{% endfor %}
  {% if field.help_text or help %}<div class="field__help" id="{{ field.auto_id }}_helptext">{% if help %}{{ help }}{% else %}{{ field.help_text|safe }}{% endif %}</div>{% endif %}
  {{ field.errors }}
</fieldset>{% elif kind == "checkbox" %}<div class="field field--check{% if field.errors %} has-errors{% endif %}">
  <label class="check" for="{{ field.id_for_label }}">{{ field }} <span>{{ label|default:field.label }}</span></label>
  {% if field.help_text or help %}<div class="field__help" id="{{ field.auto_id }}_helptext">{% if help %}{{ help }}{% else %}{{ field.help_text|safe }}{% endif %}</div>{% endif %}
  {{ field.errors }}
</div>{% else %}<div class="field{% if compact %} field--compact{% endif %}{% if field.errors %} has-errors{% endif %}">
  <label for="{{ field.id_for_label }}">{{ label|default:field.label }}{% if not field.field.required and not has_default %} <span class="field__optional">optional</span>{% endif %}</label>
  {{ field }}
  {% if field.help_text or help %}<div class="field__help" id="{{ field.auto_id }}_helptext">{% if help %}{{ help }}{% else %}{{ field.help_text|safe }}{% endif %}</div>{% endif %}
  {{ field.errors }}
</div>{% endif %}{% endwith %}{% endif %}"""
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


def render(renderer, data):
    form = Everything(data, renderer=renderer)
    fields = [f"{field}{field.errors}" for field in form]
    fields += [option.tag() for name in ("ways", "several") for option in form[name]]
    return [re.sub(r"\s*\n\s*", "", text) for text in fields]


@pytest.mark.parametrize("data", [None, {}, {"name": HOSTILE, "choice": "b", "number": "x", "hidden": ""}])
def test_every_part_is_rendered_as_by_django(data):
    ours, theirs = render(FormRenderer(), data), render(DjangoTemplates(), data)
    assert ours == theirs
    assert "<script" not in "".join(ours)


def test_names_of_drawn_parts_are_templates_of_django():
    for name in DRAWN:
        assert FormRenderer().get_template(name)


WAYS = [
    "",
    "has_default=True",
    "label=hostile",
    "help=hostile compact=True",
    "label='Name' help='' compact='' has_default=True",
]


@pytest.mark.parametrize("arguments", WAYS)
@pytest.mark.parametrize("data", [None, {}, {"name": HOSTILE, "choice": "b", "number": "x", "hidden": ""}])
def test_whole_field_matches_the_template(data, arguments):
    def drawn(template):
        context = {"form": Everything(data), "hostile": HOSTILE}
        return engines["django"].from_string(f"{{% for field in form %}}{template}{{% endfor %}}").render(context)

    given = f"{{% with {arguments} %}}{FIELD}{{% endwith %}}" if arguments else FIELD
    assert drawn(f"{{% field field {arguments} %}}") == drawn(given)
    if arguments:
        assert drawn(f"{{% include '_field.html' with {arguments} %}}") == drawn(f"{given} ")  # the end of its line


def test_summary_lists_errors_of_the_form_and_of_its_fields():
    form = Everything({"name": "", "choice": "b", "number": "x", "hidden": ""})
    form.add_error(None, HOSTILE)
    html = render_to_string("_errors.html", {"form": form})
    assert f"<li>{escape(HOSTILE)}</li>" in html
    assert "<li>hidden: This field is required.</li>" in html
    assert '<li><a href="#id_number">Number</a>: Enter a whole number.</li>' in html
