"""Every rule system is whole: whatever is missing of one is said in a sentence with what to add where."""

from abc import ABC
from typing import Any

import pytest

from battles.systems import SYSTEMS as BATTLES
from battles.systems.base import BattleSystem
from campaigns.systems import SYSTEMS as CAMPAIGNS
from campaigns.systems.base import CampaignSystem
from rosters.printing.systems import PAPER
from rosters.systems import SYSTEMS as ROSTERS
from rosters.systems.base import RosterSystem
from tests.systems.toy import SLUG, install
from tests.tools.systems import PARTS, missing, slugs

BY_FILES = {"paper", "golden replay", "tests", "page of rulings"}  # what a system of the tests has not


@pytest.mark.parametrize("slug", slugs())
def test_a_rule_system_has_all_its_parts(slug: str):
    assert not missing(slug), "\n".join(missing(slug))


def test_a_system_that_stands_in_one_registry_alone_lacks_the_others(monkeypatch):
    monkeypatch.setitem(ROSTERS, "empty", hollow(RosterSystem, slug="empty"))
    assert "empty" in slugs()
    told = "\n".join(missing("empty"))
    for place in (
        "battles/systems/__init__.py",
        "campaigns/systems/__init__.py",
        "rosters/printing/systems/__init__.py",
    ):
        assert place in told
    assert "rosters/systems/__init__.py" not in told


def test_an_empty_system_is_told_every_part(monkeypatch):
    monkeypatch.setitem(ROSTERS, "empty", hollow(RosterSystem))
    monkeypatch.setitem(BATTLES, "empty", hollow(BattleSystem, board="a drawing that nobody made"))
    monkeypatch.setitem(CAMPAIGNS, "empty", hollow(CampaignSystem))
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
