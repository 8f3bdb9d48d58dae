"""What waits for a player in all his clubs and campaigns: one query, however much there is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import (
    Case,
    Count,
    DateTimeField,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from campaigns.models import (
    CampaignState,
    Enrolment,
    EnrolmentState,
    JoinRequest,
    JudgeConsent,
    Match,
    MatchForce,
    MatchState,
    Membership,
    Report,
    RequestState,
    Role,
    RoundState,
)
from campaigns.policy import MAY_RULE, UNDECIDED
from rosters.models import LedgerEntry, Pilot, PilotStatus, Player

MOST = 60  # more than these are not counted
Kind = LedgerEntry.Kind

# kind -> (what to do, the page to do it on); in the order they are shown
KINDS = {
    "rule": ("Rule on the dispute", "campaigns:rule"),
    "refused": ("Decide what a side will not play", "campaigns:rule"),
    "consent": ("Agree, or let the other side judge: nobody else can", "campaigns:match"),
    "confirm": ("Report, or confirm what the other side reported", "campaigns:match"),
    "report": ("Play and report", "campaigns:match"),
    "reseal": ("Seal anew: what you had sealed doesn't count any more", "campaigns:match_forces"),
    "seal": ("Seal your force", "campaigns:match_forces"),
    "skill": ("Choose a skill", "campaigns:skill"),
    "enrolment": ("Decide on a company that asks to take part", "campaigns:campaign_companies"),
    "request": ("Decide on a request to join", "campaigns:club_members"),
}
ORDER = list(KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that waits: what to do, about what, where, by when."""

    kind: str
    what: str
    about: str
    where: str
    due: datetime | None
    url: str
    club: int
    campaign: int  # 0: of no campaign

    @property
    def is_late(self) -> bool:
        return self.due is not None and self.due < timezone.now()


def waiting_for(player: Player) -> tuple[Item, ...]:
    """Everything that waits for the player, disputes first, then by deadline; 60 at most."""
    rows = _judged(player).union(
        _unjudged(player), *_own_matches(player), _skills(player), _enrolments(player), _requests(player), all=True
    )
    items = [_item(row) for row in rows[:MOST]]
    last = timezone.now().max.replace(tzinfo=timezone.get_default_timezone())
    return tuple(sorted(items, key=lambda item: (ORDER.index(item.kind), item.due or last)))


def _own_matches(player: Player) -> list[QuerySet[Match, Any]]:
    """Matches to seal, to report, and to confirm."""
    found: list[QuerySet[Match, Any]] = []
    open_ = Match.objects.filter(
        state__in=UNDECIDED,
        round__state=RoundState.OPEN,
        round__campaign__state=CampaignState.RUNNING,
        refusing_side=None,
    ).exclude(defender=None)
    for side, name in enumerate(("attacker", "defender")):
        reports = Report.objects.filter(match=OuterRef("pk"), is_current=True)
        seals = MatchForce.objects.filter(match=OuterRef("pk"), side=side)
        mine = open_.filter(Q(**{f"{name}__company__owner": player}) & ~Exists(reports.filter(side=side)))
        theirs = Exists(reports.filter(side=1 - side))
        fell = Q(Exists(seals.exclude(fell__in=("", MatchForce.TAKEN_BACK))), setup__isnull=True)
        theirs_stands = Exists(MatchForce.objects.filter(match=OuterRef("pk"), side=1 - side, fell=""))
        in_time = Q(setup__isnull=True, round__deadline__gt=timezone.now())
        mine = mine.exclude(in_time & Q(Exists(seals.filter(fell="")), ~theirs_stands))  # it waits for the other side
        to_seal = Q(~Exists(seals.exclude(fell=MatchForce.TAKEN_BACK)), setup__isnull=True)
        kinds = _one_of((theirs, "confirm"), (fell, "reseal"), (to_seal, "seal"), otherwise="report")
        found.append(_matches(mine, kinds))
    return found


def _judged(player: Player) -> QuerySet[Match, Any]:
    """Matches in dispute, and those that a side will not play, for who may judge them."""
    rows = _to_judge().filter(
        round__campaign__club__memberships__player=player,
        round__campaign__club__memberships__role__in=MAY_RULE,
    )
    consents = JudgeConsent.objects.filter(match=OuterRef("pk"), ruling=None)
    consented = Q(Exists(consents.filter(side=1)), attacker__company__owner=player)
    consented |= Q(Exists(consents.filter(side=0)), defender__company__owner=player)
    plays = Q(attacker__company__owner=player) | Q(defender__company__owner=player)
    both = Q(attacker__company__owner=player) & Q(defender__company__owner=player)
    rows = rows.filter(~plays | Q(both | consented, ~_free_judge()))
    return _matches(rows, _one_of((DISPUTED, "rule"), otherwise="refused"))


def _unjudged(player: Player) -> QuerySet[Match, Any]:
    """The same for a side on whose consent it waits: only the other side's player could judge."""
    consents = JudgeConsent.objects.filter(match=OuterRef("pk"), ruling=None)
    waits = Q()
    for side, (name, other) in enumerate((("attacker", "defender"), ("defender", "attacker"))):
        judges = Membership.objects.filter(
            club=OuterRef("round__campaign__club"), role__in=MAY_RULE, player=OuterRef(f"{other}__company__owner")
        )
        own = Q(**{f"{name}__company__owner": player}) & ~Q(**{f"{other}__company__owner": player})
        waits |= Q(own, Exists(judges), ~Exists(consents.filter(side=side)))
    return _matches(_to_judge().filter(waits, ~_free_judge()), "consent")


