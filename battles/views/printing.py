"""The print page of a battle: its packet."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from battles.paper import battle_owners, setup_packet
from battles.view_helpers import battle_or_404
from rosters.models import Company
from rosters.paper.prints import packet_order, packet_products, usual_products
from rosters.paper.views._parts import products_page
from systems import roster_rules
from systems.reading import stored_setup


@require_http_methods(["GET", "POST"])
def print_packet(request: HttpRequest, key: UUID) -> HttpResponse:
    """Print everything that both sides and the table need."""
    row = battle_or_404(request, key)
    setup = stored_setup(row.setup)
    back = reverse("battles:battle", args=[key])

    def link(company: Company, unit: int) -> str:
        return request.build_absolute_uri(reverse("rosters:unit", args=[company.pk, unit]))

    owners = battle_owners(list(row.sides.select_related("company__owner")), request.user, link)
    found = setup_packet(setup, owners, title=row.title, url=request.build_absolute_uri(back))
    products = packet_products(found)
    return products_page(
        request,
        products=products,
        order=lambda products, settings, copies, _: packet_order(found, products, settings, copies),
        chosen=usual_products(products),
        context={
            "name": row.title,
            "back_url": back,
            "back_to": "the battle",
            "list_url": reverse("battles:battles"),
            "list_name": "Battles",
            "kicker": roster_rules(setup.system, setup.catalogue_release).name,
            "lead": "What both sides and the table need, in one print.",
        },
    )
