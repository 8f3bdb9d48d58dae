"""The list of battles shows each battle's kills and critical hits, counted when the battle ended."""

from __future__ import annotations

import pytest
from django.urls import reverse

from battles.models import Battle
from battles.services.battles import battle_queue
from systems.simulation.analysis import count_marks, rounds_of
from systems.simulation.records import read_record
from tests.battles.builders import duel, player

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished_battle(eager_jobs, django_capture_on_commit_callbacks) -> Battle:
    with django_capture_on_commit_callbacks(execute=True):
        battle = battle_queue(setup=duel("odin", "thor"), actor=player(), seed="11")
    battle.refresh_from_db()
    return battle


def test_battle_counts_the_marks_of_its_replay(finished_battle):
    record = read_record(finished_battle.record.text)
    marks = [line.mark for each in rounds_of(record) for step in each.steps for line in step.lines]
    assert (finished_battle.kills, finished_battle.criticals) == (marks.count("kill"), marks.count("critical"))
    assert count_marks(record)["kill"] == finished_battle.kills
    assert finished_battle.rounds == finished_battle.result["rounds"] > 0
    lost = sum(unit["lost"] for unit in finished_battle.result["units"])
    assert finished_battle.kills == lost > 0


def test_list_shows_marks_but_none_for_old_battles(client, finished_battle):
    page = client.get(reverse("battles:battles")).content.decode()
    assert f"</svg> {finished_battle.kills} kill" in page
    assert ("critical" in page) == bool(finished_battle.criticals)
    Battle.objects.update(kills=0, criticals=None)
    page = client.get(reverse("battles:battles")).content.decode()
    assert "mark--kill" not in page
    assert '<td data-label="Marks">–</td>' in page
