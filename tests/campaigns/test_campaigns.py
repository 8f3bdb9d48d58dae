"""Campaigns from draft to finished; companies enrolled, excused and withdrawn."""

import pytest

from campaigns.campaign import services as campaigns
from campaigns.enrolments import services as enrolments
from campaigns.enrolments.selectors import enrolment_check
from campaigns.models import Ruling
from rosters.services import RefusedError, pilot_hire, unit_rename
from tests.builders import SYSTEM, a_company, a_player, a_unit
from tests.campaigns.builders import a_campaign, a_club, a_member, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db
ZONE_BATTLE = [{"value": "zone-battle", "name": "Zone battle"}]


@pytest.fixture
def club():
    return a_club()


@pytest.fixture
def organiser(club):
    return club.memberships.get(role="organiser").player


def create_campaign(club, organiser, **settings):
    given = {"name": "Spring War", "points": 60, "scenarios": ZONE_BATTLE, **settings}
    return campaigns.campaign_create(club=club, by=organiser, system=SYSTEM, **given)


def move(campaign, to, by):
    return campaigns.campaign_move(campaign=campaign, to=to, by=by)


def enrol_ready_companies(campaign, count=2):
    return [an_enrolment(campaign) for _ in range(count)]


@pytest.mark.rule("MM-S12", "MC-212")
@pytest.mark.parametrize(
    ("system", "order"),
    [("meks-and-mercs", ["destroyed", "destroyed-points"]), ("mech-campaign", ["destroyed", "destroyed-count"])],
)
def test_default_tie_breakers_come_from_the_rulebook(club, organiser, system, order):
    settings = {"name": "Spring War", "points": 60}
    assert campaigns.campaign_create(club=club, by=organiser, system=system, **settings).tie_breakers == order
    none = campaigns.campaign_create(
        club=club, by=organiser, system=system, **settings | {"name": "May"}, tie_breakers=[]
    )
    assert none.tie_breakers == []


class TestState:
    def test_campaign_moves_forward_one_state_at_a_time(self, club, organiser):
        campaign = create_campaign(club, organiser)
        with pytest.raises(RefusedError, match="must be open for sign-up first"):
            move(campaign, "running", organiser)
        campaign = move(campaign, "mustering", organiser)
        enrol_ready_companies(campaign)
        campaign = move(campaign, "running", organiser)
        campaign = move(campaign, "finished", organiser)
        assert [bool(at) for at in (campaign.mustering_at, campaign.running_at, campaign.finished_at)] == [True] * 3
        with pytest.raises(RefusedError, match="can't go back"):
            move(campaign, "running", organiser)

    def test_repeated_move_is_refused(self, club, organiser):
        campaign = create_campaign(club, organiser)
        move(campaign, "mustering", organiser)
        with pytest.raises(RefusedError, match="is already open for sign-up"):
            move(campaign, "mustering", organiser)
        assert club.activity.filter(text__startswith="Opened ").count() == 1

    def test_mustering_needs_a_scenario(self, club, organiser):
        with pytest.raises(RefusedError, match="at least one scenario"):
            move(create_campaign(club, organiser, scenarios=[]), "mustering", organiser)

    def test_running_needs_two_fit_companies(self, club, organiser):
        campaign = move(create_campaign(club, organiser), "mustering", organiser)
        an_enrolment(campaign)
        with pytest.raises(RefusedError, match="two accepted companies"):
            move(campaign, "running", organiser)
        empty = an_enrolment(campaign, a_company(name="Nobody's"))
        with pytest.raises(RefusedError, match="Not battle-ready: Nobody's"):
            move(campaign, "running", organiser)
        enrolments.enrolment_withdraw(enrolment=empty, by=organiser)
        an_enrolment(campaign)
        assert move(campaign, "running", organiser).state == "running"

    def test_undecided_matches_block_finishing(self, organiser, club):
        from tests.campaigns.builders import a_match, a_round

        campaign = a_campaign(club)
        a_match(a_round(campaign))
        with pytest.raises(RefusedError, match="one undecided match"):
            move(campaign, "finished", organiser)
        second = a_round(campaign, number=2)
        for _ in range(2):
            a_match(second)
        reason = "Round 1 has one undecided match and Round 2 has 2 undecided matches. Decide or void them first."
        with pytest.raises(RefusedError, match=reason):
            move(campaign, "finished", organiser)


