"""Fixtures for the campaign tests."""

import pytest

from campaigns.results import aftermath
from systems.engine.dice import ScriptedDice
from tests.battles.builders import company, player


@pytest.fixture
def own(client):
    owner = player()
    client.force_login(owner)
    return company(owner, "wasp")


@pytest.fixture
def sixes(monkeypatch):
    """Make every aftermath die show a six."""
    monkeypatch.setattr(aftermath, "SeededDice", lambda seed: ScriptedDice([6] * 40))


@pytest.fixture(scope="session", autouse=True)
def _compiled(compiled_rules):
    """Provide compiled rules for odds jobs, which are postponed without them."""
