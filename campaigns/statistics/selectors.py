"""Statistics of a club for their page, from matches that are cached in this process until one of them changes."""

from __future__ import annotations

import json
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from typing import Any, Literal, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.fields.json import KeyTransform

from campaigns import policy
from campaigns.models import Club, Match, MatchState
from campaigns.policy import Reader
from campaigns.statistics.tables import (
    Battle,
    Luck,
    SideResult,
    Table,
    UnitResult,
    build_calibration,
    build_luck,
    build_tables,
)
from rosters.database.queries import PreparedQuery, columns
from rosters.models import player_display_name
from systems import ROSTERS, battle_rules, roster_rules
from systems.reading import spec_of, stored_setup

CACHE_SIZE = 100
MIN_MATCHES = 10  # of a game in a club, until its page shows tables
OWN_DESIGN = "custom design"
SCORES = {"attacker": 1.0, "draw": 0.5, "defender": 0.0}
ROLES: tuple[Literal["Attacker"], Literal["Defender"]] = ("Attacker", "Defender")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsTables:
    """Statistics of a club's matches in one game, of one player or everybody."""

    system: str
    system_name: str
    player: str  # username; empty: everybody
    player_name: str
    matches: int
    all_matches: int  # of the game in the club, also when one player is chosen
    with_odds: int
    luck: tuple[Luck, ...]
    odds: Table
    tables: tuple[Table, ...]
    systems: tuple[tuple[str, str], ...]
    players: tuple[tuple[str, str], ...]  # usernames and display names

    @property
    def min_matches(self) -> int:
        """How many matches of the game the page needs before it shows tables."""
        return MIN_MATCHES

    @property
    def has_enough(self) -> bool:
        return self.all_matches >= MIN_MATCHES

    @property
    def luck_named(self) -> tuple[tuple[str, Luck], ...]:
        """Luck with the players' display names."""
        names = dict(self.players)
        return tuple((names[each.player], each) for each in self.luck)


def club_statistics(club: Club, reader: Reader, *, system: str = "", player: str = "") -> StatisticsTables:
    """Return the statistics of the given game, or of the one played most."""
    is_member = policy.role_in(reader, club) is not None
    found = _cached_battles(club.pk)
    seen = [battle for battle in found.battles if is_member or battle.is_open]
    often = Counter(battle.system for battle in seen)
    game = system if system in often else next((slug for slug, _ in often.most_common(1)), "")
    battles = [battle for battle in seen if battle.system == game]
    names = {name: found.names[name] for battle in battles for name in (side.player for side in battle.sides)}
    own = player if player in names else ""
    return StatisticsTables(
        system=game,
        system_name=roster_rules(game).name if game else "",
        player=own,
        player_name=names.get(own, ""),
        matches=sum(own in ("", *(side.player for side in battle.sides)) for battle in battles),
        all_matches=len(battles),
        with_odds=sum(battle.sides[0].chance is not None for battle in battles),
        luck=build_luck(battles, own),
        odds=build_calibration(battles),
        tables=build_tables(battles, own),
        systems=tuple((slug, roster_rules(slug).name) for slug in ROSTERS if slug in often),
        players=tuple(sorted(names.items(), key=lambda each: each[1].casefold())),
    )


# --- parts ------------------------------------------------------------------------------------------------------------


class _Stamp(NamedTuple):
    """The facts that show whether a cached match is still current, and what may change without it."""

    key: UUID
    battle: UUID
    is_open: bool
    attacker: str
    attacker_name: str
    defender: str
    defender_name: str
    state: str
    outcome: str
    odds: int | None


class _Row(NamedTuple):
    key: UUID
    system: str
    terrain: str
    scenario: str
    setup: dict[str, Any]
    result: dict[str, Any]
    odds: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class _CacheEntry:
    stamps: tuple[_Stamp, ...] = ()
    battles: tuple[Battle, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)


_cache: OrderedDict[int, _CacheEntry] = OrderedDict()
_lock = Lock()


