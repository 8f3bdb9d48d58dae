"""The API of clubs: lists, members, invitations, requests to join. Uses the same services as the pages."""

from __future__ import annotations

from datetime import UTC
from uuid import UUID

from django.http import Http404
from django.urls import path, reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import policy
from campaigns.clubs import invitations as club_invitations
from campaigns.clubs import selectors as reads
from campaigns.clubs import services
from campaigns.models import Club, Invitation, JoinRequest, Membership, Role
from rosters.accounts.tokens import need_token_scope
from rosters.api.base import (
    PAGING,
    OwnQuery,
    Pages,
    StrictBooleanField,
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    asked,
    paged,
    player,
    valid,
)
from rosters.api.headers import idempotent, if_match, tagged
from rosters.models import Player
from rosters.scopes import Scope

# --- requests ---------------------------------------------------------------------------------------------------------


class ClubChangeRequest(StrictSerializer):
    name = StrictCharField(max_length=60, required=False)
    about = StrictCharField(max_length=services.MAX_ABOUT_LENGTH, allow_blank=True, required=False)
    place = StrictCharField(max_length=80, allow_blank=True, required=False)
    is_public = StrictBooleanField(required=False)
    takes_requests = StrictBooleanField(required=False)


class ClubRequest(ClubChangeRequest):
    name = StrictCharField(max_length=60)


class RoleRequest(StrictSerializer):
    role = serializers.ChoiceField(choices=Role.choices)


class InvitationRequest(StrictSerializer):
    player = StrictCharField(
        max_length=150, required=False, allow_blank=True, help_text="username; leave out to get a link"
    )
    role = serializers.ChoiceField(choices=Role.choices, required=False, help_text="player or arbiter")
    days = StrictIntegerField(
        required=False, help_text=f"days until it expires, {club_invitations.MIN_DAYS} to {club_invitations.MAX_DAYS}"
    )
    uses = StrictIntegerField(
        required=False, allow_null=True, help_text="how many players can use the link; null: unlimited"
    )


class JoinClubRequest(StrictSerializer):
    message = StrictCharField(max_length=300, required=False, allow_blank=True)


class JoinDecisionRequest(StrictSerializer):
    accept = StrictBooleanField()


# --- responses --------------------------------------------------------------------------------------------------------


class ClubSummaryAnswer(serializers.Serializer[Club]):
    slug = serializers.CharField()
    name = serializers.CharField()
    place = serializers.CharField(allow_blank=True)
    is_public = serializers.BooleanField()


