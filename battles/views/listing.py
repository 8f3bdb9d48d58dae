"""The list of battles."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from battles.selectors.listing import FILTERS, ORDERS, battles_page, order_of
from battles.view_helpers import actor_of
from rosters.jobs import JobStatus
from rosters.view_helpers import searched
from systems import BATTLES, system_choices


@require_GET
def battle_list(request: HttpRequest) -> HttpResponse:
    """List public battles and the reader's own, in the requested order; filters and order are in the URL."""
    filters = {name: searched(request, name) for name in FILTERS}
    found = battles_page(actor_of(request), filters, request.GET)
    statuses = [choice for choice in JobStatus.choices if choice[0] != JobStatus.DRAFT]
    context = {
        "slice": found,
        "filters": filters,
        "statuses": statuses,
        "systems": system_choices(),
        "one_game": filters["system"] in BATTLES,
        "order": ORDERS[order_of(filters["sort"])][-1],
    }
    return render(request, "battles/battles.html", context)
