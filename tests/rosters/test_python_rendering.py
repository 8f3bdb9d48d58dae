"""HTML drawn in Python matches that of a template."""

import re
import uuid
import zoneinfo
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from django import forms
from django.template import engines
from django.utils import timezone

from rosters.ledger.selectors import LedgerRow
from systems.ledger import SentencePart
from systems.legality import BillLine

HOSTILE = "\"><script>alert('1')</script>&"
KEY = str(uuid.UUID(int=7))
LEDGER = """{% for row in rows %}<li class="ledger__entry{% if row.is_reversed %} is-reversed{% endif %}" id="entry-{{ row.id }}"><time class="ledger__when" datetime="{{ row.at|date:'c' }}">{{ row.at|date:"j M Y H:i" }}</time><div class="ledger__what">{% for part in row.parts %}{% if part.unit %}<a href="{% url 'rosters:unit' company part.unit %}{{ key_query }}">{{ part.text }}</a>{% elif part.pilot %}<a href="{% url 'rosters:pilot' company part.pilot %}{{ key_query }}">{{ part.text }}</a>{% else %}{{ part.text }}{% endif %}{% endfor %} <span class="muted">{% if row.by %}by {{ row.by }}{% endif %}{% if row.cause_ref %} {% include "rosters/_battle_link.html" with ref=row.cause_ref match=row.match %}{% elif row.ruled %} <a href="{% url 'campaigns:ruling' row.ruled.0 row.ruled.1 %}">the ruling</a>{% endif %}{% if row.is_reversed %} · taken back{% endif %}</span>{% if row.bill and not is_short %}<details class="ledger__bill small"><summary>Points</summary><ul class="bill">{% for line in row.bill %}<li><span>{{ line.label }}</span><span class="num">{{ line.points }}</span></li>{% endfor %}</ul></details>{% endif %}</div><span class="ledger__amount num">{% if row.points > 0 %}+{{ row.points }}{% elif row.points %}{{ row.points }}{% endif %}</span>{% if row.balance is not None %}<span class="ledger__balance num">{{ row.balance }}</span>{% endif %}</li>
{% endfor %}"""


BLOCK = re.compile(r" ?(</?(?:button|details|div|fieldset|form|legend|li|td|th|tr|ul)\b[^>]*>) ?")


def render(text, **context):
    """Return text as HTML shows it: one space for all white space, and none beside a block's tag."""
    page = " ".join(engines["django"].from_string(text).render(context).split())
    return BLOCK.sub(r"\1", page.replace(" />", "/>"))


def an_entry(**changed):
    plain = {
        "id": 12045, "act": uuid.UUID(int=1), "kind": "adjusted", "at": datetime(2026, 3, 29, 0, 59, tzinfo=UTC), "by": "",
        "parts": (SentencePart("So be it"),), "points": 0, "balance": 0, "cause": "act", "cause_ref": "", "bill": (),
        "is_reversed": False, "is_reversal": False, "unit": None, "pilot": None,
    }  # fmt: skip
    return LedgerRow(**plain | changed)


ENTRIES = [
    an_entry(),
    an_entry(by=HOSTILE, cause="adjustment", ruled=(3, 12)),
    an_entry(
        by=HOSTILE,
        parts=(SentencePart(HOSTILE), SentencePart(HOSTILE, unit=1234567), SentencePart(HOSTILE, pilot=3)),
        points=1200,
    ),
    an_entry(points=-1200, balance=-5000, bill=(BillLine(HOSTILE, -10500), BillLine("Hull", 0)), is_reversed=True),
    an_entry(balance=None, cause_ref=KEY),
    an_entry(cause_ref=KEY, match=str(uuid.UUID(int=8))),
    *(an_entry(cause_ref=ref) for ref in (HOSTILE, KEY.upper(), f"{{{KEY}}}", KEY.replace("-", ""), "by-hand")),
    an_entry(cause_ref=KEY, match=HOSTILE),
    *(an_entry(at=datetime(2026, month, 1, 23, 5, 6, 7, tzinfo=UTC)) for month in range(1, 13)),
]


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns"])
@pytest.mark.parametrize("further", [{}, {"is_short": True, "key_query": "?key=a&b=<c>"}], ids=["whole", "short"])
def test_ledger_entries_match_the_template(zone, further):
    context = {"rows": ENTRIES, "company": 4321, **further}
    with timezone.override(zoneinfo.ZoneInfo(zone)):
        ours = render("{% load companies %}{% ledger_entries rows company key_query is_short %}", **context)
        assert ours == render(LEDGER, **context)
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
@pytest.mark.each_value
def test_fields_match_the_template(field, data, further):
    context = {"field": Fields(data)[field], **further}
    ours = render('{% include "_field.html" %}', **context)
    assert ours == render(FIELD, **context)
    assert "<script" not in ours


