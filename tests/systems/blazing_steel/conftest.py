"""Blazing Steel among the games of the site, for tests that go through its pages and its print shop."""

import pytest

from tests.systems.toy import install


@pytest.fixture
def steel(monkeypatch) -> str:
    """Its slug, once it is one of the games."""
    install(monkeypatch, "blazing-steel", "systems.blazing_steel")
    return "blazing-steel"
