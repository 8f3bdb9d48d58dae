"""Open tasks of a player in all their clubs and campaigns: one query, however many there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple, TypeVar
from uuid import UUID

from django.db.models import (
    BooleanField,
    Case,
    Count,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce, Now
from django.urls import reverse
from django.utils import timezone

from campaigns.models import (
    ArbiterConsent,
    CampaignState,
    Enrolment,
    EnrolmentState,
    Handicap,
    JoinRequest,
    Match,
    MatchDate,
    MatchmakingOffer,
    MatchState,
    Membership,
    Notification,
    OfferState,
    PairingState,
    Report,
    RequestState,
    Role,
    RoundState,
    SeasonPairing,
    SeasonRoundState,
    SeasonState,
    SubmittedList,
)
from campaigns.policy import MAY_RULE, TAKES_COMPANIES
from campaigns.waiting_list import full_campaigns
from rosters.database.queries import PreparedQuery, columns
from rosters.entries.units_and_pilots import SkillGained, SkillRolled
from rosters.jobs import JobStatus
from rosters.models import Pilot, PilotStatus, Player, player_display_name
from rosters.site.pagination import count_query

RowT = TypeVar("RowT", bound=Model)
MAX_ROWS = 60  # any more aren't counted
MAX_CANDIDATES = 200  # rows looked at; a match counts even if the player has already done their part

# kind -> (what to do, the page to do it on), in the order shown
KINDS = {
    "rule": ("Rule on the dispute", "campaigns:match_ruling"),
    "refused": ("Decide a match a player can't play", "campaigns:match_ruling"),
    "consent": ("Agree, or let your opponent judge: nobody else can", "campaigns:match"),
    "confirm": ("Report, or confirm your opponent's report", "campaigns:match"),
    "report": ("Play and report", "campaigns:match"),
    "reseal": ("Submit your list again: it is no longer valid", "campaigns:match_forces"),
    "seal": ("Submit your list", "campaigns:match_forces"),
    "game": ("Answer a suggested game", "campaigns:club_night"),
    "handicap": ("Answer the proposed handicap", "campaigns:match"),
    "date": ("Answer the proposed date", "campaigns:match"),
    "agree": ("Agree on a game", "campaigns:season_pairing"),
    "skill": ("Choose a skill", "campaigns:pilot_skill"),
    "enrolment": ("Decide on a company that wants to join", "campaigns:campaign_companies"),
    "request": ("Decide on a request to join", "campaigns:club_members"),
}
ORDER = list(KINDS)
UNREAD = "unread"  # the kind of the row that has the number of unread notifications


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingItem:
    """An open task: what to do, about what, where and by when."""

    kind: str
    what: str
    about: str
    where: str
    due: datetime | None
    url: str
    club: int
    campaign: int  # 0: of no campaign
    match: UUID | None  # its key, if the task is about a match

    @property
    def is_late(self) -> bool:
        return self.due is not None and self.due < timezone.now()


def list_waiting(rows: Sequence[tuple[WaitingRow, str]]) -> tuple[WaitingItem, ...]:
    """Return the rows in words, in the order they are shown."""
    last = timezone.now().max.replace(tzinfo=timezone.get_default_timezone())
    items = (_item(row, kind) for row, kind in rows)
    return tuple(sorted(items, key=lambda item: (ORDER.index(item.kind), item.due or last)))


def waiting_rows(player: Player) -> tuple[tuple[WaitingRow, str], ...]:
    """Return the player's open tasks as rows with their kinds, 60 at most; a match can have several kinds."""
    return waiting_and_unread(player)[0]


def waiting_and_unread(player: Player) -> tuple[tuple[tuple[WaitingRow, str], ...], int]:
    """Return the rows of `waiting_rows` and the number of unread notifications: every page's header needs both."""
    found: list[tuple[WaitingRow, str]] = []
    unread = 0
    for row in WAITING.rows(player=player.pk):
        if row.kind == UNREAD:
            unread = row.unread
            continue
        found += [(row, kind) for kind in ([row.kind] if row.kind != "match" else waiting_kinds(row, player.pk))]
    return tuple(found[:MAX_ROWS]), unread


