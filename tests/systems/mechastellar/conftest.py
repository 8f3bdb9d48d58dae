"""MechaStellar among the games of the site, for tests that go through its pages and its print shop."""

import pytest
from django.urls import get_resolver

from tests.systems.toy import install


@pytest.fixture
def stellar(monkeypatch) -> str:
    """Its slug, once it is one of the games."""
    assert (
        get_resolver().url_patterns
    )  # loaded before the game is there, as what is loaded names the games that it found
    install(monkeypatch, "mechastellar", "systems.mechastellar")
    return "mechastellar"
