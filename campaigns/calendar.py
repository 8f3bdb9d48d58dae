"""Fixtures as iCalendar: an event at the deadline of each match of the open rounds. RFC 5545."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, timedelta
from uuid import UUID

from django.utils import timezone
from icalendar import Calendar, Event

from campaigns.models import Campaign, Match
from campaigns.policy import UNDECIDED
from campaigns.selectors.rounds import fixtures_open
from campaigns.selectors.told import told
from systems import battle_rules
from systems.names import shown

ASK_AGAIN = timedelta(hours=6)  # how often a reader may as well look again


def fixtures_calendar(campaign: Campaign, *, company: int | None, match_url: Callable[[UUID], str]) -> bytes:
    """The calendar of the campaign, or of one company in it. Byes are left out; one query."""
    found = Calendar()
    found.add("prodid", "-//Muster//Fixtures//EN")
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    found.add("x-wr-calname", shown(f"{campaign.name}, {campaign.club.name}"))
    found.add("refresh-interval", ASK_AGAIN, parameters={"value": "DURATION"})
    for match in fixtures_open(campaign):
        sides = (match.attacker.company_id, match.defender.company_id if match.defender else None)
        if match.round.deadline is not None and (company is None or company in sides):
            found.add_component(_event(match, match_url(match.key)))
    return bytes(found.to_ical())


def _event(match: Match, url: str) -> Event:
    """The match at its deadline. Its UID is the match's own, so that a moved deadline moves the event."""
    assert match.round.deadline is not None
    ground = battle_rules(match.round.campaign.system).terrains.get(match.terrain, "")
    how = told(match)
    lines = [
        f"Table {match.number}: {match.scenario_name}{f', {ground.lower()}' if ground else ''}",
        f"For {match.territory.name}" if match.territory else "",
        "To be reported by then." if match.state in UNDECIDED else f"{how.word}. {how.sentence}",
        url,
    ]
    event = Event()
    event.add("uid", f"match-{match.key}@muster")
    event.add("dtstamp", timezone.now().astimezone(UTC))
    event.add("dtstart", match.round.deadline.astimezone(UTC))
    event.add("summary", shown(f"{match}: deadline of round {match.round.number}"))
    event.add("description", shown("\n".join(line for line in lines if line)))
    event.add("url", url)
    event.add("transp", "TRANSPARENT")
    return event
