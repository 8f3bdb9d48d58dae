"""Reads of clubs: lists, the club's page, members, invitations, requests, the activity log, pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import Count, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from campaigns import policy
from campaigns.clubs.invitations import invitation_refusal
from campaigns.clubs.summaries import (
    MAX_PAGE_CRESTS,
    Crest,
    Headline,
    OpenRound,
    SeasonListRow,
    campaign_board,
    crests_of,
    seasons_of,
)
from campaigns.models import (
    ActivityLogEntry,
    Campaign,
    CampaignState,
    Club,
    Dispute,
    Enrolment,
    EnrolmentState,
    Invitation,
    JoinRequest,
    Membership,
    RequestState,
    Role,
)
from campaigns.policy import TAKES_COMPANIES, Reader
from campaigns.waiting_list import full_campaigns
from rosters.accounts.adapter import OF_A_PLACE
from rosters.database.queries import PreparedQuery
from rosters.models import Player
from rosters.site.pagination import Keyset, KeysetList, Slice, count_query

PAGE_LENGTH = 30
LOG_PAGE_LENGTH = 50
PAST_INVITATIONS, MAX_INVITATIONS = 20, 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubRow:
    """A club in a list."""

    slug: str
    name: str
    place: str
    is_public: bool
    members: int
    running: int  # campaigns that are mustering or running
    role: str = ""  # label of the reader's role
    crests: tuple[Crest, ...] = ()  # of the first few companies in its campaigns


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRow:
    """An invitation, with the reason why it isn't valid any more."""

    id: int
    key: str
    club: str
    club_slug: str
    place: str
    player: str  # empty: anybody with the link
    role: str
    by: str
    at: datetime
    expires_at: datetime
    uses_left: int | None
    refusal: str
    over: str  # the reason in a word or two, for the organisers


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRequestRow:
    """A player's request to join."""

    id: int
    player: str
    message: str
    at: datetime
    club: str
    club_slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRow:
    """A member. `id` is the membership's."""

    id: int
    name: str
    username: str
    role: Role
    joined_at: datetime
    is_reader: bool
    is_guest: bool = False
    is_awaited: bool = False  # came with an archive and hasn't taken their place; nobody has the username


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRow:
    """A campaign on its club's page."""

    id: int
    name: str
    system: str
    state: str
    state_name: str
    companies: int
    is_public: bool
    since: datetime
    crests: tuple[Crest, ...]  # of the first few companies
    round: OpenRound | None
    headline: Headline | None

    @property
    def is_on(self) -> bool:
        return self.state != CampaignState.FINISHED

    @property
    def more_companies(self) -> int:
        return self.companies - len(self.crests)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRow:
    """A task that waits for an organiser or arbiter: how many, what, and the page where it is done."""

    number: int
    what: str
    route: str
    argument: str | int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPage:
    """A club's page for one reader."""

    row: Club
    role: Role | None
    groups: tuple[tuple[str, tuple[MemberRow, ...]], ...]  # members by role label
    campaigns: tuple[CampaignRow, ...]
    seasons: tuple[SeasonListRow, ...]
    waiting: tuple[TaskRow, ...]
    asked: JoinRequestRow | None  # the reader's own open request
    invited: InvitationRow | None  # the reader's own open invitation

    @property
    def members(self) -> int:
        return sum(len(rows) for _, rows in self.groups)

    @property
    def can_run(self) -> bool:
        return self.role == Role.ORGANISER

    @property
    def on(self) -> tuple[CampaignRow, ...]:
        return tuple(row for row in self.campaigns if row.is_on)

    @property
    def over(self) -> tuple[CampaignRow, ...]:
        return tuple(row for row in self.campaigns if not row.is_on)

    @property
    def newest(self) -> CampaignRow | None:
        """The current campaign with the newest gazette."""
        with_headline = [row for row in self.on if row.headline is not None]
        return max(with_headline, key=lambda row: row.headline.at if row.headline else row.since, default=None)


def clubs_of(player: Player) -> tuple[ClubRow, ...]:
    """Return the clubs the player belongs to."""
    found = [_row(row.club, row, row.get_role_display()) for row in OWN.rows(player=player.pk)]
    return _with_crests(found, public=False)


