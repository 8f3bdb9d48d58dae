"""Fixtures of the battles tests."""

import pytest

from battles.odds import chunks


@pytest.fixture(scope="session", autouse=True)
def _compiled(compiled_rules):
    """Use compiled rules: without them odds would be postponed."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """Let one call of a task simulate everything, however busy the machine is."""
    monkeypatch.setattr(chunks, "SLICE_SECONDS", 60.0)
