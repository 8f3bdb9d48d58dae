"""Every form on the pages responds in words, acts once, and changes nothing if it refuses."""

from __future__ import annotations

import os

import pytest

from tests.tools.form_fuzz import form_routes, fuzz_forms, send_again_later

pytestmark = pytest.mark.any_database


def quiet(caplog):
    """Silence the log, which would have thousands of refusals."""
    for logger in ("django.request", "muster.requests", "django.security.csrf"):
        caplog.set_level("CRITICAL", logger)


@pytest.mark.slow
def test_sample_of_forms_acts_once_or_refuses_in_words(world, caplog):
    quiet(caplog)
    pages = "rosters:company,campaigns:club_"
    found = fuzz_forms(world, spoilt=1, only=f"{pages},rosters:unit_", pages=pages, kept=0)
    assert found.posts.total() > 60
    assert found.twice
    assert not found.wrong, "\n\n".join(f"{what}\n{how}" for what, how in found.wrong.items())


FOUNDING = (
    "rosters:company_create", "rosters:company_clone", "rosters:scenario_new", "rosters:scenario_clone", "rosters:scenario_published_clone", "campaigns:club_new",
    "campaigns:campaign_new", "campaigns:season_new", "battles:tables", "battles:quick-battle", "battles:ready-battle",
)  # fmt: skip


@pytest.mark.slow
def test_founding_form_sent_again_leads_to_its_first_result(world, caplog):
    quiet(caplog)
    pages = "rosters:company,rosters:scenario,campaigns:club,campaigns:campaign_new,battles:tables,battles:quick-battle,home"
    found = send_again_later(world, only=",".join(FOUNDING), pages=pages)
    assert not found.wrong, "\n\n".join(f"{what}\n{how}" for what, how in found.wrong.items())
    assert set(found.done) == set(FOUNDING)


@pytest.mark.proof
def test_every_form_acts_once_or_refuses_in_words(world, caplog):
    """Send every form, valid and spoilt.

    MUSTER_TEST_FORM_CASES: number of spoilt copies per form; _SEED: the random seed; _ONLY: parts of route names.
    """
    quiet(caplog)
    spoilt, seed = (
        int(os.environ.get(f"MUSTER_TEST_FORM_{name}", value)) for name, value in (("CASES", 12), ("SEED", 1))
    )
    only = os.environ.get("MUSTER_TEST_FORM_ONLY", "")
    found = fuzz_forms(world, spoilt=spoilt, seed=seed, only=only)
    print(f"\n{found}")
    assert only or set(found.posts) == set(form_routes(world))
    assert not found.wrong, "\n\n".join(f"{what}\n{how}" for what, how in found.wrong.items())
