"""Many at once: one correction is carried out, and no ledger is left that doesn't add up."""

import pytest

from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.models import CorrectionMode, Match
from rosters.ledger.records import company_record
from rosters.services import unit_buy
from tests.campaigns.builders import a_campaign, a_mustered_company, an_enrolment
from tests.campaigns.corrections import CASCADE, COMPENSATE, all_is_well, played
from tests.rosters.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def story():
    campaign = a_campaign()
    sides = [an_enrolment(campaign, a_mustered_company(name=name)) for name in ("Ants", "Bees", "Cats")]
    matches = [played(campaign, sides[a], sides[b]) for a, b in ((0, 1), (1, 2), (2, 0))]
    return campaign.club.memberships.get(role="organiser").player, sides, matches


def fresh(match):
    return Match.objects.select_related("round__campaign").get(pk=match.pk)


def test_of_many_who_correct_the_same_match_exactly_one_does(story):
    arbiter, sides, (match, *_) = story
    token = correction_preview(match=fresh(match), after=None, mode=COMPENSATE, by=None).token
    answers = at_once(
        lambda: correction_apply(
            match=fresh(match), after=None, mode=COMPENSATE, reason="Twice.", by=arbiter, token=token
        )
    )
    assert answers.count(True) == 1
    assert match.corrections.count() == 1
    assert company_record(sides[0].company).won == 0
    all_is_well()


def test_corrections_of_a_ring_of_matches_and_purchases_wait_for_each_other(story):
    arbiter, sides, matches = story
    turns = iter(range(1000))

    def act():
        turn = next(turns)
        company = sides[turn % 3].company
        if turn % 2:
            unit_buy(company=company, by=company.owner, published="wasp")
            return
        match = fresh(matches[turn % 3])
        mode = (CASCADE, COMPENSATE, CorrectionMode.FLAG)[turn // 2 % 3]
        preview = correction_preview(match=match, after=None, mode=mode, by=None)
        correction_apply(match=match, after=None, mode=mode, reason="Ring.", by=arbiter, token=preview.token)

    answers = at_once(act)
    assert True in answers
    all_is_well()
