"""Fixtures for tests that calculate odds."""

from tests.battles.conftest import _compiled, _patient  # noqa: F401
