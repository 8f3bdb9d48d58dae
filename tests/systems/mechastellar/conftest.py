"""MechaStellar as one of the site's games, for tests of its pages and print shop."""

import pytest
from django.urls import get_resolver

from tests.systems.toy import install


@pytest.fixture
def stellar(monkeypatch) -> str:
    """Install the game and return its slug."""
    assert (
        get_resolver().url_patterns
    )  # load the URLs before installing the game: modules loaded now list the games they find
    install(monkeypatch, "mechastellar", "systems.mechastellar")
    return "mechastellar"
