"""The API answers what its description says, whatever it is asked."""

from __future__ import annotations

import os

import pytest

from tests.permissions.world import the_world
from tests.tools.api_fuzz import fuzz

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.mark.parametrize("part", ["/designs/", "/companies/{pk}/", "/clubs/{slug}/"])
def test_a_sample_of_the_api_answers_as_it_is_described(part, caplog):
    caplog.set_level("CRITICAL", "django.request")
    found = fuzz(the_world(), drawn=2, only=part, edges=False)
    assert found.cases
    assert not found.wrong, "\n\n".join(f"{what}\n{how}" for what, how in found.wrong.items())


@pytest.mark.proof
def test_every_operation_of_the_api_answers_as_it_is_described(caplog):
    """MUSTER_TEST_API_CASES: how many cases are drawn for each operation, beside its edges."""
    caplog.set_level("CRITICAL", "django.request")
    only = os.environ.get("MUSTER_TEST_API_ONLY", "")
    found = fuzz(the_world(), drawn=int(os.environ.get("MUSTER_TEST_API_CASES", "120")), only=only)
    print(found)
    assert not found.wrong, f"{found}\n\n" + "\n\n".join(f"{what}\n{how}" for what, how in found.wrong.items())
