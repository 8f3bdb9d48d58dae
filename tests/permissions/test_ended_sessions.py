"""Every form that is sent after its session ended is filled in again after signing in."""

from __future__ import annotations

import os

import pytest

from tests.tools.ended_sessions import walk_ended_sessions

pytestmark = pytest.mark.any_database


@pytest.mark.slow
def test_company_and_club_forms_return_filled_in(world, caplog):
    caplog.set_level("CRITICAL", "muster.requests")
    found = walk_ended_sessions(world, pages="rosters:company,campaigns:club_,campaigns:match_report,campaigns:report")
    assert found.forms > 50
    assert not found.wrong, "\n\n".join(f"{what}\n{how}" for what, how in found.wrong.items())


@pytest.mark.proof
def test_every_form_returns_filled_in(world, caplog):
    """MUSTER_TEST_FORM_ONLY: parts of the names of routes whose pages are read."""
    caplog.set_level("CRITICAL", "muster.requests")
    found = walk_ended_sessions(world, pages=os.environ.get("MUSTER_TEST_FORM_ONLY", ""))
    print(f"\n{found}")
    assert not found.wrong, "\n\n".join(f"{what}\n{how}" for what, how in found.wrong.items())
