"""A campaign's spending limit: the points a company was mustered with, and what it has earned in the campaign."""

import pytest
from django.urls import reverse

from campaigns.army_lists.services import lists_reveal
from campaigns.campaign.services import campaign_move
from campaigns.corrections.effects import CorrectionPreview
from campaigns.corrections.services import correction_apply, correction_preview
from campaigns.enrolments import services as enrolments
from campaigns.enrolments.selectors import enrolment_check
from campaigns.models import Enrolment
from campaigns.results.aftermath import take_loan
from campaigns.results.services import match_confirm, report_make
from rosters import services as rosters
from rosters.ledger.records import company_balance
from rosters.models import Unit
from rosters.services import RefusedError
from tests.builders import a_company, a_crewed_unit, a_pilot, a_unit
from tests.campaigns.builders import a_campaign, a_match, a_member, a_round, an_enrolment, submit_list
from tests.campaigns.test_closing import close_round, fate
from tests.campaigns.test_locks import signed_in

pytestmark = pytest.mark.django_db


def a_rich_company(owner=None, points=1000):
    """Two WASPs, 18 points, and the rest in the bank."""
    own = a_company(owner, points=points)
    for number in (1, 2):
        a_crewed_unit(own, pilot=f"Pilot {number}")
    return own


def company_of(match, side=0):
    return (match.attacker, match.defender)[side]


def play_match(match, winner="attacker"):
    """Play the match with the submitted lists, or with all that both can field; nobody is hurt."""
    match = lists_reveal(match=match)
    content = {"muster": "report/1", "winner": winner, "units": {}}
    report_make(match=match, side=0, content=content, by=company_of(match).company.owner)
    own = match.reports.get(is_current=True).pk
    return match_confirm(match=match, side=1, report=own, by=company_of(match, 1).company.owner)


# --- mustering --------------------------------------------------------------------------------------------------------


def test_mustering_counts_points_in_the_bank():
    campaign = a_campaign(state="mustering")
    own = a_rich_company(a_member(campaign.club))
    asked = enrolments.enrolment_ask(campaign=campaign, company=own, by=own.owner)
    organiser = campaign.club.memberships.first().player
    with pytest.raises(
        RefusedError, match=r"worth 1000 points \(including 982 unspent\), but Spring War allows only 60"
    ):
        enrolments.enrolment_accept(enrolment=asked, by=organiser)
    answer = signed_in(organiser).post(
        reverse("campaigns:enrolment", args=[campaign.pk, asked.pk]), {"do": "accept"}, follow=True
    )
    assert "including 982 unspent" in answer.content.decode()
    asked.refresh_from_db()
    assert asked.state == "asked"


def test_mustering_counts_hired_pilots():
    campaign = a_campaign(state="mustering", points=22)
    own = a_company(points=23)
    a_crewed_unit(own)
    a_crewed_unit(own)
    a_pilot(own, "Reg", experience="regular")
    assert [each.message for each in enrolment_check(own, campaign).problems] == [
        "The company is worth 23 points, but Spring War allows only 22."
    ]
    campaign.points = 23
    assert enrolment_check(own, campaign).problems == ()


def test_exception_lapses_when_the_bank_changes():
    campaign = a_campaign(state="mustering")
    own = a_rich_company(a_member(campaign.club))
    asked = enrolments.enrolment_ask(campaign=campaign, company=own, by=own.owner)
    organiser = campaign.club.memberships.first().player
    excused = enrolments.enrolment_excuse(enrolment=asked, by=organiser, reason="He found it before he read the rules.")
    retired = a_pilot(own, "Reg", experience="regular")
    rosters.pilot_retire(company=own, by=own.owner, pilot=retired)
    assert company_balance(own) == 977
    assert enrolment_check(own, campaign).hash != excused.exception_hash
    with pytest.raises(RefusedError, match="has problems"):
        enrolments.enrolment_accept(enrolment=asked, by=organiser)


# --- spending ---------------------------------------------------------------------------------------------------------


