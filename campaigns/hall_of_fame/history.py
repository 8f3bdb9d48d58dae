"""Read a club's chronicle from the database and cache it in this process until something in it changes.

The cache is used only while the club's matches and the last entry of each of its ledgers are unchanged. Ledgers are
append-only, so only changed companies are read again, and nothing has to invalidate the cache.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KeyTransform

from battles.selectors.battle import MIN_BATTLES_FOR_LUCK
from campaigns.hall_of_fame.medals import Award, PlayedMatch, SideResult, StatLine, awards
from campaigns.hall_of_fame.records import Fallen, Hero, Record, fallen, heroes, records
from campaigns.models import Enrolment, Match, MatchState, Outcome, RoundState
from rosters.database.queries import PreparedQuery, columns
from rosters.entries.company import Fought, Kill
from rosters.entries.units_and_pilots import Died, Wounded, describe_loss
from rosters.models import Company, LedgerEntry, Visibility
from systems.text import full_name

CACHE_SIZE = 200
KINDS = (Fought.slug, Kill.slug, Died.slug, Wounded.slug)
WINNER = {Outcome.ATTACKER: 0, Outcome.DEFENDER: 1}


@dataclass(frozen=True)
class MatchHistory:
    """The decided matches of a club, in the order in which they count, and their medals.

    Heroes, records and fallen pilots are calculated on first use and cached with it.
    """

    games: tuple[PlayedMatch, ...] = ()
    awards: tuple[Award, ...] = ()

    def seen(self, *, by_member: bool) -> MatchHistory:
        """Return the part that the reader may see. Medals stay as calculated from all matches."""
        return self if by_member else self._open

    @cached_property
    def heroes(self) -> tuple[Hero, ...]:
        return heroes(self.games, self.awards)

    @cached_property
    def records(self) -> tuple[Record, ...]:
        return records(self.games)

    @cached_property
    def fallen(self) -> tuple[Fallen, ...]:
        return fallen(self.games)

    @cached_property
    def _open(self) -> MatchHistory:
        if all(game.is_open for game in self.games):
            return self
        return MatchHistory(
            tuple(game for game in self.games if game.is_open),
            tuple(award for award in self.awards if award.game.is_open),
        )


class _Company(NamedTuple):
    """A company of the club, with the last entry of its ledger."""

    pk: int
    name: str
    colour: str
    visibility: str
    last: int | None
    act: UUID | None


class _Match(NamedTuple):
    key: UUID
    campaign: int
    campaign_name: str
    is_open: bool
    round: int
    round_state: str
    table: int
    decided_at: datetime
    scenario: str
    place: str | None
    outcome: str
    attacker: int
    defender: int
    battle: UUID | None
    figures: dict[str, list[int]]
    runs: int | None
    odds: dict[str, int] | None
    kept_runs: int | None
    kept_attacker: int | None
    kept_defender: int | None


class _Entry(NamedTuple):
    pk: int
    company: int
    kind: str
    at: datetime
    facts: dict[str, Any]
    cause_ref: str
    unit: int | None
    unit_name: str | None
    pilot: int | None
    pilot_name: str | None
    callsign: str | None
    undone_by: int | None


@dataclass(frozen=True, slots=True)
class _CacheEntry:
    """The rows that were read, and the chronicle made from them."""

    companies: tuple[_Company, ...] = ()
    matches: tuple[_Match, ...] = ()
    entries: Mapping[int, tuple[_Entry, ...]] = field(default_factory=dict)  # by company
    chronicle: MatchHistory = MatchHistory()


_cache: OrderedDict[int, _CacheEntry] = OrderedDict()
_lock = Lock()


def match_history_of(club: int) -> MatchHistory:
    """Return the club's chronicle. Two queries if nothing has changed since the last call, else three."""
    with _lock:
        known = _cache.get(club, _CacheEntry())
    matches = tuple(MATCHES.rows(club=club))
    companies = tuple(COMPANIES.rows(club=club)) if matches else ()
    if (matches, companies) == (known.matches, known.companies):
        return known.chronicle
    stamps = {each.pk: each for each in known.companies}
    fresh = [each.pk for each in companies if stamps.get(each.pk) != each]
    found: dict[int, tuple[_Entry, ...]] = {
        each.pk: known.entries[each.pk] for each in companies if each.pk not in set(fresh)
    }
    found |= _entries(fresh) if fresh else {}
    games = _games(matches, {each.pk: each for each in companies}, found)
    made = _CacheEntry(companies, matches, found, MatchHistory(games, awards(games)))
    with _lock:
        _cache[club] = made
        _cache.move_to_end(club)
        while len(_cache) > CACHE_SIZE:
            _cache.popitem(last=False)
    return made.chronicle


def _entries(companies: Sequence[int]) -> dict[int, tuple[_Entry, ...]]:
    """Return the match entries of these ledgers.

    Reversed entries are included: others take their place in the order.
    """
    rows = LedgerEntry.objects.filter(company__in=companies, kind__in=KINDS).order_by("pk")
    found: dict[int, list[_Entry]] = {pk: [] for pk in companies}
    for row in rows.values_list(
        *columns(
            _Entry,
            at="created_at",
            unit_name="unit__name",
            pilot_name="pilot__name",
            callsign="pilot__callsign",
            undone_by="reversed_by",
        )
    ):
        entry = _Entry._make(row)
        found[entry.company].append(entry)
    return {pk: tuple(entries) for pk, entries in found.items()}


# --- from rows to matches ---------------------------------------------------------------------------------------------


