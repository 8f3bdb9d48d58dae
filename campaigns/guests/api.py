"""The API of a club's guests, for its organisers. It uses the same services as the pages."""

from __future__ import annotations

from datetime import UTC

from django.http import Http404
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.clubs.api import club_for_organiser
from campaigns.models import Club, Guest
from rosters.api.base import StrictCharField, StrictIntegerField, StrictSerializer, player, valid
from rosters.api.headers import idempotent, if_match, tagged
from rosters.services import RefusedError

from . import selectors as reads
from . import services


class GuestRequest(StrictSerializer):
    name = StrictCharField(max_length=60)


class GuestChangeRequest(StrictSerializer):
    name = StrictCharField(max_length=60)


class GuestCompanyRequest(StrictSerializer):
    campaign = StrictIntegerField(help_text="id of a campaign of the club that is open for sign-ups")
    name = StrictCharField(max_length=60)
    force = StrictCharField(
        max_length=80,
        required=False,
        allow_blank=True,
        help_text="slug of a ready-made force to buy with the campaign's points; leave out to let the guest buy their own",
    )


class GuestLinkRequest(StrictSerializer):
    days = StrictIntegerField(
        required=False, help_text=f"days the link works, {services.MIN_DAYS} to {services.MAX_DAYS}"
    )


class GuestLinkStateAnswer(serializers.Serializer[reads.GuestLinkRow]):
    is_open = serializers.BooleanField(help_text="whether the link works")
    expires_at = serializers.DateTimeField(default_timezone=UTC)
    used_at = serializers.DateTimeField(default_timezone=UTC, allow_null=True, help_text="when it was last used")


class GuestCompanyAnswer(serializers.Serializer[reads.GuestCompany]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    campaign = serializers.CharField(allow_blank=True)
    state = serializers.CharField(allow_blank=True)


class GuestTaskAnswer(serializers.Serializer[reads.GuestTask]):
    what = serializers.CharField()
    about = serializers.CharField()
    due = serializers.DateTimeField(default_timezone=UTC, allow_null=True)


class GuestAnswer(serializers.Serializer[reads.GuestRow]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(default_timezone=UTC)
    link = GuestLinkStateAnswer(
        allow_null=True, help_text="null: no link yet. The link itself is only shown when created"
    )
    companies = GuestCompanyAnswer(many=True)
    waiting = GuestTaskAnswer(many=True)


class GuestLinkAnswer(serializers.Serializer[None]):
    link = serializers.URLField(help_text="shown only once")


class Guests(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: GuestAnswer(many=True)}, operation_id="guests_list", tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """List the guests of a club you organise, with their open tasks."""
        return Response([GuestAnswer(row).data for row in reads.guests_of(club_for_organiser(request, slug))])

    @idempotent
    @extend_schema(request=GuestRequest, responses={201: GuestAnswer}, operation_id="guests_create", tags=["clubs"])
    def post(self, request: Request, slug: str) -> Response:
        """Add a guest by name. They can come in once you have made their link."""
        club = club_for_organiser(request, slug)
        row = services.guest_add(club=club, by=player(request), **valid(GuestRequest, request))
        return Response(_to_dict(club, row.pk), status=status.HTTP_201_CREATED)


class GuestById(APIView):
    permission_classes = (IsAuthenticated,)

    @tagged
    @extend_schema(responses={200: GuestAnswer}, operation_id="guests_retrieve", tags=["clubs"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return a guest of a club you organise."""
        club, row = _guest(request, slug, pk)
        return Response(_to_dict(club, row.pk))

    @if_match(lambda slug, pk: Guest.objects.filter(club__slug=slug, pk=pk))
    @extend_schema(
        request=GuestChangeRequest, responses={200: GuestAnswer}, operation_id="guests_update", tags=["clubs"]
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Rename the guest. Existing entries keep the old name."""
        club, row = _guest(request, slug, pk)
        services.guest_rename(guest=row, by=player(request), **valid(GuestChangeRequest, request))
        return Response(_to_dict(club, row.pk))

    @extend_schema(responses={204: None}, operation_id="guests_delete", tags=["clubs"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Remove a guest who has played nothing. A guest who has played can't be removed."""
        services.guest_remove(guest=_guest(request, slug, pk)[1], by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class CompaniesOfGuest(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(
        request=GuestCompanyRequest,
        responses={201: GuestAnswer},
        operation_id="guests_companies_create",
        tags=["clubs"],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Create a company for the guest in a campaign of the club. It asks to join, or is accepted at once."""
        club, row = _guest(request, slug, pk)
        given = valid(GuestCompanyRequest, request)
        campaign = club.campaigns.filter(pk=given.pop("campaign")).first()
        if campaign is None:
            raise RefusedError("campaign", f"{club.name} has no campaign with this ID.")
        services.guest_company(guest=row, by=player(request), campaign=campaign, **given)
        return Response(_to_dict(club, row.pk), status=status.HTTP_201_CREATED)


class LinkOfGuest(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        request=GuestLinkRequest, responses={200: GuestLinkAnswer}, operation_id="guests_link_create", tags=["clubs"]
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Make a new link, which ends the old one.

        The link is shown only in this response. Every request makes another one, because the response isn't stored.
        """
        _, row = _guest(request, slug, pk)
        key = services.link_make(guest=row, by=player(request), **valid(GuestLinkRequest, request))
        return Response({"link": request.build_absolute_uri(reverse("campaigns:guest_link", args=[key]))})

    @extend_schema(responses={204: None}, operation_id="guests_link_delete", tags=["clubs"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Disable the guest's link and sign out everybody using it."""
        services.link_end(guest=_guest(request, slug, pk)[1], by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _guest(request: Request, slug: str, pk: int) -> tuple[Club, Guest]:
    club = club_for_organiser(request, slug)
    row = reads.guest_of(club, pk)
    if row is None:
        raise Http404
    return club, row


def _to_dict(club: Club, pk: int) -> dict[str, object]:
    row = reads.guest_row(club, pk)
    if row is None:
        raise Http404
    return GuestAnswer(row).data


GUEST_PATH = "clubs/<slug:slug>/guests/<int:pk>/"
urlpatterns = [
    path("clubs/<slug:slug>/guests/", Guests.as_view(), name="api-guests"),
    path(GUEST_PATH, GuestById.as_view(), name="api-guest"),
    path(f"{GUEST_PATH}companies/", CompaniesOfGuest.as_view(), name="api-guest-companies"),
    path(f"{GUEST_PATH}link/", LinkOfGuest.as_view(), name="api-guest-link"),
]
