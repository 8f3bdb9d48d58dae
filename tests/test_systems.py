"""Every rule system is whole: whatever is missing of one is said in a sentence with what to add where."""

from abc import ABC
from typing import Any

import pytest

from systems import BATTLES, GAMES, HERE, PAPER, ROSTERS, SEASONS, Games
from systems.battle import BattleSystem
from systems.game import Game
from systems.roster import RosterSystem
from systems.season import CampaignSystem
from tests.systems.toy import SLUG, install
from tests.tools.systems import PARTS, missing, slugs

BY_FILES = {"paper", "golden replay", "tests", "page of rulings"}  # what a system of the tests has not


@pytest.mark.parametrize("slug", slugs())
def test_a_rule_system_has_all_its_parts(slug: str):
    assert not missing(slug), "\n".join(missing(slug))


def test_a_game_with_one_part_alone_lacks_the_others(monkeypatch):
    monkeypatch.setitem(GAMES, "empty", Game(roster=hollow(RosterSystem, slug="empty")))
    assert "empty" in slugs()
    assert "empty" in ROSTERS
    assert not any("empty" in parts for parts in (BATTLES, SEASONS, PAPER))
    told = "\n".join(missing("empty"))
    for place in ("`battle` of GAME", "`season` of GAME", "`paper` of GAME"):
        assert place in told
    assert "`roster` of GAME" not in told


def test_a_game_that_cannot_be_loaded_stops_no_other_and_is_told_with_the_cause(monkeypatch, caplog):
    monkeypatch.setattr("systems.HERE", HERE | {"half-made": "systems.half_made"})
    monkeypatch.setattr("systems.BROKEN", broken := {})
    monkeypatch.setattr("tests.tools.systems.BROKEN", broken)
    games = Games()
    assert list(games) == list(HERE)
    assert "half-made" in caplog.text
    assert missing("half-made") == [
        "half-made can't be loaded: ModuleNotFoundError: No module named 'systems.half_made'"
    ]


def test_an_empty_system_is_told_every_part(monkeypatch):
    battle = hollow(BattleSystem, board="a drawing that nobody made")
    game = Game(roster=hollow(RosterSystem), battle=battle, season=hollow(CampaignSystem))
    monkeypatch.setitem(GAMES, "empty", game)
    assert "empty" not in PAPER
    told = missing("empty")
    assert [line.partition(":")[0] for line in told] == [f"empty has no {part.name}" for part in PARTS]
    assert all(line.partition(": ")[2] for line in told)


def test_the_system_of_the_tests_has_all_but_files_of_its_own(monkeypatch):
    install(monkeypatch)
    assert {line.partition(":")[0].removeprefix(f"{SLUG} has no ") for line in missing(SLUG)} == BY_FILES


def hollow(kind: type[ABC], **given: Any) -> Any:
    """A system that answers nothing."""

    def refuse(self: object, *args: object, **kwargs: object) -> None:
        raise NotImplementedError

    answers = dict.fromkeys(kind.__abstractmethods__, refuse)
    return type(f"Hollow{kind.__name__}", (kind,), answers | given)()