FORCE = """{% load drawings %}{% for unit in company.units %}<li><a class="force__link" href="{% url 'rosters:unit' company.id unit.id %}{{ key_query }}">{% body company.system unit.spec condition=unit.condition colour=company.colour css="counter__art" as picture %}{% unit_counter unit.name unit.size left=unit.armor right=unit.points callsign=unit.pilot.callsign|default:"" picture=picture %}</a></li>{% endfor %}"""
UNITS = """{% load drawings %}{% with boxes=company.system|word:"boxes" %}{% for unit in company.units %}<tr class="leads{% if unit.problems or unit.is_unmanned %} is-problem{% endif %}"><th scope="row">{% body company.system unit.spec size="chit" condition=unit.condition %}<a class="leads__to" href="{% url 'rosters:unit' company.id unit.id %}{{ key_query }}">{{ unit.name }}</a>{% if unit.hold_reason and is_own %} {% include "rosters/_locked_tag.html" with reason=unit.hold_reason %}{% endif %}</th><td data-label="Design">{{ unit.design_name }}{% if unit.loadout %} <small class="loadout">{{ unit.loadout }}</small>{% endif %}</td><td data-label="Kind">{{ unit.size_name }}</td><td data-label="{{ company.system|word:"hits"|capfirst }}">{% hit_boxes unit.hits_left unit.hits label=boxes %}{% if unit.repair %} <span class="tag tag--warn">repair {{ unit.repair }} pt</span>{% elif unit.resting %} <span class="tag tag--warn">{{ unit.resting }}</span>{% endif %}</td><td{% if not unit.pilot and not unit.is_unmanned %} class="table__nil"{% endif %} data-label="Pilot">{% if unit.pilot %}<a href="{% url 'rosters:pilot' company.id unit.pilot.id %}{{ key_query }}">{{ unit.pilot.name }}</a>{% elif unit.is_unmanned %}<span class="tag tag--bad">nobody</span>{% else %}–{% endif %}</td><td class="num{% if not unit.games %} table__nil{% endif %}" data-label="Games">{{ unit.games }}</td><td class="num{% if not unit.kills %} table__nil{% endif %}" data-label="Kills">{{ unit.kills }}</td><td class="num table__lead" data-label="Points">{{ unit.points }}</td></tr>{% endfor %}{% endwith %}"""
PILOTS = """{% for pilot in company.pilots %}<tr class="leads"><th scope="row"><a class="leads__to" href="{% url 'rosters:pilot' company.id pilot.id %}{{ key_query }}">{{ pilot.full_name }}</a>{% if pilot.status == "wounded" %} <span class="tag tag--bad">wounded, misses a game</span>{% endif %}{% if pilot.hold_reason and is_own %} {% include "rosters/_locked_tag.html" with reason=pilot.hold_reason %}{% endif %}</th><td class="table__lead" data-label="Level">{{ pilot.level_name }}</td>{% if rules.counts_experience %}<td class="num" data-label="Experience">{{ pilot.points }}</td>{% endif %}{% if rules.skill_names %}<td{% if not pilot.skill_names %} class="table__nil"{% endif %} data-label="Skills">{{ pilot.skill_names|join:", "|default:"–" }}</td>{% endif %}<td{% if not pilot.seat %} class="table__nil"{% endif %} data-label="Unit">{% if pilot.seat %}<a href="{% url 'rosters:unit' company.id pilot.seat.id %}{{ key_query }}">{{ pilot.seat.name }}</a>{% else %}–{% endif %}</td><td class="num{% if not pilot.kills %} table__nil{% endif %}" data-label="Kills">{{ pilot.kills }}</td><td class="num{% if not pilot.games %} table__nil{% endif %}" data-label="Games">{{ pilot.games }}</td></tr>{% endfor %}"""
HANGAR = """{% load drawings %}{% for design in published %}<tr class="leads"><th scope="row">{% body company.system design.spec size="chit" %}<a class="leads__to" href="{% url 'rosters:design_published' design.system design.key %}">{{ design.name }}</a></th><td data-label="Kind">{{ design.sheet.size_name }}{% for label, value in design.sheet.columns %}{% if value %}, {{ label }} {{ value }}{% endif %}{% endfor %}</td><td data-label="Loadout">{{ design.loadout }}</td><td class="num table__lead" data-label="Points">{{ design.check.points }}</td><td class="table__act" data-label="Buy">{% include "rosters/_buy.html" with what="published:"|add:design.key points=design.check.points %}</td></tr>{% endfor %}
{% for design, read, kind in own_designs %}<tr class="leads"><th scope="row">{% body company.system design.spec size="chit" %}<a class="leads__to" href="{% url 'rosters:design' design.pk %}">{{ design.name }}</a> <span class="tag">yours</span></th><td data-label="Kind">{{ kind }}</td><td data-label="Loadout">{{ read.loadout }}</td><td class="num table__lead" data-label="Points">{{ read.check.points }}</td><td class="table__act" data-label="Buy">{% with key=design.pk|stringformat:"d" %}{% include "rosters/_buy.html" with what="own:"|add:key points=read.check.points %}{% endwith %}</td></tr>{% endfor %}"""