class WaitingRow(NamedTuple):
    """A row of the one query; only matches fill the last columns, except whose turn it is in a season."""

    kind: str
    ref: str
    parent: int
    a: str
    b: str
    where: str
    due: datetime | None
    campaign: int
    club: int
    state: str = ""
    round: str = ""
    refusing_side: int | None = None
    attacker: int | None = None  # the company's owner
    defender: int | None = None
    is_judge: bool = False  # the reader may rule in the club
    attacker_judges: bool = False  # so may the attacker's player
    defender_judges: bool = False
    has_free_judge: bool = False  # somebody who doesn't play may rule
    attacker_consents: bool = False
    defender_consents: bool = False
    is_open: bool = False  # both lists are revealed
    attacker_reported: bool = False
    defender_reported: bool = False
    attacker_seal: str = ""  # why it is void; empty: it stands; TAKEN_BACK also if there is none
    defender_seal: str = ""
    date_side: int | None = None  # the side that proposes a date
    handicap: str = ""  # the sides that have agreed to the proposed one, as "[0]"; empty: none is proposed
    unread: int = 0


def waiting_kinds(row: WaitingRow, player: int) -> list[str]:
    """Return the kinds of tasks that an undecided match has for the player."""
    owners = (row.attacker, row.defender)
    own = [side for side in (0, 1) if owners[side] == player]
    consents = (row.attacker_consents, row.defender_consents)
    found = []
    if row.state == MatchState.DISPUTED or row.refusing_side is not None:
        may_judge_own = len(own) == 2 or any(consents[1 - side] for side in own)
        if row.is_judge and (not own or (may_judge_own and not row.has_free_judge)):
            found.append("rule" if row.state == MatchState.DISPUTED else "refused")
        judges = (row.attacker_judges, row.defender_judges)
        if len(own) == 1 and not row.has_free_judge and judges[1 - own[0]] and not consents[own[0]]:
            found.append("consent")
    if row.round == RoundState.OPEN and row.refusing_side is None and row.defender is not None:
        reported = (row.attacker_reported, row.defender_reported)
        seals = (row.attacker_seal, row.defender_seal)
        for side in own:
            if reported[side]:
                continue
            if reported[1 - side]:
                found.append("confirm")
            elif not row.is_open and seals[side]:
                found.append("seal" if seals[side] == SubmittedList.TAKEN_BACK else "reseal")
            elif row.is_open or not seals[1 - side] or row.due is None or row.due <= timezone.now():
                found.append("report")  # else it is waiting for the other side
        if row.date_side is not None and set(own) - {row.date_side}:
            found.append("date")
        if row.handicap and not row.is_open and [side for side in own if str(side) not in row.handicap]:
            found.append("handicap")
    return found


def _question(player: int) -> QuerySet[Player, object]:
    """Return the number of unread notifications, then undecided matches to play or judge, then all other tasks."""
    parts = (
        _matches(player), _games(player), _agreements(player), _skills(player), _enrolments(player), _requests(player)
    )  # fmt: skip
    return _unread_notifications(player).union(*parts, all=True)[:MAX_CANDIDATES]


def _unread_notifications(player: int) -> QuerySet[Player, object]:
    unread = Subquery(count_query(Notification.objects.filter(player=OuterRef("pk"), read_at=None)))
    rows = Player.objects.filter(pk=player)
    more: dict[str, Combinable] = {"unread": Coalesce(unread, 0, output_field=IntegerField())}
    return _columns(rows, UNREAD, ref="pk", a="username", where="username", more=more)


def _matches(player: int) -> QuerySet[Match, object]:
    judged = Membership.objects.filter(player=player, role__in=MAY_RULE).values("club")
    to_judge = Q(state=MatchState.DISPUTED) | Q(refusing_side__isnull=False)
    own = Q(attacker__company__owner=player) | Q(defender__company__owner=player)
    return matches_waiting(own | to_judge & Q(round__campaign__club__in=judged), player)


