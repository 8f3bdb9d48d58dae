"""The page of the gallery of units."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from rosters.gallery.selectors import unit_sizes, list_gallery_units
from systems import ROSTERS, system_choices


@require_GET
def unit_gallery(request: HttpRequest) -> HttpResponse:
    """Show units of public companies; filters and order are in the URL."""
    system = request.GET.get("system", "")
    system = system if system in ROSTERS else ""
    context = {
        "slice": list_gallery_units(request.GET),
        "games": system_choices(),
        "sizes": unit_sizes(),
        "system": system,
        "size": request.GET.get("size", ""),
        "sort": request.GET.get("sort", ""),
    }
    return render(request, "rosters/units.html", context)
