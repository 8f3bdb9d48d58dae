"""The list of battles."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from battles.selectors import battles_listed
from battles.views.parts import actor_of
from rosters.jobs import JobStatus
from rosters.keyset import Keyset
from rosters.views._parts import searched

PAGE_SIZE = 30
NEWEST_FIRST = Keyset("-pk")


@require_GET
def battles(request: HttpRequest) -> HttpResponse:
    """Public battles and the reader's own, newest first; the filters live in the URL."""
    filters = {name: searched(request, name) for name in ("whose", "status", "kind", "text")}
    rows = battles_listed(actor_of(request), **filters)
    found = NEWEST_FIRST.asked(rows, PAGE_SIZE, request.GET, count=rows.count())
    statuses = [choice for choice in JobStatus.choices if choice[0] != JobStatus.DRAFT]
    return render(request, "battles/battles.html", {"slice": found, "filters": filters, "statuses": statuses})
