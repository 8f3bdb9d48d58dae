"""Fixtures for tests that calculate odds."""

from tests.battles.conftest import (
    _compiled,  # noqa: F401
    _patient,  # noqa: F401
)