def test_excused_company_spends_only_the_campaign_limit():
    campaign = a_campaign(state="mustering")
    own = a_rich_company(a_member(campaign.club))
    asked = enrolments.enrolment_ask(campaign=campaign, company=own, by=own.owner)
    organiser = campaign.club.memberships.first().player
    enrolments.enrolment_excuse(enrolment=asked, by=organiser, reason="As he is.")
    enrolments.enrolment_accept(enrolment=asked, by=organiser)
    a_unit(own, "draken")
    with pytest.raises(RefusedError) as refused:
        a_unit(own, "draken")
    assert refused.value.reason == (
        "DRAKEN costs 24 points. Spring War allows Iron Hounds 60 points in total: 18 left to spend."
    )
    assert own.units.filter(status="ready").count() == 3  # 18 + 24 points; 18 of the 60 are left
    a_pilot(own, "Reg", experience="regular")
    a_crewed_unit(own, pilot="Third")
    with pytest.raises(RefusedError, match="5 points. .* 4 left to spend"):
        a_pilot(own, "Reg two", experience="regular")
    answer = signed_in(own.owner).post(
        reverse("rosters:unit_buy", args=[own.pk]), {"what": "published:wasp"}, follow=True
    )
    assert "4 left to spend" in answer.content.decode()


def test_campaign_income_buys_units_between_games():
    campaign = a_campaign(points=18)
    match = a_match(
        a_round(campaign),
        an_enrolment(campaign, a_rich_company(points=18)),
        an_enrolment(campaign, a_rich_company(points=18)),
    )
    play_match(match)
    own = match.attacker.company
    assert company_balance(own) == 12  # a win, MM-S08
    a_crewed_unit(own, pilot="Third")
    assert enrolment_check(own, campaign).problems == ()
    after = a_match(a_round(campaign), match.attacker, match.defender)
    assert len(submit_list(submit_list(after, 0), 1).forces[0]) == 3  # 27 points of a limit of 30


def test_income_from_outside_the_campaign_is_not_spent():
    """Points from other games stay in the bank."""
    campaign = a_campaign(points=60)
    own = a_rich_company(points=60)
    an_enrolment(campaign, own)
    game = {"result": "won", "season_points": 3, "income": 40, "repaid": 0, "gifts": []}
    own.ledger.create(
        act=own.ledger.first().act, kind="game", points=40, facts=game, cause="battle", cause_ref="friendly"
    )
    assert company_balance(own) == 82
    a_unit(own, "draken")  # 24 of the 42 points it was mustered with
    with pytest.raises(RefusedError, match="DRAKEN costs 24 points. .* 18 left to spend"):
        a_unit(own, "draken")


def test_house_loan_does_not_block_submitting():
    campaign = a_campaign(points=18)
    own = a_rich_company(points=18)
    entry = an_enrolment(campaign, own)
    own.units.update(status="destroyed", pilot=None)
    for unit in Unit.objects.filter(company=own):
        own.ledger.create(act=own.ledger.first().act, kind="destroyed", unit=unit, facts={"to": {}}, cause="battle")
    take_loan(company=own, by=own.owner)
    match = a_match(a_round(campaign), entry)
    assert submit_list(match, 0).sealed.get().side == 0


def test_undoing_a_sale_respects_the_campaign_limit():
    campaign = a_campaign(state="mustering", points=14)
    own = a_company(a_member(campaign.club), points=18)
    (one, pilot), (two, _) = a_crewed_unit(own), a_crewed_unit(own)
    result = rosters.UnitResult(unit=one.pk, pilot=pilot.pk)
    rosters.company_apply_result(company=own, act=two.company.link_key, cause_ref="x", by=None, units=[result])
    assert rosters.unit_sell(company=own, by=own.owner, unit=one) == 4  # used in a battle, so half of 9
    asked = enrolments.enrolment_ask(campaign=campaign, company=own, by=own.owner)
    enrolments.enrolment_accept(enrolment=asked, by=campaign.club.memberships.first().player)
    with pytest.raises(RefusedError, match="can't be undone any more. Spring War allows Iron Hounds 14 points"):
        rosters.undo_last_act(company=own, by=own.owner)


# --- submitting, revealing, autoplay orders ---------------------------------------------------------------------------


@pytest.fixture
def overspent_match():
    """A match whose attacker has 258 points in a campaign of 60, as older data may have it."""
    own = a_rich_company()
    for number in range(10):
        a_crewed_unit(own, "draken", pilot=f"Heavy {number}")
    campaign = a_campaign(absent_rule="orders")
    return a_match(a_round(campaign), an_enrolment(campaign, own))


def test_company_over_the_limit_cannot_submit(overspent_match):
    with pytest.raises(RefusedError) as refused:
        submit_list(overspent_match, 0)
    assert refused.value.reason == (
        "Iron Hounds has units and hired pilots worth 258 points, but Spring War allows it 60. "
        "Sell some, or ask the organiser for an exception."
    )
    own = overspent_match.attacker.company
    answer = signed_in(own.owner).post(
        reverse("api-match-forces", args=[overspent_match.key]),
        {"units": [own.units.first().pk], "doctrine": "cautious"},
        content_type="application/json",
    )
    assert answer.status_code == 422
    assert "allows it 60" in answer.json()["errors"][0]["reason"]
    for unit in own.units.filter(design_name="DRAKEN")[:9]:
        rosters.unit_sell(company=own, by=own.owner, unit=unit)
    assert submit_list(overspent_match, 0).sealed.get().side == 0


