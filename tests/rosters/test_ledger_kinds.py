"""Kinds of ledger entries: their sentences, and the kinds that a game adds."""

from collections import Counter
from dataclasses import replace

import pytest

from rosters.entries import every_kind, kind_choices, kinds_that
from rosters.ledger.projection import describe_entry, plain, project_entries
from rosters.models import LedgerEntry
from systems import GAMES
from systems.ledger import ABOUT, Kind, PostedEntry, SentencePart, Subject

HIRED = PostedEntry(id=1, kind="hired", pilot=8, facts={"name": "Ada", "callsign": "", "experience": "green"})


class Decorated(Kind):
    slug = "decorated"
    facts = ("medal",)
    concerns = "pilot"
    in_career = True

    def take(self, books, entry):
        books.change_pilot(entry, "points", points=books.pilot_of(entry).points + 1)

    def describe(self, entry):
        return (entry.p, SentencePart(f" wears the {entry.facts['medal']}{entry.battle}"))


@pytest.fixture
def game_with_medals(monkeypatch):
    game = GAMES["meks-and-mercs"]
    monkeypatch.setitem(GAMES, game.roster.slug, replace(game, ledger=(Decorated(),)))


def test_game_adds_its_own_kinds(game_with_medals):
    given = PostedEntry(id=2, kind="decorated", pilot=8, facts={"medal": "Iron Star", "battle": "Pale Ridge"})
    assert project_entries([HIRED, given]).pilots[8].explained["points"] == (2,)
    sentence = describe_entry("decorated", given.facts, None, Subject(8, "Ada"))
    assert plain(sentence) == "Ada wears the Iron Star in “Pale Ridge”"
    assert kinds_that(lambda kind: kind.in_career)[-1] == "decorated"


def test_model_accepts_only_known_kinds(game_with_medals):
    kind = LedgerEntry._meta.get_field("kind")
    assert ("decorated", "Decorated") in kind.flatchoices
    assert kind.clean("decorated", None) == "decorated"
    with pytest.raises(Exception, match="not a valid choice"):
        kind.clean("gift", None)


def test_kind_names_are_unique_and_fit_the_column():
    names = [kind.slug for kind in every_kind()]
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert max(map(len, names)) <= LedgerEntry._meta.get_field("kind").max_length
    assert ("skill-gained", "Skill Gained") in kind_choices()


def test_no_kind_uses_a_reserved_fact():
    assert [kind.slug for kind in every_kind() if set(kind.facts) & set(ABOUT)] == []


@pytest.mark.parametrize(
    ("design", "expected"), [("WASP", "Bought Buzz, a WASP"), ("Argonaut", "Bought Buzz, an Argonaut")]
)
def test_design_gets_the_right_article(design, expected):
    facts = {"name": "Buzz", "design": design, "spec": {}}
    assert plain(describe_entry("bought", facts, Subject(1, "Buzz"), None)) == expected
