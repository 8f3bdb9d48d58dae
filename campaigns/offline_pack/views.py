"""The offline pack: pages of matches, sheets, units and rules that a phone stores for an evening without a network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace
from uuid import UUID

from django.contrib.auth import get_user
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from battles.live.selectors import seat_found
from battles.models import LiveSeat
from battles.view_helpers import actor_of
from campaigns.models import CampaignState, Match, MatchState, RoundState
from campaigns.policy import sides_of
from rosters.accounts.adapter import FactorAdapter
from rosters.accounts.backends import SessionStore
from rosters.jobs import JobStatus
from rosters.models import Company, Player, PrintJob, Unit, UnitStatus
from systems import roster_rules
from systems.scenarios import SIDES

MAX_MATCHES = 6
MAX_SEATS = 8
MAX_UNITS = 60
MAX_PRINTS = 4
PRINTS_SINCE = timedelta(days=14)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page to be stored."""

    url: str
    label: str
    seat: str = ""  # of a sheet at the table: its key, and the page that prepares rolls for it
    ahead: str = ""
    crests: tuple[tuple[str, str], ...] = ()  # code and name of the companies it is about
    is_under: bool = False  # belongs to the match or company above it


@dataclass(frozen=True, slots=True, kw_only=True)
class PageGroup:
    title: str
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflinePack:
    """The pages to store, in groups; empty groups are left out."""

    groups: tuple[PageGroup, ...]
    has_print: bool
    print_url: str  # where to print the next match's cards and quick reference; empty without one


def offline_pack(reader: Player | None, seat: LiveSeat | None) -> OfflinePack:
    """Return the reader's offline pack; for a visitor it is the sheet they sit at, and the rules of its game."""
    matches = list(_matches(reader)) if reader else []
    seats = list(_seats(reader)) if reader else []
    if seat is not None and seat.pk not in {each.pk for each in seats}:
        seats.append(seat)
    prints = list(_prints(reader)) if reader else []
    systems = [match.round.campaign.system for match in matches] + [each.table.system for each in seats]
    groups = (
        PageGroup(title="Matches", pages=tuple(_match_pages(reader, matches))),
        PageGroup(title="Tables", pages=tuple(_seat_pages(seats))),
        PageGroup(title="Companies and units", pages=tuple(_unit_pages(reader, matches))),
        PageGroup(title="Printed cards and quick reference", pages=tuple(_print_pages(prints))),
        PageGroup(title="Rules", pages=tuple(_rule_pages(dict.fromkeys(systems)))),
    )
    return OfflinePack(
        groups=tuple(group for group in groups if group.pages),
        has_print=bool(prints),
        print_url=reverse("campaigns:print_packet", args=[matches[0].key]) if matches else "",
    )


def _matches(reader: Player) -> QuerySet[Match]:
    own = Q(attacker__company__owner=reader) | Q(defender__company__owner=reader)
    rows = Match.objects.filter(
        own,
        state__in=MatchState.undecided(),
        defender__isnull=False,
        round__state=RoundState.OPEN,
        round__campaign__state=CampaignState.RUNNING,
    )
    rows = rows.select_related("round__campaign", "attacker__company", "defender__company")
    return rows.order_by(F("round__deadline").asc(nulls_last=True), "pk")[:MAX_MATCHES]


def _seats(reader: Player) -> QuerySet[LiveSeat]:
    rows = LiveSeat.objects.filter(player=reader, is_closed=False, table__ended_at=None).select_related("table")
    return rows.order_by("-table__touched_at")[:MAX_SEATS]


def _prints(reader: Player) -> QuerySet[PrintJob]:
    since = timezone.now() - PRINTS_SINCE
    rows = PrintJob.objects.filter(asked_by=reader, status=JobStatus.DONE, ended_at__gte=since).exclude(file="")
    return rows.only("key", "title").order_by("-pk")[:MAX_PRINTS]


