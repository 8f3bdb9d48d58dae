"""The print page of a match: its packet, with the slip whose code opens the report form."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaigns.matches.packets import describe_omissions, match_packet
from campaigns.rows import match_or_404
from rosters.models import Company
from rosters.paper.prints import packet_order, packet_products, usual_products
from rosters.paper.views._parts import products_page


@require_http_methods(["GET", "POST"])
def packet(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show and order what both sides and the table need, as far as the reader may see it."""
    match = match_or_404(request, key)
    if match.defender is None:
        raise Http404("Nobody plays a bye")

    def link(company: Company, unit: int) -> str:
        return request.build_absolute_uri(reverse("rosters:unit", args=[company.pk, unit]))

    report = request.build_absolute_uri(reverse("campaigns:report", args=[key]))
    found = match_packet(match, request.user, url=report, link=link)
    products = packet_products(found)
    note = describe_omissions(match, request.user)
    return products_page(
        request,
        products=products,
        order=lambda products, settings, copies, _: packet_order(found, products, settings, copies),
        chosen=usual_products(products),
        context={
            "name": str(match),
            "back_url": reverse("campaigns:match", args=[key]),
            "back_to": "the match",
            "list_url": reverse("campaigns:campaign", args=[match.round.campaign_id]),
            "list_name": match.round.campaign.name,
            "kicker": f"{match.round} · table {match.number}",
            "lead": "What both sides and the table need, in one print; the slip's code opens this match's report form.",
            "notes": [note] if note else [],
        },
    )