DISPUTED = Q(state=MatchState.DISPUTED)


def _to_judge() -> QuerySet[Match]:
    return Match.objects.filter(
        DISPUTED | Q(refusing_side__isnull=False),
        state__in=UNDECIDED,
        round__campaign__state=CampaignState.RUNNING,
    )


def _free_judge() -> Exists:
    """Whether the club has an arbiter or organiser who does not play the match."""
    sides = Q(player=OuterRef("attacker__company__owner")) | Q(player=OuterRef("defender__company__owner"))
    judges = Membership.objects.filter(
        club=OuterRef("round__campaign__club"), role__in=MAY_RULE, player__is_active=True
    )
    return Exists(judges.exclude(sides))


def _one_of(*kinds: tuple[Any, str], otherwise: str) -> Case:
    """The kind of a row by the first condition that holds."""
    cases = [When(condition, then=Value(kind)) for condition, kind in kinds]
    return Case(*cases, default=Value(otherwise), output_field=TextField())


def _matches(rows: QuerySet[Match], kind: str | Case) -> QuerySet[Match, Any]:
    return _columns(
        rows,
        kind,
        ref="key",
        a="attacker__company__name",
        b="defender__company__name",
        where="round__campaign__name",
        due=F("round__deadline"),
        campaign="round__campaign_id",
        club="round__campaign__club_id",
    )


def _skills(player: Player) -> QuerySet[Pilot, Any]:
    """Pilots who earned more skills than were chosen. MM-101."""
    standing = Q(ledger__reversed_by=None)
    earned = Count("ledger", filter=standing & Q(ledger__kind=Kind.SKILL_ROLLED, ledger__facts__gained=True))
    chosen = Count("ledger", filter=standing & Q(ledger__kind=Kind.SKILL_GAINED, ledger__facts__earned=True))
    rows = Pilot.objects.filter(
        company__owner=player,
        company__disbanded_at=None,
        status__in=(PilotStatus.ACTIVE, PilotStatus.WOUNDED),
        ledger__kind__in=(Kind.SKILL_ROLLED, Kind.SKILL_GAINED),
    )
    rows = rows.annotate(earned=earned, chosen=chosen).filter(earned__gt=F("chosen"))
    return _columns(rows, "skill", ref="pk", parent="company_id", a="name", where="company__name")


def _enrolments(player: Player) -> QuerySet[Enrolment, Any]:
    rows = Enrolment.objects.filter(
        state=EnrolmentState.ASKED,
        campaign__state__in=(CampaignState.MUSTERING, CampaignState.RUNNING),
        campaign__club__memberships__player=player,
        campaign__club__memberships__role=Role.ORGANISER,
    )
    return _columns(
        rows,
        "enrolment",
        ref="campaign_id",
        a="company__name",
        where="campaign__name",
        campaign="campaign_id",
        club="campaign__club_id",
    )


def _requests(player: Player) -> QuerySet[JoinRequest, Any]:
    rows = JoinRequest.objects.filter(
        state=RequestState.ASKED, club__memberships__player=player, club__memberships__role=Role.ORGANISER
    )
    return _columns(rows, "request", ref="club__slug", a="player__username", where="club__name", club="club_id")


def _columns(
    rows: QuerySet[Any],
    kind: str | Case,
    *,
    ref: str,
    a: str,
    where: str,
    b: str = "",
    due: Any = None,
    parent: str = "",
    campaign: str = "",
    club: str = "",
) -> QuerySet[Any, Any]:
    """The same columns of every kind, so that all can be asked for at once."""

    def text(path: str) -> Any:
        return Cast(path, TextField()) if path else Value("", output_field=TextField())

    def number(path: str) -> Any:
        return Cast(path, IntegerField()) if path else Value(0, output_field=IntegerField())

    columns = {
        "w_kind": Value(kind, output_field=TextField()) if isinstance(kind, str) else kind,
        "w_ref": text(ref),
        "w_parent": number(parent),
        "w_a": text(a),
        "w_b": text(b),
        "w_where": text(where),
        "w_due": due or Cast(Value(None), DateTimeField()),
        "w_campaign": number(campaign),
        "w_club": number(club),
    }
    return rows.order_by().annotate(**columns).values_list(*columns)


def _item(row: tuple[str, str, int, str, str, str, datetime | None, int, int]) -> Item:
    kind, ref, parent, a, b, where, due, campaign, club = row
    what, route = KINDS[kind]
    return Item(
        kind=kind,
        what=what,
        about=f"{a} against {b}" if b else a,
        where=where,
        due=due,
        url=_url(route, kind, ref, parent),
        club=club,
        campaign=campaign,
    )


def _url(route: str, kind: str, ref: str, parent: int) -> str:
    match kind:
        case "skill":
            arguments: list[object] = [parent, int(ref)]
        case "enrolment":
            arguments = [int(ref)]
        case "request":
            arguments = [ref]
        case _:
            arguments = [UUID(ref)]
    try:
        return reverse(route, args=arguments)
    except NoReverseMatch:
        return ""
