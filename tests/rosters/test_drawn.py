"""What is drawn in Python is drawn as a template would draw it."""

import uuid
import zoneinfo
from datetime import UTC, datetime

import pytest
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
