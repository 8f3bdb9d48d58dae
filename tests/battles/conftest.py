"""What tests of this app share."""

import pytest

from battles.services import shares


@pytest.fixture(scope="session", autouse=True)
def _compiled(compiled_rules):
    """Odds are counted by compiled rules; a count that finds none would put itself off."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """One call of a task counts all it is asked for, however busy the machine is."""
    monkeypatch.setattr(shares, "SLICE_SECONDS", 60.0)
