"""What tests of this app share."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def _compiled(compiled_rules):
    """Odds are counted by compiled rules; a count that finds none would put itself off."""
