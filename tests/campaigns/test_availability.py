"""Players' availability, the dates they agree on, and each player's calendar over all clubs."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from campaigns.availability.selectors import (
    PlayableDays,
    calendar_entries,
    common_days,
    date_of,
    date_sheet,
    describe_availability,
    playable_days_of,
)
from campaigns.availability.services import (
    availability_drop,
    availability_set,
    calendar_key_new,
    date_accept,
    date_decline,
    date_drop,
    date_propose,
)
from campaigns.models import Availability, MatchDate, Notification, NotificationPreferences
from campaigns.notifications.reminders import send_reminders
from campaigns.planning.services import round_set_deadline
from campaigns.policy import rights_in
from rosters.services import RefusedError
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_round, an_enrolment, waiting_for
from tests.campaigns.test_results_races import run_concurrently

THURSDAY = 3


def event_types_of(player):
    return [
        each.news.occasion for each in Notification.objects.filter(player=player).select_related("news").order_by("pk")
    ]


def date_seen(match, reader):
    return date_sheet(match, date_of(match), reader, rights_in(reader, match.round.campaign.club))


@pytest.fixture
def match(db):
    return a_match()


@pytest.fixture
def players(match):
    return match.attacker.company.owner, match.defender.company.owner


@pytest.fixture
def in_two_days():
    return (timezone.now() + timedelta(days=2)).replace(second=0, microsecond=0)


# --- availability


def test_evening_suits_available_players_not_away():
    one = PlayableDays(
        weekdays=frozenset({THURSDAY}),
        days=frozenset({date(2026, 11, 28)}),
        away=((date(2026, 12, 1), date(2026, 12, 5)),),
    )
    other = PlayableDays(weekdays=frozenset({THURSDAY, 5}))
    assert list(common_days(date(2026, 11, 26), date(2026, 12, 10), [one, other])) == [
        date(2026, 11, 26), date(2026, 11, 28), date(2026, 12, 10),
    ]  # fmt: skip


def test_club_availability_overrides_the_general_one(match, players):
    one, _ = players
    club = match.round.campaign.club
    availability_set(player=one, weekdays=[1])
    assert playable_days_of([one], club)[one.pk].weekdays == {1}
    availability_set(player=one, club=club, weekdays=[THURSDAY])
    assert playable_days_of([one], club)[one.pk].weekdays == {THURSDAY}
    assert playable_days_of([one], a_club(name="Elsewhere"))[one.pk].weekdays == {1}
    assert availability_drop(player=one, club=club)
    assert playable_days_of([one], club)[one.pk].weekdays == {1}


def test_past_days_are_dropped_and_availability_is_described(players):
    one, _ = players
    today = timezone.localdate()
    later = today + timedelta(days=3)
    row = availability_set(
        player=one, weekdays=[THURSDAY, 0], days=[today - timedelta(days=1), later], away=[(later, later)]
    )
    assert (row.days, row.weekdays) == ([later.isoformat()], [0, THURSDAY])
    words = describe_availability(playable_days_of([one], a_club(name="Elsewhere"))[one.pk])
    assert words.startswith("Mondays, Thursdays; also ")
    assert "; not from " in words


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"weekdays": [7]}, "weekdays"),
        ({"away": [(date(2027, 1, 2), date(2027, 1, 1))]}, "away"),
        ({"days": [date(2100, 1, 1)]}, "days"),
        ({"days": [timezone.localdate() + timedelta(days=at) for at in range(1, 70)]}, "days"),
    ],
)
def test_invalid_availability_is_refused_at_its_field(players, given, field):
    with pytest.raises(RefusedError) as refused:
        availability_set(player=players[0], **given)
    assert refused.value.field == field
    assert not Availability.objects.exists()


def test_availability_for_a_foreign_club_is_refused(players):
    with pytest.raises(RefusedError, match="Join Elsewhere first"):
        availability_set(player=players[0], club=a_club(name="Elsewhere"), weekdays=[1])


def test_match_shows_common_evenings_to_sides_and_organisers(match, players):
    one, other = players
    campaign = match.round.campaign
    tomorrow = timezone.localdate() + timedelta(days=1)
    availability_set(player=one, days=[tomorrow])
    assert date_seen(match, one).suits_both == ()
    availability_set(player=other, weekdays=range(7))
    sheet = date_seen(match, one)
    assert sheet.suits_both == (tomorrow,)
    assert [each.player for each in sheet.sides] == [str(one), str(other)]
    assert date_seen(match, campaign.club.memberships.get(role="organiser").player) is not None
    assert date_seen(match, a_member(campaign.club)) is None
    assert date_seen(match, a_player()) is None


# --- agreeing


def test_proposed_date_is_accepted_by_the_opponent(match, players, in_two_days):
    one, other = players
    date_propose(match=match, side=0, at=in_two_days, by=one)
    assert [each.kind for each in waiting_for(other)].count("date") == 1
    assert "date" not in [each.kind for each in waiting_for(one)]
    assert event_types_of(other)[-1] == "date-proposed"
    row = date_accept(match=match, side=1, at=in_two_days, by=other)
    assert (row.agreed_at, row.proposed_at) == (in_two_days, None)
    assert event_types_of(one)[-1] == "date-agreed"
    assert "date" not in [each.kind for each in waiting_for(other)]


def test_agreed_date_applies_until_replaced_or_cancelled(match, players, in_two_days):
    one, other = players
    date_propose(match=match, side=0, at=in_two_days, by=one)
    date_accept(match=match, side=1, at=in_two_days, by=other)
    later = in_two_days + timedelta(days=1)
    row = date_propose(match=match, side=1, at=later, by=other)
    assert (row.agreed_at, row.proposed_at) == (in_two_days, later)
    date_decline(match=match, side=0, by=one)
    assert event_types_of(other)[-1] == "date-declined"
    date_propose(match=match, side=1, at=later, by=other)
    assert date_accept(match=match, side=0, at=later, by=one).agreed_at == later
    date_drop(match=match, side=0, by=one)
    assert event_types_of(other)[-1] == "date-dropped"
    assert MatchDate.objects.get().agreed_at is None


def test_equal_proposals_are_an_agreement(match, players, in_two_days):
    one, other = players
    date_propose(match=match, side=0, at=in_two_days, by=one)
    assert date_propose(match=match, side=1, at=in_two_days, by=other).agreed_at == in_two_days


@pytest.mark.django_db(transaction=True)
def test_concurrent_equal_proposals_are_an_agreement():
    match = a_match()
    at = (timezone.now() + timedelta(days=2)).replace(second=0, microsecond=0)
    owners = (match.attacker.company.owner, match.defender.company.owner)
    run_concurrently(
        [lambda side=side: date_propose(match=match, side=side, at=at, by=owners[side]) for side in (0, 1)]
    )
    assert MatchDate.objects.get().agreed_at == at


def test_accepting_needs_the_current_proposal(match, players, in_two_days):
    one, other = players
    date_propose(match=match, side=0, at=in_two_days, by=one)
    date_propose(match=match, side=0, at=in_two_days + timedelta(hours=1), by=one)
    with pytest.raises(RefusedError, match="The proposal has changed"):
        date_accept(match=match, side=1, at=in_two_days, by=other)
    with pytest.raises(RefusedError, match="You proposed this date"):
        date_accept(match=match, side=0, at=in_two_days + timedelta(hours=1), by=one)


def test_date_must_be_in_the_future_before_the_deadline(match, players):
    one, _ = players
    with pytest.raises(RefusedError, match="in the future"):
        date_propose(match=match, side=0, at=timezone.now() - timedelta(hours=1), by=one)
    with pytest.raises(
        RefusedError,
        match="closes before that",
    ):
        date_propose(match=match, side=0, at=match.round.deadline + timedelta(hours=1), by=one)
    assert not MatchDate.objects.exists()


def test_only_sides_set_a_date_for_an_open_match(match, players, in_two_days):
    with pytest.raises(RefusedError, match="two players"):
        date_propose(match=match, side=0, at=in_two_days, by=players[1])
    match.state = "void"
    match.save()
    with pytest.raises(RefusedError, match="This match is already decided: void"):
        date_propose(match=match, side=0, at=in_two_days, by=players[0])


def test_both_sides_are_reminded_once_at_their_time(match, players):
    one, other = players
    at = match.round.deadline - timedelta(days=3)
    MatchDate.objects.create(match=match, agreed_at=at)
    NotificationPreferences.objects.create(player=other, remind_hours=6)
    assert send_reminders(now=at - timedelta(hours=25)) == 0
    assert send_reminders(now=at - timedelta(hours=23)) == 1
    assert send_reminders(now=at - timedelta(hours=5)) == 1
    assert send_reminders(now=at - timedelta(hours=4)) == 0
    assert event_types_of(one) == ["date-near"] == event_types_of(other)


@pytest.mark.parametrize(
    ("state", "round_state"), [("reported", "open"), ("disputed", "closed"), ("scheduled", "closed")]
)
def test_played_or_closed_matches_get_no_reminder(match, players, state, round_state):
    at = match.round.deadline - timedelta(days=3)
    MatchDate.objects.create(match=match, agreed_at=at)
    match.state, match.round.state = state, round_state
    match.save()
    match.round.save()
    send_reminders(now=at - timedelta(hours=5))
    assert not [slug for player in players for slug in event_types_of(player) if slug == "date-near"]


# --- calendar ---


def test_calendar_lists_deadlines_and_dates_of_all_clubs(match, players, in_two_days):
    one, other = players
    second = a_campaign(a_club(name="Second Table"), name="Autumn War")
    mine = an_enrolment(second)
    mine.company.owner = one
    mine.company.save()
    a_match(a_round(second), mine, an_enrolment(second))
    date_propose(match=match, side=0, at=in_two_days, by=one)
    kinds = [each.kind for each in calendar_entries(one)]
    assert sorted(kinds) == ["deadline", "deadline", "opening", "opening", "proposal"]
    date_accept(match=match, side=1, at=in_two_days, by=other)
    (agreed,) = [each for each in calendar_entries(one) if each.kind == "date"]
    assert (agreed.at, agreed.uid) == (in_two_days, f"date-{match.key}")
    assert calendar_entries(a_player()) == ()


def test_feed_opens_only_with_the_current_key(client, match, players, in_two_days):
    one, other = players
    date_propose(match=match, side=0, at=in_two_days, by=one)
    date_accept(match=match, side=1, at=in_two_days, by=other)
    key = calendar_key_new(player=one).key
    url = reverse("campaigns:calendar_feed", args=[key])
    answer = client.get(url)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    events = {str(each["uid"]): each for each in Calendar.from_ical(answer.content).walk("VEVENT")}
    event = events[f"date-{match.key}@muster"]
    assert event["dtstart"].dt == in_two_days.astimezone(UTC)
    assert str(event["url"]).startswith("http")
    assert f"match-{match.key}@muster" in events
    newer = calendar_key_new(player=one).key
    assert client.get(url).status_code == 404
    one.is_active = False
    one.save()
    assert client.get(reverse("campaigns:calendar_feed", args=[newer])).status_code == 404


def test_campaign_calendar_includes_match_dates(client, match, players, in_two_days):
    one, other = players
    date_propose(match=match, side=0, at=in_two_days, by=one)
    date_accept(match=match, side=1, at=in_two_days, by=other)
    answer = client.get(reverse("campaigns:campaign_calendar", args=[match.round.campaign_id]))
    starts = [each["dtstart"].dt for each in Calendar.from_ical(answer.content).walk("VEVENT")]
    assert in_two_days.astimezone(UTC) in starts


def test_moved_deadline_raises_the_sequence_of_its_event(client, match):
    type(match.round).objects.update(opens_at=timezone.now() - timedelta(days=1))
    url = reverse("campaigns:campaign_calendar", args=[match.round.campaign_id])

    def sequence():
        (event,) = Calendar.from_ical(client.get(url).content).walk("VEVENT")
        return event["sequence"]

    before = sequence()
    round_set_deadline(round_=match.round, deadline=match.round.deadline + timedelta(days=3), by=a_player())
    assert sequence() > before


def test_calendar_page_shows_the_readers_time_zone(client, match, players):
    one, other = players
    one.time_zone = "Pacific/Auckland"
    one.save()
    at = (timezone.now() + timedelta(days=2)).replace(hour=18, minute=30, second=0, microsecond=0)
    date_propose(match=match, side=0, at=at, by=one)
    date_accept(match=match, side=1, at=at, by=other)
    client.force_login(one)
    page = client.get(reverse("campaigns:my_calendar")).content.decode()
    from zoneinfo import ZoneInfo

    assert f">{at.astimezone(ZoneInfo('Pacific/Auckland')):%H:%M}<" in page


# --- pages and API


def test_pages_lead_from_availability_to_an_agreed_date(client, match, players):
    one, other = players
    tomorrow = timezone.localdate() + timedelta(days=1)
    client.force_login(one)
    url = reverse("campaigns:availability")
    wrong = client.post(url, {"days": "next week", "act": "save"})
    assert wrong.status_code == 422
    assert not Availability.objects.exists()
    assert (
        client.post(url, {"weekdays": ["3"], "days": tomorrow.isoformat(), "away": "", "act": "save"}).status_code
        == 302
    )
    assert Availability.objects.get().days == [tomorrow.isoformat()]
    page = reverse("campaigns:match", args=[match.key])
    say = reverse("campaigns:match_date", args=[match.key])
    assert client.post(say, {"act": "propose", "at": f"{tomorrow}T19:00"}).status_code == 302
    client.force_login(other)
    answer = client.get(f"{page}?evenings=1").content.decode()
    assert "Accept date" in answer
    assert "Thursdays" in answer
    proposed = MatchDate.objects.get().proposed_at
    assert client.post(say, {"act": "accept", "at": proposed.isoformat()}).status_code == 302
    assert MatchDate.objects.get().agreed_at == proposed
    assert "agreed by both sides" in client.get(page).content.decode()
    client.force_login(a_player())
    assert "Played on</dt>" in client.get(page).content.decode()  # spectators see the date
    assert client.post(say, {"act": "drop"}).status_code in (403, 404)


def test_page_asks_about_an_ambiguous_hour(client, match, players):
    one, _ = players
    one.time_zone = "Europe/Berlin"
    one.save()
    autumn = max(
        day
        for year in range(timezone.now().year + 1, timezone.now().year + 2)
        for day in (datetime(year, 10, 31 - at, 2, 30, tzinfo=UTC) for at in range(7))
        if day.weekday() == 6
    )
    match.round.deadline = autumn + timedelta(days=3)
    match.round.save()
    client.force_login(one)
    typed = f"{autumn:%Y-%m-%dT%H:%M}"
    page = client.post(f"/matches/{match.key}/date/", {"act": "propose", "at": typed}, follow=True).content.decode()
    assert "happens twice. Choose the first or the second." in page
    assert f'value="{typed}"' in page
    assert 'name="at-which"' in page
    sent = {"act": "propose", "at": typed, "at-which": "first"}
    client.post(f"/matches/{match.key}/date/", sent)
    assert date_of(reload_match(match)).proposed_at == autumn.replace(hour=0)


def reload_match(match):
    return type(match).objects.get(pk=match.pk)


def test_api_sets_availability_and_agrees_on_a_date(client, match, players, in_two_days):
    one, other = players
    client.force_login(one)
    url = "/api/v1/calendar/evenings/"
    tomorrow = timezone.localdate() + timedelta(days=1)
    sent = {"weekdays": [3], "days": [tomorrow.isoformat()]}
    answer = client.patch(url, sent, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert client.get(url).json() == {"club": None, "weekdays": [3], "days": [tomorrow.isoformat()], "away": []}
    away = {"away": [{"first": tomorrow.isoformat(), "last": tomorrow.isoformat()}]}
    assert client.patch(url, away, content_type="application/json").json()["weekdays"] == [3]
    say = f"/api/v1/matches/{match.key}/date/"
    answer = client.post(say, {"act": "propose", "at": in_two_days.isoformat()}, content_type="application/json")
    assert answer.status_code == 200
    assert answer.json()["proposed_by"] == match.attacker.company.name
    client.force_login(other)
    answer = client.post(say, {"act": "accept", "at": in_two_days.isoformat()}, content_type="application/json").json()
    assert datetime.fromisoformat(answer["agreed_at"]) == in_two_days
    kinds = [each["kind"] for each in client.get("/api/v1/calendar/").json()]
    assert "date" in kinds
    assert "deadline" in kinds
    assert client.delete(url).status_code == 204
    client.force_login(a_member(match.round.campaign.club))
    assert client.get(say).status_code == 403
