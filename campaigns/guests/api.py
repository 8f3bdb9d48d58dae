"""The API of a club's guests, for its organisers. The same services as the pages."""

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

from campaigns.clubs.api import _run as club_run
from campaigns.models import Club, Guest
from rosters.api.once import done_once
from rosters.api.parts import StrictSerializer, Text, Whole, player, valid

from . import selectors as reads
from . import services


class GuestIn(StrictSerializer):
    name = Text(max_length=60)


class GuestLinkIn(StrictSerializer):
    days = Whole(
        required=False, help_text=f"{services.DAYS_LEAST} to {services.DAYS_MOST} days that the link is good for"
    )


class GuestLinkTold(serializers.Serializer[reads.GuestLinkRow]):
    is_open = serializers.BooleanField(help_text="whether it lets the guest in")
    expires_at = serializers.DateTimeField(default_timezone=UTC)
    used_at = serializers.DateTimeField(default_timezone=UTC, allow_null=True, help_text="when he came in by it last")


class GuestCompanyOut(serializers.Serializer[reads.GuestCompany]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    campaign = serializers.CharField(allow_blank=True)
    state = serializers.CharField(allow_blank=True)


class GuestTaskOut(serializers.Serializer[reads.GuestTask]):
    what = serializers.CharField()
    about = serializers.CharField()
    due = serializers.DateTimeField(default_timezone=UTC, allow_null=True)


class GuestOut(serializers.Serializer[reads.GuestRow]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(default_timezone=UTC)
    link = GuestLinkTold(allow_null=True, help_text="null: none was made yet. The link itself is told once")
    companies = GuestCompanyOut(many=True)
    waiting = GuestTaskOut(many=True)


class GuestLinkOut(serializers.Serializer[None]):
    link = serializers.URLField(help_text="told this once")


class Guests(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: GuestOut(many=True)}, operation_id="guests_list", tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """The guests of a club you organise, with what waits for them."""
        return Response([GuestOut(row).data for row in reads.guests_of(club_run(request, slug))])

    @done_once
    @extend_schema(request=GuestIn, responses={201: GuestOut}, operation_id="guests_add", tags=["clubs"])
    def post(self, request: Request, slug: str) -> Response:
        """Adds a guest by name. He comes in once you have made his link."""
        club = club_run(request, slug)
        row = services.guest_add(club=club, by=player(request), **valid(GuestIn, request))
        return Response(_told(club, row.pk), status=status.HTTP_201_CREATED)


class GuestById(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: GuestOut}, operation_id="guests_read", tags=["clubs"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """A guest of a club you organise."""
        club, row = _guest(request, slug, pk)
        return Response(_told(club, row.pk))

    @extend_schema(responses={204: None}, operation_id="guests_remove", tags=["clubs"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Removes a guest who has played nothing; one who has played stays with his past."""
        services.guest_remove(guest=_guest(request, slug, pk)[1], by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class LinkOfGuest(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(request=GuestLinkIn, responses={200: GuestLinkOut}, operation_id="guests_link", tags=["clubs"])
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """A new link, told this once: asked twice it is another one again, for no answer with it is kept. The one before is
        over."""
        _, row = _guest(request, slug, pk)
        key = services.link_make(guest=row, by=player(request), **valid(GuestLinkIn, request))
        return Response({"link": request.build_absolute_uri(reverse("campaigns:guest_link", args=[key]))})

    @extend_schema(responses={204: None}, operation_id="guests_link_end", tags=["clubs"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Ends the guest's link, and every visit by it."""
        services.link_end(guest=_guest(request, slug, pk)[1], by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _guest(request: Request, slug: str, pk: int) -> tuple[Club, Guest]:
    club = club_run(request, slug)
    row = reads.guest_of(club, pk)
    if row is None:
        raise Http404
    return club, row


def _told(club: Club, pk: int) -> dict[str, object]:
    row = reads.guest_row(club, pk)
    if row is None:
        raise Http404
    return GuestOut(row).data


OF_ONE = "clubs/<slug:slug>/guests/<int:pk>/"
urls = [
    path("clubs/<slug:slug>/guests/", Guests.as_view(), name="api-guests"),
    path(OF_ONE, GuestById.as_view(), name="api-guest"),
    path(f"{OF_ONE}link/", LinkOfGuest.as_view(), name="api-guest-link"),
]
