"""A club night as its members see it: waiting companies, proposed games, and what the reader can answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from uuid import UUID

from django.urls import reverse
from django.utils import timezone

from battles.models import LiveSeat
from campaigns.models import Club, MatchmakingEntry, MatchmakingOffer, OfferState
from rosters.database.queries import PreparedQuery
from rosters.models import Company, Player
from systems import roster_rules

KEEP_ACCEPTED = timedelta(hours=12)  # how long an accepted game stays on the page
SIDE_NAMES = ("attacker", "defender")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyRow:
    """A company that waits for a game."""

    company: int
    name: str
    colour: str
    player: str
    system: str
    until: datetime
    is_yours: bool
    has_game: bool  # it has a proposed game to answer


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """A proposed game, accepted or waiting for an answer."""

    key: UUID
    attacker: str
    defender: str
    players: tuple[str, str]
    system: str
    scenario: str
    ground: str
    chance: float
    state: str
    expires_at: datetime
    accepted: tuple[str, ...]  # companies that have accepted
    may_answer: tuple[str, ...]  # "attacker", "defender": the reader's sides that haven't accepted yet
    table: str = ""  # path of its table: the reader's own seat, or the page for spectators


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubNightSheet:
    ready: tuple[ReadyRow, ...]
    proposed: tuple[GameRow, ...]
    accepted: tuple[GameRow, ...]
    companies: tuple[tuple[int, str], ...]  # the reader's that aren't waiting


def club_night_sheet(club: Club, reader: Player) -> ClubNightSheet:
    """Return the current state of the club night. Four queries."""
    now = timezone.now()
    games = [row for row in GAMES.rows(club=club.pk, since=now - KEEP_ACCEPTED) if row.state in SHOWN_STATES]
    proposed = [row for row in games if row.state == OfferState.PROPOSED and row.expires_at > now]
    busy = {pk for row in proposed for pk in (row.attacker_id, row.defender_id)}
    ready = tuple(_ready(row, reader, busy) for row in READY.rows(club=club.pk) if row.expires_at > now)
    waiting = {row.company for row in ready}
    seats = dict(SEATS.rows(player=reader.pk, club=club.pk))
    return ClubNightSheet(
        ready=ready,
        proposed=tuple(_game(row, reader) for row in proposed),
        accepted=tuple(_game(row, reader, seats) for row in games if row.state == OfferState.ACCEPTED),
        companies=tuple((row.pk, row.name) for row in OWN.rows(player=reader.pk) if row.pk not in waiting),
    )


def game_of(club: Club, key: UUID) -> MatchmakingOffer | None:
    """Return the game with that key, if it is one of this club."""
    return MatchmakingOffer.objects.filter(club=club, key=key).select_related("attacker", "defender", "club").first()


SHOWN_STATES = (OfferState.PROPOSED, OfferState.ACCEPTED)
READY = PreparedQuery(
    lambda club: MatchmakingEntry.objects.filter(club=club).select_related("company__owner").order_by("pk"), club=int
)
GAMES = PreparedQuery(
    lambda club, since: (
        MatchmakingOffer.objects.filter(club=club, created_at__gt=since)
        .select_related("attacker__owner", "defender__owner", "table")
        .order_by("-pk")
    ),
    club=int,
    since=datetime,
)
SEATS = PreparedQuery(
    lambda player, club: LiveSeat.objects.filter(player=player, table__even_game__club=club).values_list(
        "table", "key"
    ),
    player=int,
    club=int,
)
OWN = PreparedQuery(lambda player: Company.objects.filter(owner=player, disbanded_at=None).order_by("name"), player=int)


def _ready(row: MatchmakingEntry, reader: Player, busy: set[int]) -> ReadyRow:
    company = row.company
    return ReadyRow(
        company=company.pk,
        name=company.name,
        colour=company.colour,
        player=str(company.owner),
        system=roster_rules(company.system, company.catalogue_release).name,
        until=row.expires_at,
        is_yours=company.owner_id == reader.pk,
        has_game=company.pk in busy,
    )


def _game(row: MatchmakingOffer, reader: Player, seats: Mapping[int, UUID] = MappingProxyType({})) -> GameRow:
    sides = (row.attacker, row.defender)
    is_open = row.state == OfferState.PROPOSED
    return GameRow(
        key=row.key,
        attacker=row.attacker.name,
        defender=row.defender.name,
        players=(str(row.attacker.owner), str(row.defender.owner)),
        system=roster_rules(row.attacker.system).name,
        scenario=row.scenario_name,
        ground=row.ground,
        chance=row.chance,
        state=row.state,
        expires_at=row.expires_at,
        accepted=tuple(sides[at].name for at in row.accepted),
        may_answer=tuple(
            SIDE_NAMES[at]
            for at, side in enumerate(sides)
            if is_open and side.owner_id == reader.pk and at not in row.accepted
        ),
        table=_table(row, seats),
    )


def _table(row: MatchmakingOffer, seats: Mapping[int, UUID]) -> str:
    if row.table is None:
        return ""
    seat = seats.get(row.table.pk)
    return reverse("battles:seat", args=[seat]) if seat else reverse("battles:table-replay", args=[row.table.key])
