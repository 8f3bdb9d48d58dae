"""Print pages for one thing: a design, the current design of the lab, or a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from rosters.designs import selectors as designs
from rosters.designs.lab import lab_of
from rosters.paper.sources import ScenarioSource
from rosters.printing.orders import design_order, design_products, scenario_order, scenario_products
from rosters.printing.view_helpers import products_page, with_key
from rosters.scenarios import selectors as scenarios
from rosters.scenarios.selectors import ScenarioCard
from rosters.shortcuts import visible_design, visible_scenario
from systems import ROSTERS


@require_http_methods(["GET", "POST"])
def design_published(request: HttpRequest, system: str, slug: str) -> HttpResponse:
    """Print a published design."""
    if system not in ROSTERS or slug not in ROSTERS[system].published:
        raise Http404
    card = designs.design_published(system, slug)
    back = reverse("rosters:design_published", args=[system, slug])
    return _design(request, card.system, card.name, card.spec, back)


@require_http_methods(["GET", "POST"])
def design(request: HttpRequest, pk: int) -> HttpResponse:
    """Print a player's own design."""
    row = visible_design(request, pk)
    return _design(request, row.system, row.name, row.spec, with_key(request, reverse("rosters:design", args=[pk])))


@require_http_methods(["GET", "POST"])
def lab(request: HttpRequest) -> HttpResponse:
    """Print the design that is encoded in the lab's URL."""
    lab = lab_of(request.GET)
    return _design(request, lab.system, lab.name, lab.spec, f"{reverse('rosters:lab')}?{lab.query}")


@require_http_methods(["GET", "POST"])
def scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """Print a player's own scenario."""
    row = visible_scenario(request, pk)
    back = with_key(request, reverse("rosters:scenario", args=[pk]))
    return _scenario(request, scenarios.scenario_card(row), back)


@require_http_methods(["GET", "POST"])
def scenario_published(request: HttpRequest, system: str, slug: str) -> HttpResponse:
    """Print a published scenario."""
    if system not in ROSTERS or slug not in ROSTERS[system].scenarios:
        raise Http404
    back = reverse("rosters:scenario_published", args=[system, slug])
    return _scenario(request, scenarios.scenario_published(system, slug), back)


def _design(request: HttpRequest, system: str, name: str, spec: Mapping[str, object], back: str) -> HttpResponse:
    return products_page(
        request,
        products=design_products(system),
        order=lambda products, settings, copies, options: design_order(
            system, name, spec, products, settings, copies, options
        ),
        system=system,
        context={
            "name": name,
            "back_url": back,
            "back_to": "the design",
            "list_url": reverse("rosters:designs"),
            "list_name": "Designs",
            "kicker": ROSTERS[system].name,
            "lead": "The cards have room to write in a pilot."
            if ROSTERS[system].needs_pilot(spec)
            else "No pilot needed.",
        },
    )


def _scenario(request: HttpRequest, card: ScenarioCard, back: str) -> HttpResponse:
    source = ScenarioSource(system=card.system, name=card.name, spec=card.spec)
    products = scenario_products(source)
    if not products:
        raise Http404
    return products_page(
        request,
        products=products,
        order=lambda products, settings, copies, options: scenario_order(
            replace(source, options=options), products, settings
        ),
        system=card.system,
        context={
            "name": card.name,
            "back_url": back,
            "back_to": "the scenario",
            "list_url": reverse("rosters:scenarios"),
            "list_name": "Scenarios",
            "kicker": card.system_name,
            "lead": "A sheet for the table with map, forces and objective.",
        },
        with_copies=False,
    )
