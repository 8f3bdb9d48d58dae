"""A list of battles tells of each what of its record a reader looks for, as it was counted when the battle ended."""

from __future__ import annotations

import pytest
from django.urls import reverse

from battles.models import Battle
from battles.services.battles import battle_queue
from systems.engine.resolve import read_record
from systems.simulation.timeline import marks_counted, rounds_of
from tests.battles.builders import duel, player

pytestmark = pytest.mark.django_db


@pytest.fixture
def fought(eager_jobs, django_capture_on_commit_callbacks) -> Battle:
    with django_capture_on_commit_callbacks(execute=True):
        battle = battle_queue(setup=duel("odin", "thor"), actor=player(), seed="11")
    battle.refresh_from_db()
    return battle


def test_a_fought_battle_has_as_many_marks_as_its_replay(fought):
    record = read_record(fought.record.text)
    shown = [line.mark for each in rounds_of(record) for step in each.steps for line in step.lines]
    assert (fought.kills, fought.criticals) == (shown.count("kill"), shown.count("critical"))
    assert marks_counted(record)["kill"] == fought.kills
    assert fought.rounds == fought.result["rounds"] > 0
    lost = sum(unit["lost"] for unit in fought.result["units"])
    assert fought.kills == lost > 0


def test_the_list_tells_them_and_nothing_of_battles_of_old(client, fought):
    page = client.get(reverse("battles:battles")).content.decode()
    assert f"</svg> {fought.kills} kill" in page
    assert ("critical" in page) == bool(fought.criticals)
    Battle.objects.update(kills=0, criticals=None)
    page = client.get(reverse("battles:battles")).content.decode()
    assert "mark--kill" not in page
    assert '<td data-label="Marks">–</td>' in page