def public_clubs(*, search: str, asked: Mapping[str, str]) -> Slice[ClubRow]:
    """Return a page of the public clubs whose name or place contains the search text."""
    page, number = _public(bool(search))
    given = {"search": search} if search else {}
    found = page.asked(asked, count=sum(count for (count,) in number.rows(**given)), **given)
    rows = _with_crests([_row(club, club) for club in found.rows], public=True)
    return Slice(list(rows), found.before, found.after, count=found.count)


def open_invitations(player: Player) -> tuple[InvitationRow, ...]:
    """Return the player's open invitations by name, to clubs they don't belong to."""
    return tuple(invitation_row(row) for row in INVITED.rows(player=player.pk) if row.is_open)


def player_requests(player: Player) -> tuple[JoinRequestRow, ...]:
    """Return the player's unanswered requests to join."""
    return tuple(join_request_row(row) for row in REQUESTS_OF.rows(player=player.pk))


def club_page(club: Club, reader: Reader) -> ClubPage:
    """Return the club's page for this reader, who may see it."""
    role = policy.role_in(reader, club)
    asked = invited = None
    if role is None and isinstance(reader, Player):
        asked = next((row for row in player_requests(reader) if row.club_slug == club.slug), None)
        invited = next((row for row in open_invitations(reader) if row.club_slug == club.slug), None)
    members = members_of(club, reader)
    return ClubPage(
        row=club,
        role=role,
        groups=tuple(
            (title, rows)
            for title, wanted, guests in (
                ("Organisers", Role.ORGANISER, False),
                ("Arbiters", Role.ARBITER, False),
                ("Players", Role.PLAYER, False),
                ("Guests", Role.PLAYER, True),
            )
            if (rows := tuple(row for row in members if row.role == wanted and row.is_guest == guests))
        ),
        campaigns=_campaigns(club, role),
        seasons=seasons_of(club, role),
        waiting=_tasks(club, role),
        asked=asked,
        invited=invited,
    )


def members_of(club: Club, reader: Reader) -> tuple[MemberRow, ...]:
    """Return all members, oldest first."""
    return tuple(member_row(row, reader) for row in MEMBERS.rows(club=club.pk))


def member_row(row: Membership, reader: Reader) -> MemberRow:
    """Return the member as this reader sees them."""
    return MemberRow(
        id=row.pk,
        name=str(row.player),
        username=row.player.username,
        role=Role(row.role),
        joined_at=row.joined_at,
        is_reader=row.player_id == reader.pk,
        is_guest=row.player.is_guest,
        is_awaited=OF_A_PLACE.fullmatch(row.player.username) is not None,
    )


def invitations_of(club: Club) -> tuple[tuple[InvitationRow, ...], tuple[InvitationRow, ...]]:
    """Return the club's open invitations, and the newest of those that aren't valid any more."""
    rows = [invitation_row(row) for row in INVITATIONS.rows(club=club.pk)]
    over = [row for row in rows if row.refusal]
    return tuple(row for row in rows if not row.refusal), tuple(over[:PAST_INVITATIONS])


def club_join_requests(club: Club) -> tuple[JoinRequestRow, ...]:
    """Return the open requests to join, oldest first."""
    return tuple(join_request_row(row) for row in REQUESTS_TO.rows(club=club.pk))


def enrolments_by_owner(club: Club, *owners: Player) -> dict[str, list[str]]:
    """Describe companies in the club's unfinished campaigns, by user name: what members would leave behind."""
    rows = Enrolment.objects.filter(campaign__club=club, state=EnrolmentState.ACCEPTED)
    rows = rows.filter(company__owner__in=owners) if owners else rows
    found: dict[str, list[str]] = {}
    for row in rows.exclude(campaign__state=CampaignState.FINISHED).select_related("company__owner", "campaign"):
        found.setdefault(row.company.owner.username, []).append(f"{row.company.name} in {row.campaign.name}")
    return found


def activity_page(club: Club, role: Role | None, asked: Mapping[str, str]) -> Slice[ActivityLogEntry]:
    """Return a page of the club's activity log, newest first."""
    return _activity_list(role).asked(asked, club=club.pk)


# --- parts ------------------------------------------------------------------------------------------------------------


