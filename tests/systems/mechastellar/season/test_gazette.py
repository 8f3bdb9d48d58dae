"""The gazette of a campaign of MechaStellar on paper."""

import html

import pytest

from campaigns.gazette.services import gazette_html
from campaigns.models import Gazette
from campaigns.rounds.closing import _fight
from systems.mechastellar.build import SYSTEM as ROSTERS
from tests.campaigns.builders import a_campaign, a_match, a_mustered_company, a_round, an_enrolment
from tests.campaigns.gazettes import close_round


@pytest.mark.django_db
def test_printed_gazette_ends_with_attribution(stellar):
    campaign = a_campaign(
        system=stellar,
        scenarios=[{"value": "versus", "name": "Versus"}],
        options={},
        tie_breakers=["score"],
        catalogue_release=ROSTERS.catalogue_release,
    )
    sides = [
        an_enrolment(campaign, a_mustered_company(None, "gamma-apollo", name=name, system=stellar))
        for name in ("Axes", "Bears")
    ]
    match = a_match(a_round(campaign), *sides, scenario="versus", scenario_name="Versus", terrain="standard")
    assert _fight(match)
    row = close_round(match.round)
    paper = html.unescape(gazette_html(Gazette.objects.get(round=row), "a4"))
    assert paper.count(ROSTERS.attribution) == 1
    assert paper.rstrip().endswith(f"{ROSTERS.attribution}</p></body></html>")
