"""The list of battles."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from battles.selectors import battles_listed
from battles.views.parts import actor_of
from rosters.jobs import JobStatus

PAGE_SIZE = 30


@require_GET
def battles(request: HttpRequest) -> HttpResponse:
    """Public battles and the reader's own, newest first; the filters live in the URL."""
    filters = {name: request.GET.get(name, "") for name in ("whose", "status", "kind", "text")}
    rows = battles_listed(actor_of(request), **filters)
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    statuses = [choice for choice in JobStatus.choices if choice[0] != JobStatus.DRAFT]
    return render(request, "battles/battles.html", {"page": page, "filters": filters, "statuses": statuses})