class TestSettings:
    def test_settings_that_players_rely_on_are_fixed(self, club, organiser):
        campaign = move(create_campaign(club, organiser), "mustering", organiser)
        for field, value in (("points", 80), ("options", {"diagonal-moves": True}), ("map_kind", "zones")):
            with pytest.raises(RefusedError) as refused:
                campaigns.campaign_change(campaign=campaign, by=organiser, **{field: value})
            assert refused.value.field == field
        changed = campaigns.campaign_change(campaign=campaign, by=organiser, pairing="round-robin", pace_days=7)
        assert (changed.pairing, changed.pace_days) == ("round-robin", 7)

    @pytest.mark.parametrize(
        ("field", "value", "reason"),
        [
            ("name", " ", "must not be empty"),
            ("points", 1, "from 5 to 2000"),
            ("points", True, "from 5 to 2000"),
            ("pace_days", 0, "from 1 to 90"),
            ("pairing", "duel", "This isn't one of the choices"),
            ("tie_breakers", ["wins", "wins"], "Use each tie-breaker only once"),
            ("tie_breakers", ["beauty"], "There is no tie-breaker “beauty” here"),
            ("options", {"no-such": 1}, "no-such"),
            ("scenarios", [{"value": "no-such", "name": "X"}], "no such scenario"),
        ],
    )
    def test_invalid_setting_is_refused_at_its_field(self, club, organiser, field, value, reason):
        with pytest.raises(RefusedError, match=reason) as refused:
            create_campaign(club, organiser, **{field: value})
        assert refused.value.field == field
        assert not club.campaigns.exists()

    @pytest.mark.parametrize(("field", "value"), [("absent_rule", "orders"), ("confirms_by_deadline", False)])
    def test_deadline_rules_are_fixed_while_a_round_is_open(self, club, organiser, field, value):
        campaign = a_campaign(club)
        row = a_round(campaign)
        with pytest.raises(RefusedError, match="once that round is closed") as refused:
            campaigns.campaign_change(campaign=campaign, by=organiser, **{field: value})
        assert refused.value.field == field
        campaigns.campaign_change(
            campaign=campaign, by=organiser, about="Still on.", **{field: getattr(campaign, field)}
        )
        row.delete()
        assert getattr(campaigns.campaign_change(campaign=campaign, by=organiser, **{field: value}), field) == value

    def test_campaign_name_is_unique_in_a_club(self, club, organiser):
        create_campaign(club, organiser)
        with pytest.raises(RefusedError, match="already has a campaign of that name"):
            create_campaign(club, organiser)

    def test_only_drafts_can_be_deleted(self, club, organiser):
        campaigns.campaign_delete(campaign=create_campaign(club, organiser), by=organiser)
        assert not club.campaigns.exists()
        with pytest.raises(RefusedError, match="Only a draft"):
            campaigns.campaign_delete(campaign=a_campaign(club), by=organiser)

    def test_ring_map_needs_named_territories(self, club, organiser):
        campaign = create_campaign(club, organiser, map_kind="ring")
        with pytest.raises(RefusedError, match="same name"):
            campaigns.territories_set(campaign=campaign, by=organiser, names=["Ford", "ford", "Hill"])
        with pytest.raises(RefusedError, match="Name the ring's territories first"):
            move(campaign, "mustering", organiser)
        campaigns.territories_set(campaign=campaign, by=organiser, names=["Ford", "Mill", "Hill"])
        campaign = move(campaign, "mustering", organiser)
        assert [each.name for each in campaign.territories.all()] == ["Ford", "Mill", "Hill"]

    def test_nine_zones_get_default_names(self, club, organiser):
        campaign = move(create_campaign(club, organiser, map_kind="zones"), "mustering", organiser)
        assert campaign.territories.count() == 9


