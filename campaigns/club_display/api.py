"""The API for the link of a club display."""

from __future__ import annotations

from django.http import Http404
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns.clubs import services
from campaigns.clubs.api import club_for_organiser
from campaigns.models import ClubDisplay
from rosters.accounts.tokens import need_token_scope
from rosters.api.base import StrictBooleanField, StrictSerializer, player, valid
from rosters.api.headers import idempotent
from rosters.scopes import Scope


class ClubDisplayRequest(StrictSerializer):
    anew = StrictBooleanField(required=False, help_text="create a new link; the old one stops working")


class ClubDisplayAnswer(serializers.Serializer[ClubDisplay]):
    link = serializers.URLField()


class ClubDisplayView(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: ClubDisplayAnswer}, operation_id="club_display_retrieve", tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """Return the link of the display of a club you organise. It shows the club, so a token needs the scope `club`."""
        club = club_for_organiser(request, slug)
        need_token_scope(request, Scope.CLUB)
        row = ClubDisplay.objects.filter(club=club).first()
        if row is None:
            raise Http404
        return Response(_link(request, row))

    @idempotent
    @extend_schema(
        request=ClubDisplayRequest,
        responses={200: ClubDisplayAnswer},
        operation_id="club_display_create",
        tags=["clubs"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create the link, or replace it."""
        club = club_for_organiser(request, slug)
        replace = bool(valid(ClubDisplayRequest, request).get("anew"))
        return Response(_link(request, services.display_link_create(club=club, by=player(request), replace=replace)))

    @extend_schema(responses={204: None}, operation_id="club_display_delete", tags=["clubs"])
    def delete(self, request: Request, slug: str) -> Response:
        """Remove the club display."""
        services.display_link_delete(club=club_for_organiser(request, slug), by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _link(request: Request, row: ClubDisplay) -> dict[str, str]:
    return {"link": request.build_absolute_uri(reverse("campaigns:club_display", args=[row.key]))}


urlpatterns = [path("clubs/<slug:slug>/wall/", ClubDisplayView.as_view(), name="api-club-display")]
