"""The API of calendars: coming dates, your availability, and the date of a match.

It uses the same services as the pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.api_helpers import acting_side, side_schema
from campaigns.availability import selectors as reads
from campaigns.availability import services
from campaigns.models import Availability, Club, MatchDate
from campaigns.shortcuts import match_or_404
from rosters.api.base import Query, StrictIntegerField, StrictSerializer, asked, player, valid
from rosters.api.headers import idempotent, if_match, tagged
from rosters.models import Player


class CalendarEntryAnswer(serializers.Serializer[reads.Entry]):
    kind = serializers.CharField(help_text="date, proposal, deadline, opening or night")
    at = serializers.DateTimeField(default_timezone=UTC)
    until = serializers.DateTimeField(default_timezone=UTC, allow_null=True)
    title = serializers.CharField()
    about = serializers.CharField(allow_blank=True)
    where = serializers.CharField(help_text="round, campaign and club")
    url = serializers.CharField(help_text="the page it links to")


class ClubQuery(Query):
    club = serializers.SlugField(required=False, help_text="slug of one of your clubs; leave out for all other clubs")


class AbsenceSerializer(StrictSerializer):
    first = serializers.DateField()
    last = serializers.DateField()


class AvailabilityRequest(StrictSerializer):
    weekdays = serializers.ListField(
        child=StrictIntegerField(min_value=0, max_value=6),
        max_length=7,
        required=False,
        help_text="evenings of the week; 0 is Monday",
    )
    days = serializers.ListField(child=serializers.DateField(), max_length=200, required=False, help_text="extra days")
    away = AbsenceSerializer(many=True, required=False, help_text="when you are away, first and last day included")


class AvailabilityAnswer(serializers.Serializer[dict[str, object]]):
    club = serializers.CharField(
        allow_null=True, help_text="slug; null: used for every club where you set nothing else"
    )
    weekdays = serializers.ListField(child=serializers.IntegerField())
    days = serializers.ListField(child=serializers.DateField())
    away = AbsenceSerializer(many=True)


class MatchDateRequest(StrictSerializer):
    act = serializers.ChoiceField(
        choices=["propose", "accept", "decline", "drop"], help_text="decline also withdraws your own proposal"
    )
    at = serializers.DateTimeField(required=False, help_text="the date to propose; or the proposed date, to accept it")


class SideAvailabilityAnswer(serializers.Serializer[reads.SideAvailability]):
    company = serializers.CharField(source="name")
    player = serializers.CharField()
    evenings = serializers.CharField(source="availability", allow_blank=True, help_text="their availability as text")


class MatchDateAnswer(serializers.Serializer[reads.DateSheet]):
    agreed_at = serializers.DateTimeField(default_timezone=UTC, allow_null=True)
    proposed_at = serializers.DateTimeField(default_timezone=UTC, allow_null=True)
    proposed_by = serializers.CharField(allow_blank=True, help_text="the company")
    sides = SideAvailabilityAnswer(many=True)
    suits_both = serializers.ListField(child=serializers.DateField(), help_text="upcoming days, earliest first")


class Calendar(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: CalendarEntryAnswer(many=True)}, operation_id="calendar_list", tags=["calendar"])
    def get(self, request: Request) -> Response:
        """List the deadlines, dates, openings and game nights of all your clubs by time, starting a week ago."""
        return Response([CalendarEntryAnswer(each).data for each in reads.calendar_entries(player(request))])


class AvailabilityOfReader(APIView):
    permission_classes = (IsAuthenticated,)

    @tagged
    @extend_schema(
        responses={200: AvailabilityAnswer},
        operation_id="availability_retrieve",
        tags=["calendar"],
        parameters=[ClubQuery],
    )
    def get(self, request: Request) -> Response:
        """Return your availability in one club, or the general one for all other clubs."""
        return _availability_response(player(request), _club(request))

    @if_match(lambda: Availability.objects.none())
    @extend_schema(
        request=AvailabilityRequest,
        responses={200: AvailabilityAnswer},
        operation_id="availability_update",
        tags=["calendar"],
        parameters=[ClubQuery],
    )
    def patch(self, request: Request) -> Response:
        """Change your availability; fields you leave out don't change. Opponents in open matches and organisers can see it."""
        reader, club = player(request), _club(request)
        given = valid(AvailabilityRequest, request)
        known = reads.availability_of(reader, club)
        services.availability_set(player=reader, club=club, **{**_check_company_key(known), **_service_values(given)})
        return _availability_response(reader, club)

    @extend_schema(responses={204: None}, operation_id="availability_delete", tags=["calendar"], parameters=[ClubQuery])
    def delete(self, request: Request) -> Response:
        """Delete your availability."""
        services.availability_drop(player=player(request), club=_club(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class DateOfMatch(APIView):
    @extend_schema(responses={200: MatchDateAnswer}, operation_id="matches_date_retrieve", tags=["matches"])
    def get(self, request: Request, key: UUID) -> Response:
        """Return the date of an open match and when both players can play. For its players and organisers."""
        return _date_response(request, key)

    @idempotent
    @side_schema("matches_date_propose", MatchDateAnswer, MatchDateRequest)
    def post(self, request: Request, key: UUID) -> Response:
        """Propose a date, answer your opponent's proposal, or cancel the agreed date."""
        match = match_or_404(request._request, key)
        if not policy.sides_of(request.user, match):
            raise PermissionDenied
        given = valid(MatchDateRequest, request)
        act, at, by = given["act"], given.get("at"), player(request)
        row = MatchDate.objects.filter(match=match, proposed_at__isnull=False).first()
        done = {row.side} if row is not None and act in ("accept", "decline") else set()
        side = acting_side(request, match, done=done)
        if act == "decline":
            services.date_decline(match=match, side=side, by=by)
        elif act == "drop":
            services.date_drop(match=match, side=side, by=by)
        elif at is None:
            raise serializers.ValidationError({"at": ["Choose a date."]})
        elif act == "propose":
            services.date_propose(match=match, side=side, at=at, by=by)
        else:
            services.date_accept(match=match, side=side, at=at, by=by)
        return _date_response(request, key)


def _date_response(request: Request, key: UUID) -> Response:
    match = match_or_404(request._request, key)
    rights = policy.rights_in(request.user, match.round.campaign.club)
    sheet = reads.date_sheet(match, reads.date_of(match), request.user, rights)
    if sheet is None:
        raise PermissionDenied if isinstance(request.user, Player) else NotAuthenticated
    return Response(MatchDateAnswer(sheet).data)


def _club(request: Request) -> Club | None:
    slug = asked(ClubQuery, request).get("club")
    if not slug:
        return None
    club = Club.objects.filter(slug=slug, memberships__player=player(request)).first()
    if club is None:
        raise Http404
    return club


def _availability_response(reader: Player, club: Club | None) -> Response:
    known = _check_company_key(reads.availability_of(reader, club))
    away = [{"first": first, "last": last} for first, last in known["away"]]
    answer = {**known, "away": away, "club": club.slug if club is not None else None}
    return Response(AvailabilityAnswer(answer).data)


def _check_company_key(row: Availability | None) -> dict[str, Any]:
    found = reads.parse_availability(row or Availability())
    return {"weekdays": sorted(found.weekdays), "days": sorted(found.days), "away": sorted(found.away)}


def _service_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the submitted values as the service takes them."""
    if "away" not in given:
        return dict(given)
    return {**given, "away": [(each["first"], each["last"]) for each in given["away"]]}


urlpatterns = [
    path("calendar/", Calendar.as_view(), name="api-calendar"),
    path("calendar/evenings/", AvailabilityOfReader.as_view(), name="api-availability"),
    path("matches/<uuid:key>/date/", DateOfMatch.as_view(), name="api-match-date"),
]
