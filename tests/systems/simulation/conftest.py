"""Fixtures for tests that calculate odds."""

from tests.battles.conftest import _compiled  # noqa: F401
from tests.battles.conftest import _patient  # noqa: F401