class TestEnrolment:
    @pytest.fixture
    def campaign(self, club):
        return a_campaign(club, "mustering")

    def member_company(self, club, *designs):
        player = a_member(club)
        return a_mustered_company(player, *designs)

    def ask(self, campaign, company, **more):
        return enrolments.enrolment_ask(campaign=campaign, company=company, by=company.owner, **more)

    def test_legal_company_is_accepted(self, club, campaign, organiser):
        one = self.ask(campaign, self.member_company(club), doctrine="cautious")
        one = enrolments.enrolment_accept(enrolment=one, by=organiser)
        assert (one.state, one.orders) == ("accepted", {"doctrine": "cautious"})

    def test_illegal_company_needs_an_exception(self, club, campaign, organiser):
        company = self.member_company(club)
        a_unit(company)  # it has no pilot
        one = self.ask(campaign, company)
        with pytest.raises(RefusedError, match="has problems"):
            enrolments.enrolment_accept(enrolment=one, by=organiser)
        enrolments.enrolment_excuse(enrolment=one, by=organiser, reason="A pilot is on the way.")
        assert enrolments.enrolment_accept(enrolment=one, by=organiser).state == "accepted"
        assert Ruling.objects.get().kind == "exception"

    def test_exception_covers_only_the_excused_state(self, club, campaign, organiser):
        company = self.member_company(club)
        spare = a_unit(company)
        one = self.ask(campaign, company)
        excused = enrolments.enrolment_excuse(enrolment=one, by=organiser, reason="Fine.")
        unit_rename(company=company, by=company.owner, unit=spare, name="Spare")
        pilot_hire(company=company, by=company.owner, name="On the bench")
        assert enrolment_check(company, campaign).hash == excused.exception_hash
        a_unit(company)
        assert enrolment_check(company, campaign).hash != excused.exception_hash
        with pytest.raises(RefusedError, match="has problems"):
            enrolments.enrolment_accept(enrolment=one, by=organiser)

    def test_company_over_the_campaign_points_is_a_problem(self, club, organiser):
        campaign = a_campaign(club, "mustering", points=10)
        found = enrolment_check(self.member_company(club), campaign)
        assert [each.message for each in found.problems] == [
            "The company is worth 60 points (including 42 unspent), but Spring War allows only 10."
        ]

    def test_only_owners_in_the_club_may_ask_once(self, club, campaign, organiser):
        stranger = a_mustered_company(a_player())
        with pytest.raises(RefusedError, match="Join Iron Table first"):
            self.ask(campaign, stranger)
        own = self.member_company(club)
        with pytest.raises(RefusedError, match="enrol your own"):
            enrolments.enrolment_ask(campaign=campaign, company=own, by=organiser)
        self.ask(campaign, own)
        with pytest.raises(RefusedError, match="has already asked to join"):
            self.ask(campaign, own)
        with pytest.raises(RefusedError, match="A company can only be in one campaign"):
            self.ask(a_campaign(club, "mustering", name="Autumn War"), own)

    def test_full_campaign_accepts_nobody(self, club, organiser):
        campaign = a_campaign(club, "mustering", seats=2)
        enrol_ready_companies(campaign)
        waits = self.ask(campaign, self.member_company(club))
        with pytest.raises(RefusedError, match="is full. New companies"):
            enrolments.enrolment_accept(enrolment=waits, by=organiser)

    def test_declined_or_withdrawn_company_may_ask_again(self, club, campaign, organiser):
        one = self.ask(campaign, self.member_company(club))
        one = enrolments.enrolment_decline(enrolment=one, by=organiser, reason="Next time.")
        assert (one.state, one.decision) == ("declined", "Next time.")
        one = self.ask(campaign, one.company)
        enrolments.enrolment_withdraw(enrolment=one, by=one.company.owner)
        assert self.ask(campaign, one.company).state == "asked"

    def test_autoplay_orders_need_a_known_ai_style(self, club, campaign):
        one = self.ask(campaign, self.member_company(club))
        with pytest.raises(RefusedError, match="There is no such AI style"):
            enrolments.orders_set(enrolment=one, doctrine="heroic", by=one.company.owner)
        assert enrolments.orders_set(enrolment=one, doctrine="cautious", by=one.company.owner).orders == {
            "doctrine": "cautious"
        }