def a_unit_row(**changed):
    plain = {
        "id": 7, "name": HOSTILE, "design_name": HOSTILE, "size": "light", "size_name": HOSTILE, "armor": 4, "hits": 5,
        "hits_left": 5, "points": 24, "pilot": None, "is_unmanned": False, "games": 3, "kills": 0, "problems": (),
        "repair": 0, "resting": "", "hold_reason": "", "spec": {"chassis": "light", "weapons": ["cannon"]}, "condition": {},
        "loadout": HOSTILE,
    }  # fmt: skip
    return SimpleNamespace(**plain | changed)


def a_pilot_row(**changed):
    plain = {
        "id": 9, "full_name": HOSTILE, "name": HOSTILE, "callsign": HOSTILE, "status": "active", "level_name": HOSTILE,
        "points": 3, "skill_names": (), "seat": None, "kills": 2, "games": 1, "hold_reason": "",
    }  # fmt: skip
    return SimpleNamespace(**plain | changed)


PILOT = a_pilot_row()
COMPANY = SimpleNamespace(
    id=4321,
    catalogue_release="1",
    system="meks-and-mercs",
    balance=20,
    games=0,
    colour=HOSTILE,
    money=HOSTILE,
    units=(
        a_unit_row(),
        a_unit_row(pilot=PILOT, hits_left=-1, repair=12, hold_reason=f"sealed for {HOSTILE}", size=HOSTILE, armor=None),
        a_unit_row(is_unmanned=True, resting=HOSTILE, hits_left=9),
        a_unit_row(problems=(HOSTILE,), pilot=a_pilot_row(callsign=""), loadout=""),
    ),
    pilots=(
        PILOT,
        a_pilot_row(status="wounded", skill_names=(HOSTILE, "Ace"), hold_reason="é, held"),
        a_pilot_row(seat=SimpleNamespace(id=8, name=HOSTILE)),
    ),
)
CARD = SimpleNamespace(system="meks-and-mercs", key="wasp", name=HOSTILE, spec={"chassis": "light"})
CARD.sheet = SimpleNamespace(size_name=HOSTILE, size="light", columns=(("Hits", HOSTILE), ("AR", "")))
CARD.loadout = HOSTILE
CARD.check = SimpleNamespace(points=21)
RULES = [SimpleNamespace(counts_experience=many, skill_names=many) for many in (True, False)]
ROWS = {
    "counters": ("{% unit_counters company key_query %}", FORCE),
    "units": ("{% unit_rows company is_own key_query %}", UNITS),
    "pilots": ("{% pilot_rows company rules is_own key_query %}", PILOTS),
    "hangar": ("{% hangar_rows company published own_designs %}", HANGAR),
}


@pytest.mark.parametrize("key_query", ["", "?key=a&b=<c>"])
@pytest.mark.parametrize("rules", RULES, ids=["with careers", "without"])
@pytest.mark.parametrize("is_own", [True, False])
@pytest.mark.parametrize("what", ROWS)
@pytest.mark.each_value
def test_company_rows_match_the_template(what, is_own, rules, key_query, monkeypatch):
    monkeypatch.setattr("rosters.templatetags.form_fields.uuid.uuid4", lambda: uuid.UUID(int=5))
    own = [
        (
            SimpleNamespace(pk=3, name=HOSTILE, spec={"chassis": HOSTILE}),
            SimpleNamespace(check=SimpleNamespace(points=20), loadout=HOSTILE),
            HOSTILE,
        )
    ]
    context = {
        "company": COMPANY, "is_own": is_own, "rules": rules, "key_query": key_query, "published": [CARD],
        "own_designs": own, "csrf_token": "c" * 64,
    }  # fmt: skip
    tag, template = ROWS[what]
    ours = render("{% load companies %}" + tag, **context)
    assert ours == render("{% load components %}" + template, **context)
    assert "<script" not in ours
    assert ours.count("<tr") + ours.count("<li") == {"counters": 4, "units": 4, "pilots": 3, "hangar": 2}[what]
