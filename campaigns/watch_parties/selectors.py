"""A watch party as its page, the club display and the API show it at this moment, by the server's clock.

Only this module decrypts the battle; everything that shows any of it goes through this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from typing import Literal

from django.db.models import QuerySet
from django.utils import timezone

from battles.replay.base import StepPage
from battles.replay.boards import BOARDS, BoardKind, ReplayBoard, board_of, record_so_far
from campaigns import policy
from campaigns.encryption import decrypt, encrypt
from campaigns.models import AbsentRule, CampaignState, Match, MatchState, RoundState, WatchParty
from campaigns.watch_party_holds import live_watch_party
from rosters.database.queries import PreparedQuery
from rosters.fragment_cache import render_fragment
from systems import battle_rules, roster_rules
from systems.setups import SIDE_LETTERS, Setup
from systems.simulation.analysis import RoundView, rounds_of
from systems.simulation.records import Record, read_record

ENCRYPTION_PURPOSE = "premieres"


def encrypt_record(record: Record) -> str:
    """Return the record encrypted, as the row keeps it."""
    return encrypt(record.text(), ENCRYPTION_PURPOSE)


def decrypt_record(party: WatchParty) -> Record | None:
    """Return the whole record, for the worker that decides the match; None if not simulated yet or its key is lost."""
    text = decrypt(party.record, ENCRYPTION_PURPOSE) if party.record else ""
    return read_record(text) if text else None


def count_visible_steps(party: WatchParty, now: datetime) -> int:
    """Return how many steps have been shown by then; 0 before it begins, and if it was called off."""
    if party.began_at is None or party.is_cancelled or now < party.began_at:
        return 0
    gone = (now - party.began_at) // timedelta(seconds=party.pace)
    return min(gone + 1, len(party.cuts))


def seconds_until_next(party: WatchParty, now: datetime) -> float:
    """Return the seconds until its beginning, its next step or its end; 0 if that is overdue."""
    if party.began_at is None:
        due = party.starts_at
    else:
        due = party.began_at + timedelta(seconds=party.pace) * max(1, count_visible_steps(party, now))
    return max(0.0, (due - now).total_seconds())


@dataclass(frozen=True)
class BattleSoFar:
    """The part of a battle that everybody may know at a step. It is built from nothing else."""

    step: int
    record: Record
    liveries: Mapping[str, str]  # colours of the companies, by side letter

    @cached_property
    def rounds(self) -> tuple[RoundView, ...]:
        return rounds_of(self.record)

    @cached_property
    def board(self) -> ReplayBoard | None:
        return board_of(self.record, self.rounds)

    @cached_property
    def map(self) -> StepPage | None:
        """Return the drawing at this step, the last one it has; None if the battle can't be drawn."""
        return self.board.page(self.step + 1, 0) if self.board else None

    @property
    def kind(self) -> BoardKind | None:
        return BOARDS[self.board.kind] if self.board else None

    @property
    def setup(self) -> Setup:
        return self.record.setup

    @property
    def hits(self) -> str:
        """Return the game's word for what units lose until they are destroyed."""
        return battle_rules(self.setup.system).hand.hits

    @property
    def boxes(self) -> str:
        return roster_rules(self.setup.system).words.boxes

    @property
    def sentences(self) -> Sequence[str]:
        """Return the events of this step in words."""
        lines = self.map.frame.lines if self.map else self.rounds[-1].steps[-1].lines
        return [line.sentence for line in lines]


def battle_so_far(party: WatchParty, now: datetime) -> BattleSoFar | None:
    """Return the battle as far as it has been shown by then; None before it begins and after it ends."""
    step = count_visible_steps(party, now)
    if not step or not party.record:
        return None
    return _build_battle_so_far(party.pk, party.record, party.cuts[step - 1], step, _side_colours(party.match))


@lru_cache(maxsize=8)
def _build_battle_so_far(
    party: int, text: str, events: int, step: int, liveries: tuple[tuple[str, str], ...]
) -> BattleSoFar | None:
    found = decrypt(text, ENCRYPTION_PURPOSE)
    return BattleSoFar(step, record_so_far(read_record(found), events), dict(liveries)) if found else None


def _side_colours(match: Match) -> tuple[tuple[str, str], ...]:
    sides = zip(SIDE_LETTERS, (match.attacker, match.defender), strict=True)
    return tuple((letter, side.company.colour) for letter, side in sides if side is not None)


