"""What is drawn in Python is drawn as a template would draw it."""

import uuid
import zoneinfo
from datetime import UTC, datetime

import pytest
from django import forms
from django.template import engines
from django.utils import timezone

from rosters.ledger.selectors import LedgerRow
from systems.ledger import Part
from systems.legality import BillLine

HOSTILE = "\"><script>alert('1')</script>&"
KEY = str(uuid.UUID(int=7))
LEDGER = """{% for row in rows %}<li class="ledger__entry{% if row.is_reversed %} is-reversed{% endif %}" id="entry-{{ row.id }}"><time class="ledger__when" datetime="{{ row.at|date:'c' }}">{{ row.at|date:"j M Y H:i" }}</time><div class="ledger__what">{% for part in row.parts %}{% if part.unit %}<a href="{% url 'rosters:unit' company part.unit %}{{ key_query }}">{{ part.text }}</a>{% elif part.pilot %}<a href="{% url 'rosters:pilot' company part.pilot %}{{ key_query }}">{{ part.text }}</a>{% else %}{{ part.text }}{% endif %}{% endfor %} <span class="muted">{% if row.by %}by {{ row.by }}{% endif %}{% if row.cause_ref %} {% include "rosters/_battle_link.html" with ref=row.cause_ref match=row.match %}{% endif %}{% if row.is_reversed %} · taken back{% endif %}</span>{% if row.bill and not is_short %}<details class="ledger__bill small"><summary>Bill</summary><ul class="bill">{% for line in row.bill %}<li><span>{{ line.label }}</span><span class="num">{{ line.points }}</span></li>{% endfor %}</ul></details>{% endif %}</div><span class="ledger__amount num">{% if row.points > 0 %}+{{ row.points }}{% elif row.points %}{{ row.points }}{% endif %}</span>{% if row.balance is not None %}<span class="ledger__balance num">{{ row.balance }}</span>{% endif %}</li>
{% endfor %}"""


def drawn(text, **context):
    return engines["django"].from_string(text).render(context)


def an_entry(**changed):
    plain = {
        "id": 12045, "act": uuid.UUID(int=1), "kind": "adjusted", "at": datetime(2026, 3, 29, 0, 59, tzinfo=UTC), "by": "",
        "parts": (Part("So be it"),), "points": 0, "balance": 0, "cause": "act", "cause_ref": "", "bill": (),
        "is_reversed": False, "is_reversal": False, "unit": None, "pilot": None,
    }  # fmt: skip
    return LedgerRow(**plain | changed)


ENTRIES = [
    an_entry(),
    an_entry(by=HOSTILE, parts=(Part(HOSTILE), Part(HOSTILE, unit=1234567), Part(HOSTILE, pilot=3)), points=1200),
    an_entry(points=-1200, balance=-5000, bill=(BillLine(HOSTILE, -10500), BillLine("Hull", 0)), is_reversed=True),
    an_entry(balance=None, cause_ref=KEY),
    an_entry(cause_ref=KEY, match=str(uuid.UUID(int=8))),
    *(an_entry(cause_ref=ref) for ref in (HOSTILE, KEY.upper(), f"{{{KEY}}}", KEY.replace("-", ""), "by-hand")),
    an_entry(cause_ref=KEY, match=HOSTILE),
    *(an_entry(at=datetime(2026, month, 1, 23, 5, 6, 7, tzinfo=UTC)) for month in range(1, 13)),
]


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns"])
@pytest.mark.parametrize("further", [{}, {"is_short": True, "key_query": "?key=a&b=<c>"}], ids=["whole", "short"])
def test_entries_of_a_ledger_are_drawn_as_a_template_would(zone, further):
    context = {"rows": ENTRIES, "company": 4321, **further}
    with timezone.override(zoneinfo.ZoneInfo(zone)):
        ours = drawn("{% load ledgers %}{% ledger_entries rows company key_query is_short %}", **context)
        assert ours == drawn(LEDGER, **context)
    assert "<script" not in ours


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
</div>{% endif %}{% endwith %}{% endif %}
"""


class Fields(forms.Form):
    """One of each kind of field that pages have."""

    name = forms.CharField(label=HOSTILE, help_text="As it is <b>shown</b>.", max_length=3)
    motto = forms.CharField(required=False, initial=HOSTILE)
    about = forms.CharField(required=False, widget=forms.Textarea, label="What & why")
    points = forms.IntegerField(help_text="Whole ones.")
    level = forms.ChoiceField(choices=[("green", "Green"), (HOSTILE, HOSTILE)])
    paper = forms.ChoiceField(choices=[("a4", "A4"), (HOSTILE, HOSTILE)], widget=forms.RadioSelect, help_text="Which.")
    units = forms.MultipleChoiceField(choices=[("1", HOSTILE)], widget=forms.CheckboxSelectMultiple, required=False)
    lent = forms.BooleanField(required=False, help_text="<i>or not</i>")
    kept = forms.BooleanField()
    read = forms.CharField(widget=forms.HiddenInput, initial=HOSTILE)


@pytest.mark.parametrize("further", [{}, {"label": HOSTILE, "help": HOSTILE, "compact": True}, {"has_default": True}])
@pytest.mark.parametrize("data", [None, {}, {"name": HOSTILE, "level": HOSTILE, "units": [HOSTILE], "lent": "on"}])
@pytest.mark.parametrize("field", Fields.base_fields)
def test_fields_are_drawn_as_a_template_would(field, data, further):
    context = {"field": Fields(data)[field], **further}
    ours = drawn('{% include "_field.html" %}', **context)
    assert ours == drawn(FIELD, **context)
    assert "<script" not in ours
