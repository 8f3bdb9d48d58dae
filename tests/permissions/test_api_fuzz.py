"""The API responds as described to any request."""

from __future__ import annotations

import os

import pytest

from tests.tools.api_fuzz import fuzz

pytestmark = pytest.mark.any_database


def quiet(caplog):
    """Silence the log, which would have thousands of refusals."""
    for logger in ("django.request", "muster.requests"):
        caplog.set_level("CRITICAL", logger)


@pytest.mark.slow
def test_sample_of_the_api_answers_as_described(world, caplog):
    quiet(caplog)
    found = fuzz(world, drawn=2, edges=False, only="/designs/,/companies/,/clubs/,/battles/")
    assert found.cases.total() > 100
    assert not found.wrong, "\n\n".join(f"{what}\n{how}" for what, how in found.wrong.items())


@pytest.mark.proof
def test_every_api_operation_answers_as_described(world, caplog):
    """MUSTER_TEST_API_CASES: number of random requests per operation, in addition to edge cases.

    MUSTER_TEST_API_SEED: the random seed; MUSTER_TEST_API_ONLY: parts of paths, separated by commas.
    """
    quiet(caplog)
    drawn, seed = (
        int(os.environ.get(f"MUSTER_TEST_API_{name}", value)) for name, value in (("CASES", 150), ("SEED", 1))
    )
    found = fuzz(world, drawn=drawn, seed=seed, only=os.environ.get("MUSTER_TEST_API_ONLY", ""))
    print(f"\n{found}")
    assert not found.wrong, "\n\n".join(f"{what}\n{how}" for what, how in found.wrong.items())
