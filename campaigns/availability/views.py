"""The page of the reader's calendar and availability, also as iCalendar (RFC 5545), and the date of a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import conditional_page, require_GET, require_http_methods, require_POST
from icalendar import Calendar, Event

from campaigns.availability import selectors as reads
from campaigns.availability import services
from campaigns.availability.forms import AvailabilityForm, DateForm, SeenDateForm, availability_initial
from campaigns.availability.selectors import Entry
from campaigns.icalendar import REFRESH_INTERVAL, stamp_event
from campaigns.models import Availability, Club, Match, MatchDate
from campaigns.shortcuts import own_side
from campaigns.view_helpers import for_match
from rosters.models import Player
from rosters.view_helpers import locked_for_edit, player, run_and_flash, run_for_form
from systems.text import printable_text


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


DONE_MESSAGES = {"decline": "Proposal removed.", "drop": "Date cancelled. Your opponent is notified."}


@login_required
@require_GET
def my_calendar(request: HttpRequest) -> HttpResponse:
    """Show the entries of all the reader's clubs, the reader's availability, and the address of the feed.

    With a club in the query string (also an empty one), the form for the availability is open.
    """
    reader = player(request)
    return _calendar_page(request, reader, _club(request, reader))


def _calendar_page(
    request: HttpRequest, reader: Player, club: Club | None, form: AvailabilityForm | None = None
) -> HttpResponse:
    """Render the page, with a refused form if one is given."""
    feed, row = reads.calendar_key_of(reader), reads.availability_of(reader, club)
    is_refused = form is not None
    if form is None:
        form = AvailabilityForm(initial=availability_initial(row or Availability(player=reader, club=club)))
    context = {
        "entries": reads.calendar_entries(reader),
        "feed": request.build_absolute_uri(reverse("campaigns:calendar_feed", args=[feed.key])) if feed else "",
        "availability": reads.describe_all_availability(reader),
        "form": form,
        "club": club,
        "clubs": Club.objects.filter(memberships__player=reader).order_by("name"),
        "has_row": row is not None,
        "is_open": is_refused or "club" in request.GET,
    }
    return render(request, "campaigns/my_calendar.html", context, status=422 if is_refused else 200)


@login_required
@require_POST
def calendar_key_new(request: HttpRequest) -> HttpResponse:
    """Create the key of the reader's calendar, or replace it."""
    services.calendar_key_new(player=player(request))
    messages.success(request, "New address created. The old one has stopped working.")
    return redirect("campaigns:my_calendar")


@require_GET
@conditional_page
def calendar_feed(request: HttpRequest, key: UUID) -> HttpResponse:
    """Return the calendar as iCalendar to anybody with its key."""
    reader = reads.player_of_calendar_key(key)
    if reader is None:
        raise Http404("No such calendar")
    body = entries_calendar(reads.calendar_entries(reader), name=f"Muster: {reader}", linked=request.build_absolute_uri)
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="muster.ics"'
    response["Cache-Control"] = "private, max-age=300"
    response["X-Robots-Tag"] = "noindex"
    return response


@login_required
@require_http_methods(["GET", "POST"])
def availability(request: HttpRequest) -> HttpResponse:
    """Save or clear the reader's availability: everywhere, or in one club (`club`). GET redirects to the calendar."""
    reader = player(request)
    club = _club(request, reader)
    if request.method == "GET":
        query = {"club": club.slug if club else ""}
        return redirect(reverse("campaigns:my_calendar", query=query, fragment="when"))
    if request.POST.get("act") == "drop":
        services.availability_drop(player=reader, club=club)
        messages.success(request, "Cleared.")
        return _redirect_to_availability()
    row = reads.availability_of(reader, club)
    is_made = row is None
    with locked_for_edit(request, row or services.availability_set(player=reader, club=club)) as known:
        form = AvailabilityForm(request.POST, initial=availability_initial(known))
        if form.is_valid():
            saved = run_for_form(form, lambda: services.availability_set(player=reader, club=club, **form.cleaned_data))
            if saved:
                messages.success(request, "Saved. Your opponents and organisers can see it.")
                return _redirect_to_availability()
    if is_made:
        services.availability_drop(player=reader, club=club)  # a refusal leaves no row
    return _calendar_page(request, reader, club, form)


def _redirect_to_availability() -> HttpResponse:
    return redirect(reverse("campaigns:my_calendar", fragment="when"))


@require_POST
@for_match
def match_date(request: HttpRequest, match: Match) -> HttpResponse:
    """Run `act`: propose a date (`at`), accept or decline the one that was read, or drop the agreed one."""
    act, by = request.POST.get("act", ""), player(request)
    side = own_side(request, match, done=_sides_done(match, act))
    if act in DONE_MESSAGES:
        service = services.date_decline if act == "decline" else services.date_drop
        run_and_flash(request, lambda: service(match=match, side=side, by=by), DONE_MESSAGES[act])
        return redirect("campaigns:match", key=match.key)
    form = SeenDateForm(request.POST) if act == "accept" else DateForm(request.POST)
    if not form.is_valid():
        messages.error(
            request, " ".join(str(reason) for reason in form.errors.get("at", ())) or "Choose a day and a time."
        )
        query = urlencode({"at": request.POST.get("at", "")[:40]}) if act == "propose" else ""
        return redirect(f"{reverse('campaigns:match', args=[match.key])}?{query}".rstrip("?"))
    at, answer = form.cleaned_data["at"], services.date_accept if act == "accept" else services.date_propose
    run_and_flash(request, lambda: answer(match=match, side=side, at=at, by=by), _describe_date)
    return redirect("campaigns:match", key=match.key)


def _describe_date(row: MatchDate) -> str:
    return "Date proposed. Your opponent has to agree." if row.proposed_at else "Date agreed."


def _sides_done(match: Match, act: str) -> set[int]:
    """Return the side that has done its part, for a player of both sides.

    The side that proposed doesn't answer itself.
    """
    row = MatchDate.objects.filter(match=match, proposed_at__isnull=False).first()
    return {row.side} if row is not None and act in ("accept", "decline") else set()


def _club(request: HttpRequest, reader: Player) -> Club | None:
    slug = request.GET.get("club", "")
    if not slug:
        return None
    club = Club.objects.filter(slug=slug, memberships__player=reader).first()
    if club is None:
        raise Http404("No such club of yours")
    return club
