"""Rounds: planning, changes and opening, and the standings and map that follow from results."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns.models import DecidedBy, FairDraw, MatchState, Outcome, Round, Territory
from campaigns.planning import services as rounds
from campaigns.planning.draws import entrants_of
from campaigns.planning.pairing_odds import attacker_chance, calculate_fair_odds
from campaigns.results.decisions import match_settle_unfought
from campaigns.standings.selectors import standings, territories
from rosters.services import RefusedError
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment

pytestmark = pytest.mark.django_db


@pytest.fixture
def organiser():
    return a_player()


@pytest.fixture
def campaign(organiser):
    return a_campaign(a_club(organiser))


def enrolled(campaign, *names):
    return [an_enrolment(campaign, a_mustered_company(name=name)) for name in names]


def plan(campaign, by, way="swiss"):
    return rounds.round_plan(campaign=campaign, by=by, way=way)


def forfeit(match, outcome=Outcome.ATTACKER):
    return match_settle_unfought(
        match=match, state=MatchState.FORFEITED, outcome=outcome, decided_by=DecidedBy.ORGANISER, by=None
    )


class TestPlanning:
    def test_round_is_planned_and_opened_with_pairs_and_bye(self, campaign, organiser):
        enrolled(campaign, "Axes", "Bears", "Crows")
        row = plan(campaign, organiser)
        assert [bool(match.defender) for match in row.matches.all()] == [True, False]
        row = rounds.round_open(round_=row, by=organiser)
        match, bye = row.matches.all()
        assert (row.state, match.state, bye.state, bye.outcome) == ("open", "scheduled", "bye", "attacker")
        assert match.dice.commitment
        assert row.deadline - row.opens_at == timedelta(days=14)

    def test_companies_meet_again_only_after_all_others(self, campaign, organiser):
        enrolled(campaign, "Axes", "Bears", "Crows", "Dogs")
        met = []
        for _ in range(3):
            row = rounds.round_open(round_=plan(campaign, organiser), by=organiser)
            met += [frozenset((m.attacker_id, m.defender_id)) for m in row.matches.all()]
        assert len(set(met)) == 6

    def test_only_one_round_is_planned_at_a_time(self, campaign, organiser):
        enrolled(campaign, "Axes", "Bears")
        row = plan(campaign, organiser)
        with pytest.raises(RefusedError, match="already planned"):
            plan(campaign, organiser)
        rounds.round_drop(round_=row, by=organiser)
        assert plan(campaign, organiser).number == 1

    def test_only_running_campaigns_plan_rounds(self, campaign, organiser):
        campaign.state = "mustering"
        campaign.save()
        with pytest.raises(RefusedError, match="not running"):
            plan(campaign, organiser)

    def test_pairings_by_hand_are_checked_at_opening(self, campaign, organiser):
        one, two, three = enrolled(campaign, "Axes", "Bears", "Crows")
        row = plan(campaign, organiser, "by-hand")
        with pytest.raises(RefusedError, match="no matches yet"):
            rounds.round_open(round_=row, by=organiser)
        rounds.match_add(round_=row, attacker=one, defender=two, by=organiser, terrain="urban")
        again = rounds.match_add(round_=row, attacker=three, defender=one, by=organiser)
        with pytest.raises(RefusedError, match="Axes would play twice"):
            rounds.round_open(round_=row, by=organiser)
        rounds.match_change(match=again, by=organiser, attacker=three, defender=None, scenario=0, terrain="")
        row = rounds.round_open(round_=row, by=organiser)
        assert [match.terrain for match in row.matches.all()] == ["urban", "plain"]
        with pytest.raises(RefusedError, match="so its pairings can't be changed"):
            rounds.match_remove(match=again, by=organiser)

    def test_invalid_pairings_are_refused(self, campaign, organiser):
        one, two = enrolled(campaign, "Axes", "Bears")
        (stranger,) = enrolled(a_campaign(campaign.club, name="Other"), "Crows")
        row = plan(campaign, organiser, "by-hand")
        for attacker, defender, more, reason in (
            (one, one, {}, "can't play itself"),
            (one, stranger, {}, "isn't in"),
            (one, two, {"scenario": 4}, "scenario isn't in"),
            (one, two, {"terrain": "sea"}, "can't be played on this terrain"),
        ):
            with pytest.raises(RefusedError, match=reason):
                rounds.match_add(round_=row, attacker=attacker, defender=defender, by=organiser, **more)
        assert not row.matches.exists()

    def test_deadline_must_be_in_the_future(self, campaign, organiser):
        enrolled(campaign, "Axes", "Bears")
        row = plan(campaign, organiser)
        yesterday = timezone.now() - timedelta(days=1)
        with pytest.raises(RefusedError, match="in the future"):
            rounds.round_open(round_=row, by=organiser, deadline=yesterday)
        row = rounds.round_open(round_=row, by=organiser)
        later = row.deadline + timedelta(days=3)
        assert rounds.round_set_deadline(round_=row, deadline=later, by=organiser).deadline == later

    @pytest.mark.parametrize(("left", "is_shared"), [(timedelta(hours=1), True), (timedelta(), False)])
    def test_match_is_added_to_a_round_before_its_deadline(self, campaign, left, is_shared):
        axes, bears = enrolled(campaign, "Axes", "Bears")
        row, now = a_round(campaign), timezone.now()
        Round.objects.filter(pk=row.pk).update(deadline=now + left)
        match = rounds.match_create_outside_pairing(
            campaign=campaign, one=axes, two=bears, deadline=now + timedelta(days=7), beside=row, by=None
        )
        assert (match.round == row) is is_shared

    def test_void_match_counts_for_neither_side(self, campaign):
        axes, bears = enrolled(campaign, "Axes", "Bears")
        match = a_match(a_round(campaign), axes, bears)

        def sides():
            return {each.id: (each.attacks, each.defences) for each in entrants_of(campaign)}

        assert sides() == {axes.pk: (1, 0), bears.pk: (0, 1)}
        match_settle_unfought(
            match=match, state=MatchState.VOID, outcome=Outcome.NONE, decided_by=DecidedBy.ORGANISER, by=None
        )
        assert sides() == {axes.pk: (0, 0), bears.pk: (0, 0)}

    def test_scenarios_rotate_over_the_pairings(self, organiser):
        scenarios = [
            {"value": "opening-shots", "name": "Opening Shots"},
            {"value": "head-to-head", "name": "Head to Head"},
        ]
        campaign = a_campaign(a_club(organiser), scenarios=scenarios)
        enrolled(campaign, "Axes", "Bears", "Crows", "Dogs")
        assert [m.scenario for m in plan(campaign, organiser).matches.all()] == ["opening-shots", "head-to-head"]


class TestFairMatches:
    def test_worker_calculates_odds_and_draws_a_fair_round(self, campaign, organiser):
        strong, weak = ("viper", "viper"), ("wasp", "wasp")
        for name, designs in (("Axes", strong), ("Bears", weak), ("Crows", strong), ("Dogs", weak)):
            an_enrolment(campaign, a_mustered_company(None, *designs, name=name))
        row = plan(campaign, organiser, "fair")
        assert not row.matches.exists()
        job = FairDraw.claim(row.fair_draw.pk)
        assert calculate_fair_odds(job=job)
        met = {frozenset((m.attacker.company.name, m.defender.company.name)) for m in row.matches.all()}
        assert met == {frozenset(("Axes", "Crows")), frozenset(("Bears", "Dogs"))}
        row.fair_draw.refresh_from_db()
        assert (row.fair_draw.status, len(row.fair_draw.chances), row.fair_draw.pairs) == ("done", 12, 12)

    def test_fair_draw_uses_the_forecast(self, campaign, organiser):
        one, two = enrolled(campaign, "Axes", "Bears")
        row = plan(campaign, organiser, "fair")
        assert 0.4 < attacker_chance(row.fair_draw, one, two) < 0.6  # equal forces on both sides


class TestStandings:
    def test_standings_follow_from_decided_matches(self, campaign):
        axes, bears, crows = enrolled(campaign, "Axes", "Bears", "Crows")
        row = a_round(campaign)
        forfeit(a_match(row, axes, bears))
        a_match(row, crows, axes)  # not decided
        assert [(each.row.name, each.row.points) for each in standings(campaign)] == [
            ("Axes", 3),
            ("Crows", 0),
            ("Bears", 0),  # forfeited
        ]
        assert [each.row.points for each in standings(campaign, up_to=0)] == [0, 0, 0]

    def test_withdrawn_company_is_marked_on_the_page(self, client, campaign):
        axes, bears = enrolled(campaign, "Axes", "Bears")
        forfeit(a_match(a_round(campaign), axes, bears))
        axes.state = "withdrawn"
        axes.save()
        page = client.get(reverse("campaigns:standings", args=[campaign.pk])).content.decode()
        assert f"{axes.company.owner}, withdrawn" in page
        assert f"{bears.company.owner}, withdrawn" not in page

    @pytest.mark.slow
    def test_standings_queries_do_not_grow_with_matches(self, campaign, django_assert_max_num_queries):
        axes, bears = enrolled(campaign, "Axes", "Bears")
        for _ in range(4):
            forfeit(a_match(a_round(campaign), axes, bears))
        with django_assert_max_num_queries(5):
            standings(campaign)


class TestMap:
    def test_winner_takes_the_territory(self, organiser):
        campaign = a_campaign(a_club(organiser), map_kind="ring")
        axes, bears = enrolled(campaign, "Axes", "Bears")
        ford = Territory.objects.create(campaign=campaign, position=1, name="Ford", home=bears)
        Territory.objects.create(campaign=campaign, position=2, name="Mill")
        first, second = a_round(campaign), a_round(campaign)
        forfeit(a_match(first, axes, bears, territory=ford))
        forfeit(a_match(second, bears, axes, territory=ford), Outcome.DEFENDER)
        holders = {place.name: (place.holder_name, place.since) for place in territories(campaign)}
        assert holders == {"Ford": ("Axes", 1), "Mill": ("", None)}
        assert territories(campaign, up_to=0)[0].holder_name == "Bears"
        assert [each.territories for each in standings(campaign)] == [1, 0]


def test_rounds_are_numbered_consecutively(campaign, organiser):
    enrolled(campaign, "Axes", "Bears")
    for _ in range(2):
        rounds.round_open(round_=plan(campaign, organiser), by=organiser)
    assert list(Round.objects.values_list("number", flat=True)) == [1, 2]


# --- daylight saving time ---------------------------------------------------------------------------------------------


@pytest.fixture
def before_summer(monkeypatch):
    """Set the time to 20 March 2027, 19:00 in Berlin, eight days before daylight saving begins."""
    now = datetime(2027, 3, 20, 18, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)
    return now


@pytest.mark.parametrize("by_program", [True, False])
def test_deadline_keeps_its_hour_over_daylight_saving(client, campaign, organiser, before_summer, by_program):
    enrolled(campaign, "Axes", "Bears")
    organiser.time_zone = "Europe/Berlin"
    organiser.save()
    row = plan(campaign, organiser)
    client.force_login(organiser)
    if by_program:
        row = rounds.round_open(round_=row, by=organiser)
        assert row.deadline == datetime(2027, 4, 3, 19, tzinfo=ZoneInfo("Europe/Berlin"))
    else:
        page = client.get(reverse("campaigns:round", args=[campaign.pk, row.number])).content.decode()
        assert 'value="2027-04-03T19:00"' in page


def test_ambiguous_deadline_is_asked_about_and_skipped_hour_refused(client, campaign, organiser):
    enrolled(campaign, "Axes", "Bears")
    organiser.time_zone = "Europe/Berlin"
    organiser.save()
    row = rounds.round_open(round_=plan(campaign, organiser), by=organiser)
    client.force_login(organiser)
    act = reverse("campaigns:round_act", args=[campaign.pk, row.number])
    autumn, summer = "2027-10-31T02:30", "2027-03-28T02:30"
    asked = client.post(act, {"act": "deadline", "deadline": autumn})
    assert asked.status_code == 422
    assert "02:30 happens twice. Choose the first or the second." in asked.content.decode()
    assert 'name="deadline-which"' in asked.content.decode()
    client.post(act, {"act": "deadline", "deadline": autumn, "deadline-which": "second"})
    row.refresh_from_db()
    assert row.deadline == datetime(2027, 10, 31, 1, 30, tzinfo=UTC)
    skipped = client.post(act, {"act": "deadline", "deadline": summer}).content.decode()
    assert "the clocks go forward and there is no 02:30. Choose another time." in skipped
    row.refresh_from_db()
    assert row.deadline == datetime(2027, 10, 31, 1, 30, tzinfo=UTC)