def _with_crests(rows: list[ClubRow], *, public: bool) -> tuple[ClubRow, ...]:
    """Return the rows with the emblems of companies that play there; one query, none without rows."""
    crests = crests_of([row.slug for row in rows], public=public) if rows else {}
    return tuple(replace(row, crests=crests.get(row.slug, ())) for row in rows)


def _row(club: Any, counts: Any, role: str = "") -> ClubRow:
    """Return the club's row; `counts` is a row with `_count_annotations`."""
    return ClubRow(
        slug=club.slug,
        name=club.name,
        place=club.place,
        is_public=club.is_public,
        members=counts.members,
        running=counts.running,
        role=role,
    )


def _count_annotations(club: str, **campaigns: bool) -> dict[str, Coalesce]:
    """Return annotations for the members of a row's club, and for its current campaigns that match the filters."""
    on = Campaign.objects.filter(state__in=policy.TAKES_COMPANIES, **campaigns)
    return {"members": _count_subquery(Membership.objects.all(), club), "running": _count_subquery(on, club)}


def _count_subquery(rows: QuerySet[Membership] | QuerySet[Campaign], club: str) -> Coalesce:
    """Return a subquery that counts the rows of the club."""
    of_it = rows.filter(club=OuterRef(club)).order_by().values("club").annotate(number=Count("pk"))
    return Coalesce(Subquery(of_it.values("number")), 0)


def _memberships(player: int) -> QuerySet[Membership]:
    rows = Membership.objects.filter(player=player).select_related("club").order_by("club__name")
    return rows.annotate(**_count_annotations("club"))


def _public_clubs(search: str = "") -> QuerySet[Club]:
    rows = Club.objects.filter(is_public=True)
    return rows.filter(Q(name__icontains=search) | Q(place__icontains=search)) if search else rows


@cache
def _activity_list(role: Role | None) -> KeysetList[ActivityLogEntry]:
    def rows(club: int) -> QuerySet[ActivityLogEntry]:
        rows = ActivityLogEntry.objects.filter(policy.log_entries_visible_to_role(role), club=club).select_related(
            "created_by", "campaign"
        )
        return rows.only("created_at", "text", "created_by__username", "created_by__name_shown", "campaign__name")

    return KeysetList(rows, Keyset("-pk"), LOG_PAGE_LENGTH, club=int)


@cache
def _public(is_search: bool) -> tuple[KeysetList[Club], PreparedQuery[tuple[int]]]:
    """Return the list of public clubs, and the query that counts them."""
    kinds: dict[str, type] = {"search": str} if is_search else {}

    def rows(**given: str) -> QuerySet[Club]:
        return _public_clubs(**given).annotate(**_count_annotations("pk", is_public=True))

    def number(**given: str) -> QuerySet[Model, tuple[int]]:
        return count_query(_public_clubs(**given))

    return KeysetList(rows, Keyset("name", "pk"), PAGE_LENGTH, (str,), **kinds), PreparedQuery(number, **kinds)


def _invited(player: int) -> QuerySet[Invitation]:
    rows = Invitation.objects.filter(player=player, withdrawn_at=None).exclude(club__memberships__player=player)
    return rows.select_related("club", "created_by", "player")


def _asked(**of: int) -> QuerySet[JoinRequest]:
    return JoinRequest.objects.filter(state=RequestState.ASKED, **of).select_related("club", "player")


OWN = PreparedQuery(_memberships, player=int)
INVITED = PreparedQuery(_invited, player=int)
REQUESTS_OF = PreparedQuery(lambda player: _asked(player=player), player=int)
REQUESTS_TO = PreparedQuery(lambda club: _asked(club=club).order_by("pk"), club=int)
MEMBERS = PreparedQuery(lambda club: Membership.objects.filter(club=club).select_related("player"), club=int)
INVITATIONS = PreparedQuery(
    lambda club: Invitation.objects.filter(club=club).select_related("club", "created_by", "player")[:MAX_INVITATIONS],
    club=int,
)


