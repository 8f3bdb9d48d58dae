"""A player's calendar as iCalendar. RFC 5545."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC

from icalendar import Calendar, Event

from campaigns.calendar import REFRESH_INTERVAL, stamp_event
from campaigns.dates.selectors import Entry
from systems.names import printable_text


def entries_calendar(entries: Sequence[Entry], *, name: str, linked: Callable[[str], str]) -> bytes:
    """Return the entries as iCalendar. `linked` turns a path of the site into an absolute URL."""
    found = Calendar()
    found.add("prodid", "-//Muster//My calendar//EN")
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    found.add("x-wr-calname", printable_text(name))
    found.add("refresh-interval", REFRESH_INTERVAL, parameters={"value": "DURATION"})
    for each in entries:
        found.add_component(_event(each, linked(each.url)))
    return bytes(found.to_ical())


def _event(entry: Entry, url: str) -> Event:
    """Return the event of an entry. Its UID stays the same, so that moving a date moves the event."""
    event = Event()
    event.add("uid", f"{entry.uid}@muster")
    stamp_event(event, entry.changed_at)
    event.add("dtstart", entry.at.astimezone(UTC))
    if entry.until is not None:
        event.add("dtend", entry.until.astimezone(UTC))
    event.add("summary", printable_text(entry.title))
    event.add("description", printable_text("\n".join(line for line in (entry.about, entry.where, url) if line)))
    event.add("url", url)
    event.add("status", "TENTATIVE" if entry.kind == "proposal" else "CONFIRMED")
    event.add("transp", "OPAQUE" if entry.kind == "date" else "TRANSPARENT")
    return event
