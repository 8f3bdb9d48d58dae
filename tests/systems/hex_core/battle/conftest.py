"""What tests that count odds share."""

from tests.battles.conftest import _compiled, _patient  # noqa: F401