def _match_pages(reader: Player | None, matches: Iterable[Match]) -> Iterator[Page]:
    for match in matches:
        crests = tuple(_crest(side.company) for side in (match.attacker, match.defender) if side)
        yield Page(url=reverse("campaigns:match", args=[match.key]), label=str(match), crests=crests)
        if match.setup is None:
            continue
        sides = sides_of(reader, match) if reader else ()
        report = reverse("campaigns:match_report", args=[match.key])
        for side in sides:
            company = (match.attacker, match.defender)[side]
            assert company is not None
            as_whom = f" as {company.company.name}" if len(sides) == 2 else ""
            query = f"?side={SIDES[side]}" if len(sides) == 2 else ""
            label = f"Report of {match}{as_whom}"
            yield Page(url=report + query, label=label, is_under=True)


def _seat_pages(seats: Iterable[LiveSeat]) -> Iterator[Page]:
    for seat in seats:
        sheet, ahead = (reverse(f"battles:{name}", args=[seat.key]) for name in ("seat", "seat-prepare-rolls"))
        is_open = seat.table.ended_at is None
        yield Page(url=sheet, label=seat.table.title, seat=str(seat.key), ahead=ahead if is_open else "")


def _unit_pages(reader: Player | None, matches: Iterable[Match]) -> Iterator[Page]:
    enrolled = [side.company for match in matches for side in (match.attacker, match.defender) if side]
    own = {company.pk: company for company in enrolled if company.owner_id == getattr(reader, "pk", None)}
    rows = Unit.objects.filter(company__in=own, status=UnitStatus.READY).order_by("company", "pk")
    units: dict[int, list[Page]] = {pk: [] for pk in own}
    for pk, company_pk, name in rows.values_list("pk", "company", "name")[:MAX_UNITS]:
        units[company_pk].append(Page(url=reverse("rosters:unit", args=[company_pk, pk]), label=name, is_under=True))
    for pk, company in own.items():
        yield Page(url=reverse("rosters:company", args=[pk]), label=company.name, crests=(_crest(company),))
        yield from units[pk]


def _crest(company: Company) -> tuple[str, str]:
    return company.emblem, company.name


def _print_pages(prints: Iterable[PrintJob]) -> Iterator[Page]:
    for job in prints:
        yield Page(url=reverse("rosters:print-file", args=[job.key]), label=f"{job.title} (PDF)")


def _rule_pages(systems: Iterable[str]) -> Iterator[Page]:
    for system in systems:
        label = f"Rules of {roster_rules(system).name}"
        yield Page(url=reverse("rosters:rules", args=[system]), label=label)


@require_GET
def offline_pack_page(request: HttpRequest) -> HttpResponse:
    """List the pages to store for the matches ahead; `?seat=` adds the sheet that the reader came from.

    A browser that was closed asks by `?ticket=` whether it may keep its pack: 204, or 410 once its sign-in has ended.
    """
    if ticket := request.GET.get("ticket"):
        return HttpResponse(status=204 if _is_signed_in(ticket) else 410, headers={"Cache-Control": "no-store"})
    reader = actor_of(request)
    packet = offline_pack(reader, _seat(request.GET.get("seat", ""), reader))
    context = {"packet": packet, "until": _until(request), "ticket": _ticket(request)}
    return render(request, "campaigns/offline_pack.html", context)


def _ticket(request: HttpRequest) -> str:
    """Return the session as an encrypted text; empty for a visitor."""
    key = request.session.session_key if request.user.is_authenticated else ""
    return FactorAdapter().encrypt(key) if key else ""


def _is_signed_in(ticket: str) -> bool:
    """Return whether the session that stored a pack is still valid: neither expired nor ended by its owner."""
    try:
        session = SessionStore(FactorAdapter().decrypt(ticket))
    except ValueError:
        return False
    return get_user(SimpleNamespace(session=session)).is_authenticated  # type: ignore[arg-type]


def _until(request: HttpRequest) -> str:
    """Return when the reader's sign-in and their pack end; for a visitor, as if signed in now."""
    session = request.session
    return session.get_expiry_date(modification=timezone.now()).isoformat(timespec="seconds")


def _seat(text: str, reader: object) -> LiveSeat | None:
    try:
        return seat_found(UUID(text), reader)
    except ValueError:
        return None