def _campaigns(club: Club, role: Role | None) -> tuple[CampaignRow, ...]:
    accepted = Count("enrolments", filter=Q(enrolments__state=EnrolmentState.ACCEPTED))
    rows = (
        Campaign.objects.filter(policy.campaigns_visible_to_role(role), club=club)
        .annotate(accepted=accepted)
        .order_by("-pk")
    )
    order = [CampaignState.RUNNING, CampaignState.MUSTERING, CampaignState.DRAFT, CampaignState.FINISHED]
    board = campaign_board(club)
    found = [
        CampaignRow(
            id=row.pk,
            name=row.name,
            system=row.get_system_display(),
            state=row.state,
            state_name=row.get_state_display(),
            companies=row.accepted,
            is_public=row.is_public,
            since=row.finished_at or row.running_at or row.mustering_at or row.created_at,
            crests=board.crests.get(row.pk, ())[:MAX_PAGE_CRESTS],
            round=board.rounds.get(row.pk),
            headline=board.headlines.get(row.pk),
        )
        for row in rows
    ]
    return tuple(sorted(found, key=lambda row: order.index(CampaignState(row.state))))


def _tasks(club: Club, role: Role | None) -> tuple[TaskRow, ...]:
    """Return the tasks that wait for a reader of this role, by campaign where they belong to one."""
    waiting = []
    if role == Role.ORGANISER:
        asked = club.requests.filter(state=RequestState.ASKED).count()
        if asked:
            what = "player asks to join" if asked == 1 else "players ask to join"
            waiting.append(TaskRow(number=asked, what=what, route="campaigns:club_members", argument=club.slug))
        enrolments = Enrolment.objects.filter(
            campaign__club=club, campaign__state=CampaignState.MUSTERING, state=EnrolmentState.ASKED
        ).exclude(campaign__in=full_campaigns().values("pk"))
        for campaign, name, number in _by_campaign(enrolments, "campaign"):
            what = f"{'company asks' if number == 1 else 'companies ask'} to join {name}"
            waiting.append(TaskRow(number=number, what=what, route="campaigns:campaign_companies", argument=campaign))
    if role in policy.MAY_RULE:
        disputes = Dispute.objects.filter(match__round__campaign__club=club, closed_at=None)
        for campaign, name, number in _by_campaign(disputes, "match__round__campaign"):
            what = f"{'match is' if number == 1 else 'matches are'} disputed in {name}"
            waiting.append(TaskRow(number=number, what=what, route="campaigns:campaign", argument=campaign))
    return tuple(waiting)


def _by_campaign(rows: QuerySet[Enrolment] | QuerySet[Dispute], path: str) -> Iterable[tuple[int, str, int]]:
    return rows.order_by().values_list(path, f"{path}__name").annotate(Count("pk")).order_by(path)


def invitation_row(row: Invitation) -> InvitationRow:
    """Return the invitation as a page shows it."""
    return InvitationRow(
        id=row.pk,
        key=str(row.key),
        club=row.club.name,
        club_slug=row.club.slug,
        place=row.club.place,
        player=str(row.player) if row.player else "",
        role=row.get_role_display().lower(),
        by=str(row.created_by) if row.created_by else "",
        at=row.created_at,
        expires_at=row.expires_at,
        uses_left=row.uses_left,
        refusal=invitation_refusal(row),
        over=_describe_end(row),
    )


def _describe_end(row: Invitation) -> str:
    """Return how an invitation ended, in a word or two; empty while it is open."""
    if row.is_open:
        return ""
    if row.withdrawn_at is not None:
        return "withdrawn or declined" if row.player_id else "withdrawn"
    if row.uses_left == 0:
        return "accepted" if row.player_id else "used up"
    return "expired"


def join_request_row(row: JoinRequest) -> JoinRequestRow:
    """Return the request as a page shows it."""
    return JoinRequestRow(
        id=row.pk,
        player=str(row.player),
        message=row.message,
        at=row.asked_at,
        club=row.club.name,
        club_slug=row.club.slug,
    )


def companies_without_pictures(companies: Iterable[int]) -> dict[int, str]:
    """Return, by company, the notice that its club allows only drawn pictures; empty for other clubs. One query."""
    rows = Enrolment.objects.filter(
        company__in=companies,
        state__in=EnrolmentState.in_play(),
        campaign__state__in=TAKES_COMPANIES,
        campaign__club__shows_portraits=False,
    )
    return {
        company: f"{club} only shows the built-in drawings, so your photos are hidden while you play in its campaigns."
        for company, club in rows.values_list("company", "campaign__club__name")
    }
