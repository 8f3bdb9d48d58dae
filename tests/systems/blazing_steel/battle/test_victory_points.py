"""Victory points of a finished battle: exact fractions in its outcome, on its page and in the API."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battles.models import Battle
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve
from systems import battle_rules
from systems.documents import DocumentError
from systems.simulation.records import read_record, resolve
from systems.text import format_decimal

from .tables import document, setup

THREE = (["hawker", "skimmer", "darter"], ["bulwark", "skimmer"])


def seed_of_fractions() -> int:
    """Return the first seed whose battle ends with fractional points."""
    given = setup(*THREE)
    return next(seed for seed in range(50) if "/" in resolve(given, seed).outcome["points"]["Red"])


@pytest.mark.rule("BS-190", "BS-197", "BS-AR34")
def test_outcome_has_exact_points_of_last_event():
    for seed in range(12):
        record = resolve(setup(*THREE), seed)
        end = record.events[-1].result
        assert record.outcome["points"] == {
            "Red": str(Fraction(end["points_a"], end["of_a"])),
            "Blue": str(Fraction(end["points_b"], end["of_b"])),
        }


def test_outcome_with_malformed_points_is_refused():
    lines = resolve(setup(*THREE), 1).lines()
    lines[-1] = lines[-1].replace('"points":{"Blue":"', '"points":{"Blue":"1/0')
    with pytest.raises(DocumentError, match=r"outcome\.points\.Blue"):
        read_record("\n".join(lines) + "\n")


@pytest.mark.django_db
@pytest.mark.rule("BS-190", "BS-AR34")
def test_api_shows_exact_points_and_page_decimals(client, monkeypatch):
    monkeypatch.setattr(battle_resolve, "delay", lambda *message: None)
    seed = seed_of_fractions()
    battle = battle_queue(setup=document(*THREE), seed=seed, visitor="v")
    battle_resolve(battle.pk)
    battle = Battle.objects.get()
    points = {name: Fraction(text) for name, text in resolve(setup(*THREE), seed).outcome["points"].items()}
    answer = client.get(f"/api/v1/battles/{battle.key}/").json()
    assert answer["result"]["points"] == {name: str(each) for name, each in points.items()}
    html = " ".join(client.get(f"/battles/{battle.key}/").content.decode().split())
    red = format_decimal(points["Red"])
    assert f'Red <b class="num">{red}</b>,' in html
    assert "victory points." in html


@pytest.mark.django_db
def test_game_without_points_shows_none():
    assert "points" not in resolve(example_of("meks-and-mercs"), 1).outcome


def example_of(system):
    return battle_rules(system).example()