def test_older_list_over_the_limit_is_voided_at_reveal(overspent_match):
    units = list(overspent_match.attacker.company.units.values_list("pk", flat=True))
    overspent_match.sealed.create(side=0, document={"units": units, "doctrine": "cautious"}, salt="s", hash="h")
    assert submit_list(overspent_match, 1).setup is None
    assert "worth 258 points" in overspent_match.sealed.get(side=0).fell


def test_autoplay_orders_respect_the_limit(overspent_match):
    submit_list(overspent_match, 1)
    close_round(overspent_match.round)
    assert fate(overspent_match) == ("forfeited", "defender", "deadline")
    text = overspent_match.activity.filter(text__contains="had no legal list").get().text
    assert "Iron Hounds has units and hired pilots worth 258 points" in text


def test_exception_in_a_running_campaign_blocks_further_spending(overspent_match):
    own, organiser = overspent_match.attacker.company, overspent_match.round.campaign.club.memberships.first().player
    enrolments.enrolment_excuse(enrolment=overspent_match.attacker, by=organiser, reason="He came from another club.")
    overspent_match.attacker.refresh_from_db()
    assert overspent_match.attacker.excused_points == 258
    for unit in own.units.filter(design_name="DRAKEN")[:2]:
        rosters.unit_sell(company=own, by=own.owner, unit=unit)
    with pytest.raises(RefusedError, match="0 left to spend"):
        a_unit(own)
    assert submit_list(overspent_match, 0).sealed.get().side == 0


@pytest.mark.parametrize(("excused", "is_allowed"), [(257, False), (258, True)])
def test_list_over_the_excused_points_cannot_be_submitted(overspent_match, excused, is_allowed):
    type(overspent_match.attacker).objects.filter(pk=overspent_match.attacker.pk).update(excused_points=excused)
    if is_allowed:
        assert submit_list(overspent_match, 0).sealed.get().side == 0
        return
    with pytest.raises(RefusedError, match="worth 258 points, but Spring War allows it 60"):
        submit_list(overspent_match, 0)


# --- other rules ------------------------------------------------------------------------------------------------------


def test_returning_company_keeps_its_campaign_income():
    campaign = a_campaign(points=18)
    match = a_match(
        a_round(campaign),
        an_enrolment(campaign, a_rich_company(points=18)),
        an_enrolment(campaign, a_rich_company(points=18)),
    )
    play_match(match)
    own = match.attacker.company
    enrolments.enrolment_withdraw(enrolment=match.attacker, by=own.owner)
    asked = enrolments.enrolment_ask(campaign=campaign, company=own, by=own.owner)
    organiser = campaign.club.memberships.first().player
    assert enrolments.enrolment_accept(enrolment=asked, by=organiser).state == "accepted"


@pytest.mark.parametrize("mode", ["compensate", "flag"])
def test_correction_removes_income_from_the_limit(mode):
    campaign = a_campaign(points=18)
    match = a_match(
        a_round(campaign),
        an_enrolment(campaign, a_rich_company(points=18)),
        an_enrolment(campaign, a_rich_company(points=18)),
    )
    match = play_match(match)
    from campaigns.results.reports import parse_report

    after = parse_report({"muster": "report/1", "winner": "defender", "units": {}})
    preview: CorrectionPreview = correction_preview(match=match, after=after, mode=mode, by=None)
    correction_apply(
        match=match, after=after, mode=mode, reason="It was the other way round.", token=preview.token,
        by=campaign.club.memberships.first().player,
    )  # fmt: skip
    own = match.attacker.company
    expected = {"compensate": 6, "flag": 12}[mode]
    assert company_balance(own) == expected
    assert enrolment_check(own, campaign).problems == ()
    campaign.points -= 1
    assert [each.message for each in enrolment_check(own, campaign).problems] == [
        f"The company is worth {18 + expected} points (including {expected} unspent), but "
        f"Spring War allows only {17 + expected}."
    ]


def test_campaign_does_not_start_with_oversized_company():
    campaign = a_campaign(state="mustering")
    an_enrolment(campaign)
    an_enrolment(campaign, a_rich_company())
    with pytest.raises(RefusedError, match="Not battle-ready: Iron Hounds"):
        campaign_move(campaign=campaign, to="running", by=campaign.club.memberships.first().player)
    assert Enrolment.objects.count() == 2
