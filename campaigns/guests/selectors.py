"""Reads of guests: a club's guests with their open tasks, one guest, and what an account would take over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.urls import reverse

from battles.choices import PublishedForce, published_forces
from campaigns.guests.eligibility import claim_refusal, describe_guest_past, unit_spec
from campaigns.models import Campaign, Club, Enrolment, EnrolmentState, Guest, GuestLink, Match, MatchState, Report
from campaigns.notifications.open_tasks import (
    KINDS,
    MAX_ROWS,
    WaitingRow,
    agreements_waiting,
    matches_waiting,
    waiting_kinds,
)
from campaigns.policy import TAKES_COMPANIES
from rosters.database.queries import PreparedQuery, columns
from rosters.models import Company, Player
from systems import roster_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestLinkRow:
    """The guest's link as an organiser sees it, without the link itself."""

    is_open: bool
    expires_at: datetime
    used_at: datetime | None
    is_ended: bool  # by an organiser, before it expired


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestCompany:
    """A company of a guest, and its campaign."""

    id: int
    name: str
    campaign: str  # empty: none
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestTask:
    """An open task of a guest."""

    what: str
    about: str
    due: datetime | None
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestRow:
    """A guest of a club."""

    id: int
    name: str
    by: str
    at: datetime
    link: GuestLinkRow | None  # None: not made yet
    companies: tuple[GuestCompany, ...]
    waiting: tuple[GuestTask, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """What an account would take over, or why it can't."""

    guest: str
    club: str
    club_slug: str
    companies: tuple[str, ...]
    campaigns: tuple[str, ...]
    matches: int
    reports: int
    refusal: str


def guests_of(club: Club) -> tuple[GuestRow, ...]:
    """Return the current guests, oldest first. Four queries, however many they are."""
    rows = GUESTS.rows(club=club.pk)
    if not rows:
        return ()
    links = {link.guest_id: link for link in reversed(LINKS.rows(club=club.pk))}
    companies: dict[int, list[GuestCompany]] = {}
    for owner, company in _companies(COMPANIES.rows(club=club.pk)):
        companies.setdefault(owner, []).append(company)
    waiting = _waiting(WAITING.rows(club=club.pk), [row.player_id or 0 for row in rows])
    return tuple(
        GuestRow(
            id=row.pk,
            name=row.name,
            by=str(row.created_by) if row.created_by else "",
            at=row.created_at,
            link=_link(links.get(row.pk)),
            companies=tuple(companies.get(row.player_id or 0, ())),
            waiting=tuple(waiting.get(row.player_id or 0, ())),
        )
        for row in rows
    )


def guest_row(club: Club, pk: int) -> GuestRow | None:
    """Return the row of one current guest."""
    return next((row for row in guests_of(club) if row.id == pk), None)


def guest_of(club: Club, pk: int) -> Guest | None:
    """Return the guest with that ID, if they are still one of this club."""
    rows = Guest.objects.filter(club=club, claimed_at=None, removed_at=None).select_related("club", "player")
    return rows.filter(pk=pk).first()


def removal_refusal(guest: Guest) -> str:
    """Return why the guest can't be removed, as the end of a sentence about them; empty if they can."""
    return describe_guest_past(guest.player) if guest.player else ""


def open_campaigns(club: Club) -> list[Campaign]:
    """Return the club's campaigns that take companies."""
    return list(Campaign.objects.filter(club=club, state__in=TAKES_COMPANIES).order_by("-pk"))


def forces_within(system: str, points: int) -> list[PublishedForce]:
    """Return the ready-made forces that a company with that many points can buy and crew, most expensive first."""
    found = [(force_price(system, force), force) for force in published_forces(system).values()]
    return [force for price, force in sorted(found, key=lambda each: -each[0]) if price <= points]


def force_price(system: str, force: PublishedForce) -> int:
    """Return the points that the force's units and their pilots cost."""
    rules = roster_rules(system)
    least = next(iter(rules.hire_points), "")
    price = force.points
    for unit in force.units:
        if rules.hire_points and rules.needs_pilot(unit_spec(system, unit)):
            price += rules.hire_points.get(unit.level, rules.hire_points[least])
    return price


def own_link(player: Player) -> GuestLink | None:
    """Return the link by which a guest came in."""
    rows = GuestLink.objects.filter(guest__player=player, ended_at=None).select_related("guest__club")
    return rows.order_by(F("used_at").desc(nulls_last=True)).first()


def takeover(link: GuestLink, heir: Player | None) -> Takeover:
    """Return what an account would take over from the guest of this link. With `heir`, also why it can't."""
    guest = link.guest
    player = guest.player
    own = Q(attacker__company__owner=player) | Q(defender__company__owner=player)
    played = Match.objects.filter(own).exclude(state__in=MatchState.unplayed()).exclude(round__state="planned")
    enrolled = Enrolment.objects.filter(company__owner=player).exclude(state=EnrolmentState.DECLINED)
    return Takeover(
        guest=guest.name,
        club=guest.club.name,
        club_slug=guest.club.slug,
        companies=tuple(Company.objects.filter(owner=player, disbanded_at=None).values_list("name", flat=True)),
        campaigns=tuple(enrolled.values_list("campaign__name", flat=True).distinct().order_by("campaign__name")),
        matches=played.count(),
        reports=Report.objects.filter(submitted_by=player, is_current=True).count() if player else 0,
        refusal=claim_refusal(guest, heir) if heir is not None and player is not None else "",
    )


# --- parts ------------------------------------------------------------------------------------------------------------


class _Enrolled(NamedTuple):
    company: int
    name: str
    owner: int
    campaign: str | None
    state: str | None


def _guests(club: int) -> QuerySet[Guest]:
    rows = Guest.objects.filter(club=club, claimed_at=None, removed_at=None, player__isnull=False)
    return rows.select_related("created_by", "player").order_by("pk")


def _links(club: int) -> QuerySet[GuestLink]:
    """Return the links, newest first."""
    return GuestLink.objects.filter(guest__club=club, guest__player__isnull=False).order_by("-pk")


def _enrolled(club: int) -> QuerySet[Company, object]:
    rows = Company.objects.filter(owner__guest_in__club=club, disbanded_at=None).order_by("name", "pk", "enrolments")
    return rows.values_list(
        *columns(_Enrolled, company="pk", campaign="enrolments__campaign__name", state="enrolments__state")
    )


def _of_guests(club: int) -> QuerySet[Match, object]:
    """Return the matches and season pairings that may have tasks for a guest."""
    guests = Guest.objects.filter(club=club, player__isnull=False).values("player")
    which = Q(attacker__company__owner__in=guests) | Q(defender__company__owner__in=guests)
    agreements = agreements_waiting(Q(one__player__in=guests), Q(two__player__in=guests))
    matches = matches_waiting(which & Q(round__campaign__club=club), 0)
    return matches.union(agreements.filter(round__season__club=club), all=True)[:MAX_MATCHES]


MAX_MATCHES = 400
GUESTS = PreparedQuery(_guests, club=int)
LINKS = PreparedQuery(_links, club=int)
COMPANIES = PreparedQuery(_enrolled, _Enrolled, club=int)
WAITING = PreparedQuery(_of_guests, WaitingRow, club=int)


def _companies(rows: Sequence[_Enrolled]) -> Iterator[tuple[int, GuestCompany]]:
    """Yield each company once, with its owner; its current campaign wins over others."""
    found: dict[int, tuple[int, GuestCompany]] = {}
    for row in rows:
        state = EnrolmentState(row.state) if row.state else None
        known = found.get(row.company)
        if known is not None and state not in EnrolmentState.in_play():
            continue
        guest_company = GuestCompany(
            id=row.company, name=row.name, campaign=row.campaign or "", state=str(state.label) if state else ""
        )
        found[row.company] = (row.owner, guest_company)
    yield from found.values()


def _waiting(rows: Sequence[WaitingRow], guests: Sequence[int]) -> Mapping[int, list[GuestTask]]:
    found: dict[int, list[GuestTask]] = {}
    for row in rows:
        for player in {row.attacker, row.defender} & set(guests):
            assert player is not None
            for kind in waiting_kinds(row, player) if row.kind == "match" else [row.kind]:
                if kind not in ("rule", "refused") and len(found.get(player, ())) < MAX_ROWS:
                    found.setdefault(player, []).append(_task(row, kind))
    return found


def _task(row: WaitingRow, kind: str) -> GuestTask:
    what, route = KINDS[kind]
    url = reverse("campaigns:match" if row.kind == "match" else route, args=[UUID(row.ref)])
    return GuestTask(what=what, about=f"{row.a} – {row.b}, {row.where}", due=row.due, url=url)


def _link(row: GuestLink | None) -> GuestLinkRow | None:
    if row is None:
        return None
    return GuestLinkRow(
        is_open=row.is_open, expires_at=row.expires_at, used_at=row.used_at, is_ended=row.ended_at is not None
    )