def _cached_battles(club: int) -> _CacheEntry:
    """Return the club's matches. One query if nothing has changed since the last call, two otherwise."""
    with _lock:
        known = _cache.get(club, _CacheEntry())
    stamps = tuple(STAMPS.rows(club=club))
    names = {each.attacker: each.attacker_name for each in stamps}
    names |= {each.defender: each.defender_name for each in stamps}
    if stamps != known.stamps:
        rows = {row.key: row for row in (ROWS.rows(club=club) if stamps else [])}
        battles = tuple(_battle(stamp, rows[stamp.key]) for stamp in stamps if stamp.key in rows)
        known = _CacheEntry(stamps, battles, names)
        with _lock:
            _cache[club] = known
            _cache.move_to_end(club)
            while len(_cache) > CACHE_SIZE:
                _cache.popitem(last=False)
    return known


def _battle(stamp: _Stamp, row: _Row) -> Battle:
    attacker = SCORES[stamp.outcome]
    chance = stored_chance(row.odds) if row.odds else None
    by_orders = stamp.state == MatchState.AUTO_RESOLVED
    return Battle(
        system=row.system,
        is_open=stamp.is_open,
        scenario=row.scenario,
        ground=battle_rules(row.system).ground_name(row.terrain),
        sides=(
            _side(row, 0, stamp.attacker, attacker, chance, by_orders=by_orders),
            _side(row, 1, stamp.defender, 1 - attacker, None if chance is None else 1 - chance, by_orders=by_orders),
        ),
    )


def stored_chance(odds: Mapping[str, Any]) -> float:
    """Return the attacker's chance by the odds stored with a match, a draw counted as half."""
    won, lost, runs = odds["attacker_wins"], odds["defender_wins"], odds["runs"]
    return float((won + (runs - won - lost) / 2) / runs)


def design_name(system: str, spec: Mapping[str, object]) -> str:
    """Return the name of the published design with this spec, or "custom design"."""
    return _published(system).get(_serialise_spec(spec), OWN_DESIGN)


def _side(row: _Row, at: int, player: str, score: float, chance: float | None, *, by_orders: bool) -> SideResult:
    rosters, battles, setup = roster_rules(row.system), battle_rules(row.system), stored_setup(row.setup)
    side = setup.sides[at]
    ends = {unit["key"]: unit for unit in row.result["units"]}
    units = []
    for unit in side.units:
        spec = spec_of(setup, unit.design)
        if unit.key not in ends or not spec:
            continue
        parsed = rosters.parse_spec(spec)
        level = str((unit.pilot or {}).get("experience", ""))
        units.append(
            UnitResult(
                design=design_name(row.system, spec),
                level=rosters.level_names.get(level, ""),
                arms=rosters.arms(parsed),
                is_lost=bool(ends[unit.key]["lost"]),
                kills=int(ends[unit.key].get("kills", 0)),
            )
        )
    doctrine = battles.doctrines.get(side.doctrine, side.doctrine) if by_orders else ""
    return SideResult(
        player=player, role=ROLES[at], doctrine=str(doctrine), score=score, chance=chance, units=tuple(units)
    )  # fmt: skip


@cache
def _published(system: str) -> dict[str, str]:
    """Return the names of the published designs by their serialised specs."""
    rules = roster_rules(system)
    return {_serialise_spec(rules.spec_json(design.spec)): design.name for design in rules.published.values()}


def _serialise_spec(spec: Mapping[str, object]) -> str:
    return json.dumps(spec, sort_keys=True)


def _decided_matches(club: int) -> QuerySet[Match]:
    fought = Match.objects.filter(round__campaign__club=club, state__in=MatchState.fought(), outcome__in=list(SCORES))
    fought = fought.filter(defender__isnull=False, setup__isnull=False, battle__result__isnull=False)
    return fought.order_by("pk")


def _stamps(club: int) -> QuerySet[Match, object]:
    rows = _decided_matches(club).annotate(
        kept=KeyTransform("runs", "odds"),
        attacker_name=player_display_name("attacker__company__owner"),
        defender_name=player_display_name("defender__company__owner"),
    )
    return rows.values_list(
        *columns(
            _Stamp,
            battle="battle__key",
            is_open="round__campaign__is_public",
            attacker="attacker__company__owner__username",
            defender="defender__company__owner__username",
            odds="kept",
        )
    )


def _rows(club: int) -> QuerySet[Match, object]:
    return _decided_matches(club).values_list(
        *columns(_Row, system="round__campaign__system", scenario="scenario_name", result="battle__result")
    )


STAMPS = PreparedQuery(_stamps, _Stamp, club=int)
ROWS = PreparedQuery(_rows, _Row, club=int)