def _games(
    matches: Iterable[_Match], companies: Mapping[int, _Company], entries: Mapping[int, Sequence[_Entry]]
) -> tuple[PlayedMatch, ...]:
    entries_by_game: dict[tuple[str, int], list[_Entry]] = {}
    times: dict[int, datetime] = {}
    for of_company in entries.values():
        for entry in of_company:
            times[entry.pk] = entry.at
            if entry.undone_by is None:
                entries_by_game.setdefault((entry.cause_ref, entry.company), []).append(entry)
    written = sorted(times)
    found = []
    for match in matches:
        sides = (match.attacker, match.defender)
        of_it = [entries_by_game.get((str(match.battle), company), []) for company in sides]
        places = [_place(entry) for entries_ in of_it for entry in entries_]
        first = min(places, default=0)
        before = bisect_right(written, first)  # an entry booked in another's place takes that one's date
        at = times[written[before - 1]] if before else match.decided_at
        game = PlayedMatch(
            match=match.key,
            campaign=match.campaign,
            campaign_name=match.campaign_name,
            is_open=match.is_open,
            round=match.round,
            is_over=match.round_state == RoundState.CLOSED,
            table=match.table,
            at=at,
            scenario=match.scenario,
            place=match.place or "",
            parts=(_part(companies[sides[0]], of_it[0]), _part(companies[sides[1]], of_it[1])),
            winner=WINNER.get(Outcome(match.outcome)),
            chances=_chances(match),
            points_lost=_points_lost(match),
        )
        found.append(((at, first), game))
    return tuple(game for _, game in sorted(found, key=lambda each: (*each[0], each[1].table, each[1].match)))


def _place(entry: _Entry) -> int:
    place = entry.facts.get("place", entry.pk)
    return place if isinstance(place, int) else entry.pk


def _chances(match: _Match) -> tuple[float, float] | None:
    if match.kept_runs and match.kept_attacker is not None and match.kept_defender is not None:
        return match.kept_attacker / match.kept_runs, match.kept_defender / match.kept_runs
    if not match.odds or not match.runs or match.runs < MIN_BATTLES_FOR_LUCK:
        return None
    return match.odds["attacker_wins"] / match.runs, match.odds["defender_wins"] / match.runs


def _points_lost(match: _Match) -> tuple[int, int]:
    destroyed = match.figures.get("destroyed_points") or (0, 0)
    return destroyed[1], destroyed[0]


def _part(company: _Company, entries: Iterable[_Entry]) -> SideResult:
    units: dict[tuple[int | None, int | None], dict[str, Any]] = {}
    fates: dict[int, dict[str, Any]] = {}
    for entry in sorted(entries, key=lambda each: (_place(each), each.pk)):
        if entry.kind in (Died.slug, Wounded.slug):
            fates.setdefault(entry.pilot or 0, {})["is_dead" if entry.kind == Died.slug else "is_hurt"] = True
        elif entry.unit is not None or entry.pilot is not None:
            # A unit bought for the match has no row: its pilot identifies it.
            key = (entry.unit, entry.pilot if entry.unit is None else None)
            name = entry.unit_name or str(entry.facts.get("in", ""))
            deeds = units.setdefault(key, {"unit": entry.unit, "unit_name": name})
            deeds["unit_name"] = deeds["unit_name"] or name
            _add(deeds, entry)
    return SideResult(
        company=company.pk,
        name=company.name,
        colour=company.colour,
        is_public=company.visibility == Visibility.PUBLIC,
        deeds=tuple(StatLine(**unit, **fates.get(unit.get("pilot") or 0, {})) for unit in units.values()),
    )


def _add(unit: dict[str, Any], entry: _Entry) -> None:
    if entry.pilot is not None:
        unit |= {"pilot": entry.pilot, "pilot_name": full_name(entry.pilot_name or "", entry.callsign or "")}
    if entry.kind == Kill.slug:
        unit["kills"] = unit.get("kills", 0) + int(entry.facts.get("count", 1))
        unit["victims"] = (*unit.get("victims", ()), *(entry.facts.get("victims") or ()))
    elif entry.facts.get("lost"):
        unit |= {"is_lost": True, "how": describe_loss(entry.facts, "to")}


# --- queries ----------------------------------------------------------------------------------------------------------


def _matches(club: int) -> QuerySet[Match, object]:
    rows = Match.objects.filter(
        round__campaign__club=club, state__in=MatchState.fought(), defender__isnull=False, decided_at__isnull=False
    ).exclude(outcome=Outcome.UNKNOWN)
    rows = rows.annotate(
        battle_odds=KeyTransform("battle", "forecast__counts"),
        kept_runs=KeyTransform("runs", "odds"),
        kept_attacker=KeyTransform("attacker_wins", "odds"),
        kept_defender=KeyTransform("defender_wins", "odds"),
    )
    return rows.order_by("pk").values_list(
        *columns(
            _Match,
            campaign="round__campaign",
            campaign_name="round__campaign__name",
            is_open="round__campaign__is_public",
            round="round__number",
            round_state="round__state",
            table="number",
            scenario="scenario_name",
            place="territory__name",
            attacker="attacker__company",
            defender="defender__company",
            battle="battle__key",
            runs="forecast__runs_done",
            odds="battle_odds",
        )
    )


def _companies(club: int) -> QuerySet[Company, object]:
    enrolled = Enrolment.objects.filter(campaign__club=club).values("company")
    newest = LedgerEntry.objects.filter(company=OuterRef("pk")).order_by("-pk")
    rows = Company.objects.filter(pk__in=enrolled).order_by("pk")
    rows = rows.annotate(last=Subquery(newest.values("pk")[:1]), act=Subquery(newest.values("act")[:1]))
    return rows.values_list(*columns(_Company))


MATCHES = PreparedQuery(_matches, _Match, club=int)
COMPANIES = PreparedQuery(_companies, _Company, club=int)
