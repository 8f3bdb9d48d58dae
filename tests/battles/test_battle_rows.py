"""Rows of battles drawn in Python match those of a template; sides name their companies."""

import re
import uuid
from datetime import UTC, datetime

import pytest
from django.template import engines
from django.template.loader import render_to_string
from django.utils import timezone

from battles.models import Battle
from battles.selectors.records import SideRow
from rosters.models import Player

HOSTILE = "\"><script>alert('1')</script>&"
ROWS = """{% for battle in battles %}<tr class="leads">
    <th scope="row"><a class="leads__to" href="{% url 'battles:battle' battle.key %}">{{ battle.title }}</a>{% if battle.fought_by_hand %} <span class="tag">at the table</span>{% endif %}{% if battle.options %} <span class="tag" title="Fought by house rules">house rules</span>{% endif %}{% if battle.visibility != "public" %} <span class="tag">{{ battle.get_visibility_display }}</span>{% endif %}</th>
    <td data-label="Game">{{ battle.get_system_display }}</td>
    <td class="table__named" data-label="Outcome">{% if battle.status == "done" %}{% if battle.ended_as.draw %}Draw{% else %}{{ battle.ended_as.winner }}{% endif %}{% else %}<span class="muted">{{ battle.get_status_display }}</span>{% endif %}</td>
    <td data-label="Marks">{% if battle.kills or battle.criticals %}{% if battle.kills %}<span class="marked">{% include "battles/_mark.html" with mark="kill" %} {{ battle.kills }} kill{{ battle.kills|pluralize }}</span> {% endif %}{% if battle.criticals %}<span class="marked">{% include "battles/_mark.html" with mark="critical" %} {{ battle.criticals }} critical{{ battle.criticals|pluralize }}</span> {% endif %}{% else %}–{% endif %}</td>
    <td class="num" data-label="Rounds or turns">{% if battle.ended_as.rounds %}{{ battle.ended_as.rounds }}{% else %}–{% endif %}</td>
    <td data-label="When"><time datetime="{{ battle.queued_at|date:'c' }}">{{ battle.queued_at|naturaltime }}</time>{% if battle.asked_by %} <span class="muted">by {{ battle.asked_by }}</span>{% endif %}</td>
  </tr>{% endfor %}"""


def a_battle(**changed) -> Battle:
    ended_as, options = changed.pop("ended_as", None), changed.pop("options", {})
    plain = {
        "key": uuid.UUID(int=7),
        "title": "Ridge",
        "system": "blazing-steel",
        "queued_at": datetime(2026, 3, 29, 0, 59, tzinfo=UTC),
    }
    battle = Battle(**plain | {"status": "done"} | changed)
    battle.ended_as, battle.options = ended_as, options
    return battle


BATTLES = [
    a_battle(ended_as={"winner": HOSTILE, "draw": False, "rounds": 1234}),
    a_battle(ended_as={"winner": None, "draw": True, "rounds": None}, title=HOSTILE, visibility="link"),
    a_battle(ended_as={"winner": "Red", "draw": False}, fought_by_hand=True, options={"natural-rolls": "x"}),
    a_battle(),
    a_battle(kills=1, criticals=12),
    a_battle(kills=0, criticals=1),
    a_battle(kills=3),
    *(
        a_battle(status=status, visibility="private")
        for status in ("queued", "running", "failed", "called-off", "draft")
    ),
    a_battle(asked_by=Player(username="kim", first_name=HOSTILE)),
    a_battle(asked_by=Player(username="<kim>")),
]


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York"])
def test_battle_rows_match_the_template(zone):
    def render(text: str) -> str:
        context = {"battles": BATTLES}
        made = engines["django"].from_string(f"{{% load humanize battles %}}{text}").render(context)
        return re.sub(
            r"\s+(?=<svg|<path|</svg>)|(?<=</svg>)\s+", "", made
        )  # spaces around parts of an icon aren't visible

    with timezone.override(zone):
        assert render("{% battle_rows battles %}") == render(ROWS)


def test_side_of_another_name_names_its_company():
    plain = {"letter": "a", "doctrine": "Cautious", "company_pk": 1, "points": 20, "units": ()}
    sides = [SideRow(name="Red", company="Ants", **plain), SideRow(name="Bees", company="Bees", **plain)]
    html = render_to_string("battles/_sides.html", {"sides": sides})
    assert "· Ants" in html
    assert "· Bees" not in html