class ClubCampaignAnswer(serializers.Serializer[reads.CampaignRow]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.CharField()
    companies = serializers.IntegerField()


class MemberAnswer(serializers.Serializer[reads.MemberRow]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    joined_at = serializers.DateTimeField(default_timezone=UTC)
    is_guest = serializers.BooleanField(help_text="plays without an account, through a link")


class ClubAnswer(ClubSummaryAnswer):
    about = serializers.CharField(allow_blank=True)
    takes_requests = serializers.BooleanField()
    founded_at = serializers.DateTimeField()
    your_role = serializers.CharField(allow_null=True)
    members = MemberAnswer(many=True)
    campaigns = ClubCampaignAnswer(many=True)


class Link(serializers.URLField):
    """The URL of an invitation."""

    def to_representation(self, value: object) -> str:
        request: Request = self.context["request"]
        return request.build_absolute_uri(reverse("campaigns:join", args=[value]))


class InvitationAnswer(serializers.Serializer[reads.InvitationRow]):
    key = serializers.UUIDField()
    link = Link(source="key")
    club = serializers.CharField()
    player = serializers.CharField(allow_blank=True)
    role = serializers.CharField()
    by = serializers.CharField(allow_blank=True)
    expires_at = serializers.DateTimeField(default_timezone=UTC)
    uses_left = serializers.IntegerField(allow_null=True)
    refusal = serializers.CharField(allow_blank=True, help_text="why it no longer works; empty while it does")


class JoinRequestAnswer(serializers.Serializer[reads.JoinRequestRow]):
    id = serializers.IntegerField()
    club = serializers.CharField()
    player = serializers.CharField()
    message = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(default_timezone=UTC)


# --- clubs ------------------------------------------------------------------------------------------------------------


class Clubs(APIView):
    pagination_class = Pages

    @extend_schema(
        responses=ClubSummaryAnswer(many=True),
        operation_id="clubs_list",
        tags=["clubs"],
        parameters=[OwnQuery],
    )
    def get(self, request: Request) -> Response:
        """List public clubs and those you belong to."""
        rows = Club.objects.filter(policy.visible_clubs(request.user)).distinct()
        if asked(OwnQuery, request, beside=PAGING).get("own") and isinstance(request.user, Player):
            rows = Club.objects.filter(memberships__player=request.user)
        return paged(request, rows, ClubSummaryAnswer().to_representation, "name", "pk")

    @idempotent
    @extend_schema(request=ClubRequest, responses={201: ClubAnswer}, operation_id="clubs_create", tags=["clubs"])
    def post(self, request: Request) -> Response:
        """Create a club. You become its organiser."""
        club = services.club_create(by=player(request), **valid(ClubRequest, request))
        return Response(_club_to_dict(club, request), status=status.HTTP_201_CREATED)


class ClubBySlug(APIView):
    @tagged
    @extend_schema(responses={200: ClubAnswer}, operation_id="clubs_retrieve", tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """Return a club that you may see, with its members and campaigns."""
        return Response(_club_to_dict(_club_or_404(request, slug), request))

    @if_match(lambda slug: Club.objects.filter(slug=slug))
    @extend_schema(request=ClubChangeRequest, responses={200: ClubAnswer}, operation_id="clubs_update", tags=["clubs"])
    def patch(self, request: Request, slug: str) -> Response:
        """Change the club you organise."""
        club = club_for_organiser(request, slug)
        before = {field: getattr(club, field) for field in ("name", "about", "place", "is_public", "takes_requests")}
        wanted = {**before, **valid(ClubChangeRequest, request)}
        return Response(_club_to_dict(services.club_change(club=club, by=player(request), **wanted), request))


# --- members ----------------------------------------------------------------------------------------------------------


class Member(APIView):
    @tagged
    @extend_schema(responses={200: MemberAnswer}, operation_id="members_retrieve", tags=["clubs"])
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return a member of a club that you may see."""
        return Response(_member_out(_membership(_club_or_404(request, slug), pk), request))

    @if_match(lambda slug, pk: Club.objects.filter(slug=slug))
    @extend_schema(request=RoleRequest, responses={200: MemberAnswer}, operation_id="members_update", tags=["clubs"])
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Change a member's role. The last organiser keeps theirs."""
        club, member = _member(request, slug, pk)
        role = valid(RoleRequest, request)["role"]
        row = services.member_set_role(club=club, by=player(request), player=member.player, role=role)
        return Response(_member_out(row, request))

    @extend_schema(responses={204: None}, operation_id="members_delete", tags=["clubs"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Remove a member."""
        club, member = _member(request, slug, pk)
        services.member_remove(club=club, by=player(request), player=member.player)
        return Response(status=status.HTTP_204_NO_CONTENT)


class HandOver(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=None, responses={200: ClubAnswer}, operation_id="clubs_hand_over", tags=["clubs"])
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Make the member an organiser in your place. You stay as a player."""
        club, member = _member(request, slug, pk)
        services.club_hand_over(club=club, by=player(request), player=member.player)
        return Response(_club_to_dict(club, request))


class Leave(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=None, responses={204: None}, operation_id="clubs_leave", tags=["clubs"])
    def post(self, request: Request, slug: str) -> Response:
        """Leave the club. Its last organiser can't."""
        club = _club_or_404(request, slug)
        if policy.role_in(request.user, club) is None:
            raise PermissionDenied
        services.member_leave(club=club, by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- invitations and requests -----------------------------------------------------------------------------------------


class Invitations(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: InvitationAnswer(many=True)}, operation_id="invitations_list", tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """List the open invitations of your club. Their links give access, so a token needs the scope `club`."""
        club = club_for_organiser(request, slug)
        need_token_scope(request, Scope.CLUB)
        open_ones, _ = reads.invitations_of(club)
        return Response([_invitation_out(row, request) for row in open_ones])

    @idempotent
    @extend_schema(
        request=InvitationRequest,
        responses={201: InvitationAnswer},
        operation_id="invitations_create",
        tags=["clubs"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create an invitation link, or invite one player by name; they get a mail if they have an address."""
        club = club_for_organiser(request, slug)
        made = club_invitations.invitation_make(club=club, by=player(request), **valid(InvitationRequest, request))
        answer = _invitation(made, request)
        club_invitations.invitation_mail(invitation=made)
        return Response(answer, status=status.HTTP_201_CREATED)


class InvitationByKey(APIView):
    @extend_schema(responses={200: InvitationAnswer}, operation_id="invitations_retrieve", tags=["clubs"])
    def get(self, request: Request, key: UUID) -> Response:
        """Return an invitation: the club, the role, who invites, and whether it is still valid."""
        return Response(_invitation(_invitation_or_404(request, key), request))

    @idempotent
    @extend_schema(request=None, responses={201: MemberAnswer}, operation_id="invitations_accept", tags=["clubs"])
    def post(self, request: Request, key: UUID) -> Response:
        """Accept the invitation and join the club."""
        row = club_invitations.invitation_accept(invitation=_invitation_or_404(request, key), by=player(request))
        return Response(_member_out(row, request), status=status.HTTP_201_CREATED)

    @extend_schema(responses={204: None}, operation_id="invitations_delete", tags=["clubs"])
    def delete(self, request: Request, key: UUID) -> Response:
        """Withdraw an invitation to a club you organise, or decline one for you."""
        invitation, by = _invitation_or_404(request, key), player(request)
        if policy.can_run_club(by, invitation.club):
            club_invitations.invitation_withdraw(invitation=invitation, by=by)
        elif invitation.player_id == by.pk:
            club_invitations.invitation_decline(invitation=invitation, by=by)
        else:
            raise PermissionDenied
        return Response(status=status.HTTP_204_NO_CONTENT)


class Requests(APIView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(responses={200: JoinRequestAnswer(many=True)}, operation_id="requests_list", tags=["clubs"])
    def get(self, request: Request, slug: str) -> Response:
        """List the requests to join a club you organise."""
        return Response(
            [JoinRequestAnswer(row).data for row in reads.club_join_requests(club_for_organiser(request, slug))]
        )

    @idempotent
    @extend_schema(
        request=JoinClubRequest,
        responses={201: JoinRequestAnswer},
        operation_id="requests_create",
        tags=["clubs"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Ask to join."""
        row = club_invitations.join_request_create(
            club=_club_or_404(request, slug), by=player(request), **valid(JoinClubRequest, request)
        )
        return Response(JoinRequestAnswer(reads.join_request_row(row)).data, status=status.HTTP_201_CREATED)


class RequestById(APIView):
    permission_classes = (IsAuthenticated,)

    @idempotent
    @extend_schema(request=JoinDecisionRequest, responses={204: None}, operation_id="requests_answer", tags=["clubs"])
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Accept or decline a request to join."""
        row = _request_or_404(club_for_organiser(request, slug), pk)
        answer = (
            club_invitations.join_request_accept
            if valid(JoinDecisionRequest, request)["accept"]
            else club_invitations.join_request_decline
        )
        answer(request=row, by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(responses={204: None}, operation_id="requests_delete", tags=["clubs"])
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Withdraw your own request."""
        row = _request_or_404(_club_or_404(request, slug), pk)
        if row.player_id != player(request).pk:
            raise Http404
        club_invitations.join_request_withdraw(request=row, by=player(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- parts ------------------------------------------------------------------------------------------------------------


def _club_or_404(request: Request, slug: str) -> Club:
    club = Club.objects.filter(slug=slug).first()
    if club is None or not policy.can_see_club(request.user, club):
        raise Http404
    return club


def club_for_organiser(request: Request, slug: str) -> Club:
    club = _club_or_404(request, slug)
    if not policy.can_run_club(request.user, club):
        raise PermissionDenied
    return club


def _member(request: Request, slug: str, pk: int) -> tuple[Club, Membership]:
    club = club_for_organiser(request, slug)
    return club, _membership(club, pk)


def _membership(club: Club, pk: int) -> Membership:
    member = Membership.objects.select_related("player").filter(club=club, pk=pk).first()
    if member is None:
        raise Http404
    return member


def _member_out(row: Membership, request: Request) -> dict[str, object]:
    return MemberAnswer(reads.member_row(row, request.user)).data


def _invitation_or_404(request: Request, key: UUID) -> Invitation:
    """Return the invitation. Raise Http404 if it is for somebody else, except for the club's organisers."""
    found = Invitation.objects.select_related("club", "created_by", "player").filter(key=key).first()
    if found is None:
        raise Http404
    theirs = found.player_id is not None and found.player_id != request.user.pk
    if theirs and not policy.can_run_club(request.user, found.club):
        raise Http404
    return found


def _request_or_404(club: Club, pk: int) -> JoinRequest:
    row = JoinRequest.objects.select_related("club", "player").filter(club=club, pk=pk).first()
    if row is None:
        raise Http404
    return row


def _club_to_dict(club: Club, request: Request) -> dict[str, object]:
    page = reads.club_page(club, request.user)
    return {
        **ClubSummaryAnswer(club).data,
        "about": club.about,
        "takes_requests": club.takes_requests,
        "founded_at": club.founded_at,
        "your_role": page.role,
        "members": [MemberAnswer(row).data for _, rows in page.groups for row in rows],
        "campaigns": [ClubCampaignAnswer(row).data for row in page.campaigns],
    }


def _invitation(row: Invitation, request: Request) -> dict[str, object]:
    return _invitation_out(reads.invitation_row(row), request)


def _invitation_out(row: reads.InvitationRow, request: Request) -> dict[str, object]:
    return InvitationAnswer(row, context={"request": request}).data


urlpatterns = [
    path("clubs/", Clubs.as_view(), name="api-clubs"),
    path("clubs/<slug:slug>/", ClubBySlug.as_view(), name="api-club"),
    path("clubs/<slug:slug>/leave/", Leave.as_view(), name="api-club-leave"),
    path("clubs/<slug:slug>/members/<int:pk>/", Member.as_view(), name="api-member"),
    path("clubs/<slug:slug>/members/<int:pk>/hand-over/", HandOver.as_view(), name="api-club-hand-over"),
    path("clubs/<slug:slug>/invitations/", Invitations.as_view(), name="api-invitations"),
    path("clubs/<slug:slug>/requests/", Requests.as_view(), name="api-join-requests"),
    path("clubs/<slug:slug>/requests/<int:pk>/", RequestById.as_view(), name="api-join-request"),
    path("invitations/<uuid:key>/", InvitationByKey.as_view(), name="api-invitation"),
]
