"""The worked example of each game: published once, shown with its rules, and identical to its record."""

import re

import pytest
from django.core.management import call_command
from django.urls import reverse

from battles.examples import examples_publish, worked_example
from battles.models import Battle
from battles.selectors.records import replayed
from systems import BATTLES, roster_rules
from systems.simulation.records import verify
from tests.systems import toy

pytestmark = pytest.mark.django_db
WITH_EXAMPLE = [slug for slug, game in BATTLES.items() if game.terms(game.simplest_scenario or game.plain_scenario)]


def test_examples_are_published_once_per_game(capsys):
    assert len(WITH_EXAMPLE) >= 5
    call_command("publish_examples")
    assert "Worked examples: " in capsys.readouterr().out
    assert Battle.objects.count() == len(WITH_EXAMPLE)
    assert examples_publish() == []
    assert Battle.objects.count() == len(WITH_EXAMPLE)


def test_named_steps_show_their_rules_and_record_verifies():
    examples_publish()
    for system in WITH_EXAMPLE:
        example = worked_example(system)
        battle = Battle.objects.get(system=system)
        assert verify(battle.record.text) is None
        board = replayed(battle).board
        assert set(example.steps) <= set(roster_rules(system).rulebook)
        assert len(example.steps) >= 8, "too few rules for a worked example"
        lines = {line.number: line for view in replayed(battle).rounds for step in view.steps for line in step.lines}
        first = {}
        for number, step in sorted(board.steps_of_lines.items()):
            first.setdefault(lines[number].rule, step)
        assert {rule: first[rule] for rule in example.steps} == example.steps


@pytest.mark.slow
@pytest.mark.parametrize("system", WITH_EXAMPLE)
def test_rules_page_links_to_its_example(client, system):
    url = reverse("rosters:rules", args=[system])
    assert "Example game" not in client.get(url).content.decode()
    examples_publish()
    body = client.get(url).content.decode()
    example = worked_example(system)
    assert "Example game" in body
    assert len(re.findall(r"Step \d+ of the game", body)) == len(example.steps)
    assert client.get(f"{example.picture}?step={example.step}").status_code == 200
    assert client.get(f"{example.url}?step={example.step}").status_code == 200
    assert "Example game" not in client.get(url, {"q": "range"}).content.decode()


def test_game_without_terms_has_no_example(client, monkeypatch):
    """The toy's scenario has no terms, so no ready-made forces fit it; a site with such a game must still start."""
    toy.install(monkeypatch)
    assert toy.SLUG in BATTLES
    examples_publish()
    assert not Battle.objects.filter(system=toy.SLUG).exists()
    assert worked_example(toy.SLUG) is None
    assert client.get(reverse("rosters:rules", args=[toy.SLUG])).status_code == 200
