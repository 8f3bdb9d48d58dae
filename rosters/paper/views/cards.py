"""A company's printed cards on the screen, to use on a phone at the table."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from rosters import selectors
from rosters.paper.products import CARD
from rosters.paper.screen_cards import card_of_unit, cards_page
from rosters.paper.selectors import house_rules_of
from rosters.paper.shop import link_of
from rosters.rows import seen_company
from rosters.view_helpers import company_context


@require_GET
def company_cards(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the fronts of the cards of all ready units, a page of them at a time."""
    row = seen_company(request, pk)
    if not CARD.is_made(row.system):
        raise Http404
    sheet = selectors.company_sheet(row)
    shown = cards_page(sheet.units, request.GET)
    link, options = link_of(request, row), house_rules_of(row, request.user)
    context = company_context(request, row, sheet)
    cards = [
        card_of_unit(
            sheet,
            unit,
            link=link,
            options=options,
            look="front",
            href=f"{reverse('rosters:unit', args=[pk, unit.id])}{context['key_query']}",
        )
        for unit in shown
    ]
    return render(request, "rosters/company_cards.html", {**context, "slice": shown, "cards": cards})