def matches_waiting(which: Q, player: int) -> QuerySet[Match, object]:
    """Return undecided matches among these, in the columns of `WaitingRow`; `player` is the one who may judge."""
    rows = Match.objects.filter(which, state__in=MatchState.undecided(), round__campaign__state=CampaignState.RUNNING)
    judges = Membership.objects.filter(club=OuterRef("round__campaign__club"), role__in=MAY_RULE)
    owners = {name: OuterRef(f"{name}__company__owner") for name in ("attacker", "defender")}
    free = judges.filter(player__is_active=True).exclude(Q(player=owners["attacker"]) | Q(player=owners["defender"]))
    proposed = MatchDate.objects.filter(match=OuterRef("pk"), proposed_at__isnull=False)
    more: dict[str, Combinable] = {
        "state": Cast("state", TextField()),
        "round": Cast("round__state", TextField()),
        "refusing_side": Cast("refusing_side", IntegerField()),
        "attacker": F("attacker__company__owner_id"),
        "defender": F("defender__company__owner_id"),
        "is_judge": Exists(judges.filter(player=player)),
        "has_free_judge": Exists(free),
        "date_side": Subquery(proposed.values("side"), output_field=IntegerField()),
        "handicap": Coalesce(Subquery(_handicaps()), Value(""), output_field=TextField()),
        "is_open": ExpressionWrapper(Q(setup__isnull=False), output_field=BooleanField()),
    }
    for side, name in enumerate(owners):
        seal = SubmittedList.objects.filter(match=OuterRef("pk"), side=side).values("fell")
        consents = ArbiterConsent.objects.filter(match=OuterRef("pk"), side=side, ruling=None)
        reports = Report.objects.filter(match=OuterRef("pk"), side=side, is_current=True)
        more |= {
            f"{name}_judges": Exists(judges.filter(player=owners[name])),
            f"{name}_consents": Exists(consents),
            f"{name}_reported": Exists(reports),
            f"{name}_seal": Coalesce(Subquery(seal), Value(SubmittedList.TAKEN_BACK), output_field=TextField()),
        }
    return _columns(
        rows,
        "match",
        ref="key",
        a="attacker__company__name",
        b="defender__company__name",
        where="round__campaign__name",
        due=F("round__deadline"),
        campaign="round__campaign_id",
        club="round__campaign__club_id",
        more=more,
    )


def _handicaps() -> QuerySet[Handicap, object]:
    """Return the sides that have agreed to a match's proposed handicap."""
    rows = Handicap.objects.filter(match=OuterRef("pk"), status=JobStatus.DONE, match__round__campaign__handicaps=True)
    return rows.exclude(kind="").values_list(Cast("agreed", TextField()))


def _games(player: int) -> QuerySet[MatchmakingOffer, object]:
    """Return even games proposed to the player's companies that the player hasn't answered."""
    rows = MatchmakingOffer.objects.filter(state=OfferState.PROPOSED, expires_at__gt=Now())
    rows = rows.annotate(answered=Cast("accepted", TextField())).filter(
        Q(attacker__owner=player) & ~Q(answered__contains="0") | Q(defender__owner=player) & ~Q(answered__contains="1")
    )
    return _columns(
        rows,
        "game",
        ref="club__slug",
        a="attacker__name",
        b="defender__name",
        where="club__name",
        due=F("expires_at"),
        club="club_id",
    )


def _agreements(player: int) -> QuerySet[SeasonPairing, object]:
    """Return season pairings in which it is the player's turn to propose a game or answer."""
    return agreements_waiting(Q(one__player=player), Q(two__player=player))


def agreements_waiting(one: Q, two: Q) -> QuerySet[SeasonPairing, object]:
    """Return pairings where it is their turn, on side `one` or `two`; `attacker` and `defender` say whose turn it is."""
    turns = [~Q(proposing_side=side, proposed__isnull=False) for side in (0, 1)]
    rows = SeasonPairing.objects.filter(
        one & turns[0] | two & turns[1],
        state=PairingState.AGREEING,
        blocked_reason="",
        two__isnull=False,
        round__state=SeasonRoundState.OPEN,
        round__season__state=SeasonState.RUNNING,
    )
    rows = rows.annotate(name_one=player_display_name("one__player"), name_two=player_display_name("two__player"))
    return _columns(
        rows,
        "agree",
        ref="key",
        a="name_one",
        b="name_two",
        where="round__season__name",
        due=F("round__agree_by"),
        club="round__season__club_id",
        more={
            "attacker": Case(When(turns[0], then=F("one__player_id")), output_field=IntegerField()),
            "defender": Case(When(turns[1], then=F("two__player_id")), output_field=IntegerField()),
        },
    )


