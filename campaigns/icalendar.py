"""Fixtures as iCalendar: an event at the deadline of each match of the open rounds, and at its date. RFC 5545."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

from icalendar import Calendar, Event

from campaigns.models import Campaign, Match, MatchDate, MatchState
from campaigns.planning.selectors import match_status, open_matches
from systems import battle_rules
from systems.text import printable_text

GAME_DURATION = timedelta(hours=3)  # assumed for each game
EPOCH = datetime(2020, 1, 1, tzinfo=UTC)
REFRESH_INTERVAL = timedelta(hours=6)  # how often a calendar should refresh


def fixtures_calendar(campaign: Campaign, *, company: int | None, match_url: Callable[[UUID], str]) -> bytes:
    """Return the calendar of the campaign, or of one company in it. Byes are left out; two queries."""
    found = Calendar()
    found.add("prodid", "-//Muster//Fixtures//EN")
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    found.add("x-wr-calname", printable_text(f"{campaign.name}, {campaign.club.name}"))
    found.add("refresh-interval", REFRESH_INTERVAL, parameters={"value": "DURATION"})
    agreed = MatchDate.objects.filter(match__round__campaign=campaign, agreed_at__isnull=False)
    rows = agreed.values_list("match", "agreed_at", "changed_at")
    dates = {match: (at, changed) for match, at, changed in rows if at is not None}
    for match in open_matches(campaign):
        sides = (match.attacker.company_id, match.defender.company_id if match.defender else None)
        if match.round.deadline is not None and (company is None or company in sides):
            found.add_component(_event(match, match_url(match.key)))
            if match.pk in dates and match.state in MatchState.undecided():
                found.add_component(_date(match, *dates[match.pk], match_url(match.key)))
    return bytes(found.to_ical())


def stamp_event(event: Event, changed_at: datetime | None, described_at: datetime | None = None) -> None:
    """Set when the event was moved last, and when anything in it changed last.

    Calendars accept a new time for an event only if its SEQUENCE has risen: here it is the seconds since 2020.
    """
    moved = changed_at or EPOCH
    latest = max(moved, described_at or moved)
    event.add("sequence", max(0, int((moved - EPOCH).total_seconds())))
    event.add("dtstamp", latest.astimezone(UTC))
    event.add("last-modified", latest.astimezone(UTC))


def _date(match: Match, at: datetime, changed_at: datetime | None, url: str) -> Event:
    """Return the event of the match at the date its sides play it."""
    event = Event()
    event.add("uid", f"date-{match.key}@muster")
    stamp_event(event, changed_at or match.round.opens_at)
    event.add("dtstart", at.astimezone(UTC))
    event.add("dtend", (at + GAME_DURATION).astimezone(UTC))
    event.add("summary", printable_text(f"{match}"))
    event.add("description", printable_text(f"Table {match.number}: {match.scenario_name}\n{url}"))
    event.add("url", url)
    return event


def _event(match: Match, url: str) -> Event:
    """Return the event of the match at its deadline. Its UID is the match's, so that a moved deadline moves the event."""
    assert match.round.deadline is not None
    ground = battle_rules(match.round.campaign.system).terrains.get(match.terrain, "")
    how = match_status(match)
    lines = [
        f"Table {match.number}: {match.scenario_name}{f', {ground.lower()}' if ground else ''}",
        f"For {match.territory.name}" if match.territory else "",
        "Report by then." if match.state in MatchState.undecided() else f"{how.word}. {how.sentence}",
        url,
    ]
    event = Event()
    event.add("uid", f"match-{match.key}@muster")
    stamp_event(event, match.round.deadline_set_at or match.round.opens_at, match.decided_at)
    event.add("dtstart", match.round.deadline.astimezone(UTC))
    event.add("summary", printable_text(f"{match}: deadline of round {match.round.number}"))
    event.add("description", printable_text("\n".join(line for line in lines if line)))
    event.add("url", url)
    event.add("transp", "TRANSPARENT")
    return event