State = Literal["soon", "on", "ending"]
DISPLAY_LEAD_TIME = timedelta(hours=1)  # before it begins


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchPartyRow:
    """An upcoming or running watch party at one moment."""

    state: State
    match: str
    sides: tuple[tuple[str, str], ...]  # letter and company
    at: datetime
    begun_at: datetime | None
    pace: int
    minutes_late: int
    is_overdue: bool  # its time has passed, and it hasn't begun
    is_cancelled: bool
    battle: BattleSoFar | None
    next_ms: int  # until there is more to show

    @property
    def step(self) -> int:
        return self.battle.step if self.battle else 0


def watch_party_row(party: WatchParty, now: datetime | None = None) -> WatchPartyRow:
    """Return the watch party at that moment; now if none is given."""
    now = now or timezone.now()
    match = party.match
    is_running = party.ends_at is None or now < party.ends_at
    state: State = (
        "soon" if count_visible_steps(party, now) == 0 and not party.is_cancelled else "on" if is_running else "ending"
    )
    if party.is_cancelled:
        state = "ending"
    sides = [side.company.name for side in (match.attacker, match.defender) if side is not None]
    return WatchPartyRow(
        state=state,
        match=str(match),
        sides=tuple(zip(SIDE_LETTERS, sides, strict=False)),
        at=party.starts_at,
        begun_at=party.began_at,
        pace=party.pace,
        minutes_late=party.minutes_late,
        is_overdue=party.began_at is None and now >= party.starts_at + WatchParty.LATE,
        is_cancelled=party.is_cancelled,
        battle=battle_so_far(party, now),
        next_ms=round(seconds_until_next(party, now) * 1000),
    )


def render_stage(row: WatchParty, party: WatchPartyRow, where: str = "page") -> str:
    """Return the HTML of the stage at this step; empty before the first step and after the last.

    It is cached: it is the same for all readers and changes only with the companies' colours. `where`: page or wall.
    """
    if party.battle is None or party.battle.map is None:
        return ""
    context = {
        "battle": party.battle,
        "map": party.battle.map,
        "page": party.battle,
        "state": party.state,
        "rulebook": roster_rules(party.battle.setup.system).rulebook,
        "hits": party.battle.hits,
        "boxes": party.battle.boxes,
        "where": where,
    }
    liveries = tuple(party.battle.liveries.items())
    shows = (row.pk, row.began_at, party.step, party.state, where, liveries)
    return render_fragment("campaigns/_watch_party_stage.html", *shows, context=lambda: context)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchPartyNote:
    """The watch party on the page of a match, and what its reader can do about it."""

    watch_party: WatchParty | None  # upcoming or running
    may_announce: bool
    ended: str  # why the last one wasn't shown to its end; for those who may announce another


def watch_party_note(match: Match, rights: policy.Rights) -> WatchPartyNote | None:
    """Return the note on a match's watch party for a reader with these rights; None if there is nothing to say."""
    live, last = live_watch_party(match), getattr(match, "watch_party", None)
    campaign = match.round.campaign
    may = (
        match.state in MatchState.awaiting_reports()
        and match.defender is not None
        and match.round.state != RoundState.PLANNED
        and campaign.state == CampaignState.RUNNING
        and campaign.absent_rule == AbsentRule.ORDERS
        and rights.may_run
    )
    if live is None and not may:
        return None
    ended = (last.ended or last.failure) if may and live is None and last is not None else ""
    return WatchPartyNote(watch_party=live, may_announce=may, ended=ended)


def _on_displays(club: int, until: datetime) -> QuerySet[WatchParty]:
    rows = WatchParty.objects.filter(
        match__round__campaign__club=club,
        match__round__campaign__state=CampaignState.RUNNING,
        status__in=WatchParty.LIVE,
        is_cancelled=False,
        starts_at__lte=until,
    )
    sides = ("match__attacker__company", "match__defender__company")
    return rows.select_related(*sides, "match__round__campaign").order_by("starts_at")[:3]


DISPLAY_WATCH_PARTIES = PreparedQuery(_on_displays, club=int, until=datetime)


def watch_parties_on_display(club: int, now: datetime) -> list[tuple[WatchParty, WatchPartyRow]]:
    """Return a club's watch parties that are running or begin within the hour; one query."""
    return [
        (row, watch_party_row(row, now)) for row in DISPLAY_WATCH_PARTIES.rows(club=club, until=now + DISPLAY_LEAD_TIME)
    ]