def _skills(player: int) -> QuerySet[Pilot, object]:
    """Return pilots that have earned more skills than have been chosen. MM-101."""
    standing = Q(ledger__reversed_by=None)
    earned = Count("ledger", filter=standing & Q(ledger__kind=SkillRolled.slug, ledger__facts__gained=True))
    chosen = Count("ledger", filter=standing & Q(ledger__kind=SkillGained.slug, ledger__facts__earned=True))
    rows = Pilot.objects.filter(
        company__owner=player,
        company__disbanded_at=None,
        status__in=(PilotStatus.ACTIVE, PilotStatus.WOUNDED),
        ledger__kind__in=(SkillRolled.slug, SkillGained.slug),
    )
    rows = rows.annotate(earned=earned, chosen=chosen).filter(earned__gt=F("chosen"))
    return _columns(rows, "skill", ref="pk", parent="company_id", a="name", where="company__name")


def _enrolments(player: int) -> QuerySet[Enrolment, object]:
    rows = Enrolment.objects.filter(
        state=EnrolmentState.ASKED,
        campaign__state__in=TAKES_COMPANIES,
        campaign__club__memberships__player=player,
        campaign__club__memberships__role=Role.ORGANISER,
    ).exclude(campaign__in=full_campaigns().values("pk"))
    return _columns(
        rows,
        "enrolment",
        ref="campaign_id",
        a="company__name",
        where="campaign__name",
        campaign="campaign_id",
        club="campaign__club_id",
    )


def _requests(player: int) -> QuerySet[JoinRequest, object]:
    rows = JoinRequest.objects.filter(
        state=RequestState.ASKED, club__memberships__player=player, club__memberships__role=Role.ORGANISER
    )
    return _columns(rows, "request", ref="club__slug", a="player__username", where="club__name", club="club_id")


def _columns(
    rows: QuerySet[RowT],
    kind: str,
    *,
    ref: str,
    a: str,
    where: str,
    b: str = "",
    due: Combinable | None = None,
    parent: str = "",
    campaign: str = "",
    club: str = "",
    more: Mapping[str, Combinable] = MappingProxyType({}),
) -> QuerySet[RowT, object]:
    """Return the columns of `WaitingRow` for any kind, so that one union reads them all."""

    def text(path: str) -> Combinable:
        return Cast(path, TextField()) if path else Value("", output_field=TextField())

    def number(path: str) -> Combinable:
        return Cast(path, IntegerField()) if path else Value(0, output_field=IntegerField())

    values: dict[str, Combinable] = {
        "kind": Value(kind, output_field=TextField()),
        "ref": text(ref),
        "parent": number(parent),
        "a": text(a),
        "b": text(b),
        "where": text(where),
        "due": due or Cast(Value(None), DateTimeField()),
        "campaign": number(campaign),
        "club": number(club),
    }
    values |= {name: more.get(name) or _nothing(default) for name, default in WaitingRow._field_defaults.items()}
    names = {name: f"w_{name}" for name in WaitingRow._fields}
    filled = rows.order_by().annotate(**{names[name]: values[name] for name in WaitingRow._fields})
    asked: QuerySet[RowT, object] = filled.values_list(*columns(WaitingRow, **names))
    return asked


def _nothing(default: object) -> Combinable:
    """Return the column's value in a row that isn't a match."""
    if isinstance(default, bool):
        return Value(default, output_field=BooleanField())
    if isinstance(default, str):
        return Value(default, output_field=TextField())
    return Cast(Value(default), IntegerField())


WAITING = PreparedQuery(_question, WaitingRow, player=int)


def _item(row: WaitingRow, kind: str) -> WaitingItem:
    what, route = KINDS[kind]
    return WaitingItem(
        kind=kind,
        what=what,
        about=f"{row.a} against {row.b}" if row.b else row.a,
        where=row.where,
        due=row.due,
        url=_url(route, kind, row.ref, row.parent),
        club=row.club,
        campaign=row.campaign,
        match=UUID(row.ref) if row.kind == "match" else None,
    )


def _url(route: str, kind: str, ref: str, parent: int) -> str:
    match kind:
        case "skill":
            arguments: list[object] = [parent, int(ref)]
        case "enrolment":
            arguments = [int(ref)]
        case "request" | "game":
            arguments = [ref]
        case _:
            arguments = [UUID(ref)]
    return reverse(route, args=arguments)
