"""Balance of a game: real results of all clubs minus the win chances from their odds, read and recalculated.

If the odds are right, residuals average 0. The interval holds the true residual in 95 of 100 cases. It is as wide as
the odds themselves predict or as the results are spread, whichever is wider. The timer recalculates a game if its open
matches have changed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.utils import timezone

from battles.odds.matrices import matrix_page, matrix_published
from campaigns import policy
from campaigns.models import BalanceReport, Match, MatchState
from campaigns.statistics.selectors import SCORES, design_name, stored_chance
from campaigns.statistics.tables import Z95, Battle, Cell, SideResult, Table, build_calibration
from rosters.database.queries import columns
from rosters.site.heartbeats import skip_unreadable
from systems import ROSTERS, battle_rules, roster_rules
from systems.reading import spec_of, stored_setup

MIN_SIDES = 10  # a line with fewer sides shows next to nothing
MAX_LINES = 100  # of a table
MAX_MATCHES = 10_000  # newest matches of a game that are used


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A match: the attacker's chance by its odds, their score, and what both sides brought."""

    scenario: str
    chance: float
    score: float  # 1, 0.5 or 0
    designs: tuple[frozenset[str], frozenset[str]]
    weapons: tuple[frozenset[str], frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResidualRow:
    """A line of a table of residuals: number of sides, their score and chance, and the difference with its interval."""

    label: str
    number: int
    score: float
    chance: float
    residual: float
    low: float
    high: float

    @property
    def is_few(self) -> bool:
        return self.number < MIN_SIDES

    @property
    def is_clear(self) -> bool:
        """Whether the residual is too large to be chance alone."""
        return not self.is_few and not self.low <= 0 <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class ResidualTable:
    slug: str
    title: str
    of: str  # the sides they are about
    lines: tuple[ResidualRow, ...]  # most frequent first


class StoredBalance(TypedDict):
    """The stored balance of a game, as JSON values."""

    matches: int
    clubs: int
    campaigns: int
    is_cut: bool  # older matches were left out
    odds: list[dict[str, Any]]  # cells of the calibration
    tables: list[dict[str, Any]]


@dataclass(slots=True)
class _Sum:
    """Sums over the sides of a line."""

    number: int = 0
    score: float = 0.0
    chance: float = 0.0
    squares: float = 0.0  # of residuals
    spread: float = 0.0  # variance of the score by chance alone

    def add(self, score: float, chance: float) -> None:
        self.number += 1
        self.score += score
        self.chance += chance
        self.squares += (score - chance) ** 2
        self.spread += chance * (1 - chance)

    def line(self, label: str) -> ResidualRow:
        mean = (self.score - self.chance) / self.number
        seen = max(0.0, self.squares - self.number * mean**2)
        seen *= self.number / (self.number - 1) if self.number > 1 else 0.0
        off = Z95 * math.sqrt(max(self.spread, seen)) / self.number
        return ResidualRow(
            label=label,
            number=self.number,
            score=self.score / self.number,
            chance=self.chance / self.number,
            residual=mean,
            low=max(-1.0, mean - off),
            high=min(1.0, mean + off),
        )


@dataclass(slots=True)
class BalanceCounter:
    """A sum of matches for the tables, added one by one."""

    matches: int = 0
    roles: dict[str, _Sum] = field(default_factory=dict)
    scenarios: dict[str, _Sum] = field(default_factory=dict)
    designs: dict[str, _Sum] = field(default_factory=dict)
    weapons: dict[str, _Sum] = field(default_factory=dict)
    played: list[Battle] = field(default_factory=list)

    def add(self, fact: MatchResult) -> None:
        self.matches += 1
        sides = ((fact.score, fact.chance), (1 - fact.score, 1 - fact.chance))
        for role, side in zip(("Attacker", "Defender"), sides, strict=True):
            self.roles.setdefault(role, _Sum()).add(*side)
        self.scenarios.setdefault(fact.scenario, _Sum()).add(*sides[0])
        for sums, brought in ((self.designs, fact.designs), (self.weapons, fact.weapons)):
            for at, side in enumerate(sides):
                for label in brought[at] - brought[1 - at]:  # what both bring makes no difference
                    sums.setdefault(label, _Sum()).add(*side)
        self.played.append(_to_battle(fact))

    @property
    def tables(self) -> tuple[ResidualTable, ...]:
        made = (
            ("role", "By side", "by side", self.roles),
            ("scenario", "By scenario", "for the attacker", self.scenarios),
            ("design", "By design", "for sides with it against sides without it", self.designs),
            ("weapon", "By weapon", "for sides with it against sides without it", self.weapons),
        )
        return tuple(
            ResidualTable(slug=slug, title=title, of=of, lines=_lines(sums)) for slug, title, of, sums in made if sums
        )

    def sheet(self, *, clubs: int, campaigns: int, is_cut: bool) -> StoredBalance:
        return StoredBalance(
            matches=self.matches,
            clubs=clubs,
            campaigns=campaigns,
            is_cut=is_cut,
            odds=[asdict(cell) for cell in build_calibration(self.played).cells],
            tables=[asdict(table) for table in self.tables],
        )


def read_odds(sheet: Mapping[str, Any]) -> Table:
    """Return the calibration table of a stored sheet."""
    cells = tuple(Cell(**each) for each in sheet["odds"])
    return Table(slug="odds", title="How good were the odds?", of="attacker’s score", cells=cells)


def read_tables(sheet: Mapping[str, Any]) -> tuple[ResidualTable, ...]:
    """Return the tables of residuals of a stored sheet."""
    return tuple(
        ResidualTable(**{**each, "lines": tuple(ResidualRow(**line) for line in each["lines"])})
        for each in sheet["tables"]
    )


def residual_csv_rows(odds: Table, tables: Iterable[ResidualTable]) -> Iterator[tuple[str | int | float | None, ...]]:
    """Yield all lines of all tables for a spreadsheet; the first row names the columns."""
    yield "table", "what", "number", "score", "chance", "residual", "low", "high"
    for cell in odds.cells:  # their interval is of the score, not of the residual
        expected = cell.expected or 0.0
        numbers = (cell.share, expected, cell.share - expected, cell.low - expected, cell.high - expected)
        yield (odds.slug, cell.label, cell.number, *(round(each, 6) for each in numbers))
    for table in tables:
        for line in table.lines:
            numbers = (line.score, line.chance, line.residual, line.low, line.high)
            yield (table.slug, line.label, line.number, *(round(each, 6) for each in numbers))


def _lines(sums: Mapping[str, _Sum]) -> tuple[ResidualRow, ...]:
    often = sorted(sums.items(), key=lambda each: (-each[1].number, each[0]))
    return tuple(found.line(label) for label, found in often[:MAX_LINES])


def _to_battle(fact: MatchResult) -> Battle:
    sides: Sequence[SideResult] = (
        SideResult(player="", role="Attacker", doctrine="", score=fact.score, chance=fact.chance, units=()),
        SideResult(player="", role="Defender", doctrine="", score=1 - fact.score, chance=1 - fact.chance, units=()),
    )
    return Battle(system="", is_open=True, scenario=fact.scenario, ground="", sides=(sides[0], sides[1]))


@dataclass(frozen=True, slots=True, kw_only=True)
class BalancePage:
    """The results of real matches of a game compared with their odds."""

    system: str
    name: str
    counted_at: datetime | None  # None: not calculated yet
    matches: int
    clubs: int
    campaigns: int
    is_cut: bool  # older matches were left out
    odds: Table | None
    tables: tuple[ResidualTable, ...]
    matrix: str  # key of the published matchup matrix; empty if there is none
    in_matrix: Mapping[str, float]  # mean win share of each design in it, by name
    systems: tuple[tuple[str, str, int], ...]  # slug, name and matches of every game

    few = MIN_SIDES
    most = MAX_MATCHES


def balance_page(system: str) -> BalancePage:
    """Return the balance of that game; if none is given, of the game with the most matches. Three queries."""
    counts = dict(BalanceReport.objects.values_list("system", "matches"))
    game = system or max(ROSTERS, key=lambda slug: counts.get(slug, 0))
    row = BalanceReport.objects.filter(system=game).first()
    sheet = row.sheet if row is not None and row.matches else None
    matrix = matrix_published(game) if sheet else None
    rows = matrix_page(matrix).rows if matrix is not None else ()
    return BalancePage(
        system=game,
        name=roster_rules(game).name,
        counted_at=row.counted_at if row is not None else None,
        matches=row.matches if row is not None else 0,
        clubs=sheet["clubs"] if sheet else 0,
        campaigns=sheet["campaigns"] if sheet else 0,
        is_cut=bool(sheet and sheet["is_cut"]),
        odds=read_odds(sheet) if sheet else None,
        tables=read_tables(sheet) if sheet else (),
        matrix=str(matrix.key) if matrix is not None else "",
        in_matrix={each.name: each.mean for each in rows if each.mean is not None},
        systems=tuple((slug, roster_rules(slug).name, counts.get(slug, 0)) for slug in ROSTERS),
    )


CHUNK_SIZE = 200  # rows held in memory at a time
CALCULATION_VERSION = 1  # version of the calculation: raise it when the calculation changes
OTHER_TERMS, OWN_SCENARIO = ", modified", "custom scenario"


class _Row(NamedTuple):
    match: int
    club: int
    campaign: int
    scenario: str | dict[str, Any]
    outcome: str
    setup: dict[str, Any]
    odds: dict[str, Any]


def recalculate_balances() -> int:
    """Recalculate each game whose matches have changed, and return how many. Idempotent.

    A game without matches gets an empty row once, so that its page doesn't tell people to wait.
    """
    known = {row.system: row.seen for row in BalanceReport.objects.only("system", "seen")}
    seen = _fingerprints()
    for system in ROSTERS:
        if system not in known and system not in seen:
            with skip_unreadable(f"balance of {system}"):
                _recalculate(system, [])
    changed = [system for system in ROSTERS if known.get(system, []) != seen.get(system, [])]
    for system in changed:
        with skip_unreadable(f"balance of {system}"):
            _recalculate(system, seen.get(system, []))
    return len(changed)


def _recalculate(system: str, seen: list[object]) -> None:
    """Calculate the balance of that game from its newest matches, row by row."""
    count, clubs, campaigns = BalanceCounter(), set(), set()
    rows = _open_matches().filter(round__campaign__system=system).order_by("-decided_at", "-pk")
    wanted = rows.values_list(
        *columns(_Row, match="pk", club="round__campaign__club", campaign="round__campaign")
    )[:MAX_MATCHES]  # fmt: skip
    for values in wanted.iterator(chunk_size=CHUNK_SIZE):
        row = _Row._make(values)
        with skip_unreadable(f"match {row.match} in the balance"):
            if not row.odds.get("runs"):
                continue
            count.add(_match_result(system, row))
            clubs.add(row.club)
            campaigns.add(row.campaign)
    sheet = count.sheet(clubs=len(clubs), campaigns=len(campaigns), is_cut=rows.count() > MAX_MATCHES)
    report = {"seen": seen, "matches": count.matches, "sheet": sheet, "counted_at": timezone.now()}
    BalanceReport.objects.update_or_create(system=system, defaults=report)


def _fingerprints() -> dict[str, list[object]]:
    """Return values that show whether a game's matches have changed, by game. One query."""
    rows = _open_matches().values("round__campaign__system").order_by("round__campaign__system")
    grouped = rows.annotate(
        number=Count("pk"), first=Min("pk"), last=Max("pk"), sum=Sum("pk"), decided=Max("decided_at"),
        drawn=Count("pk", filter=Q(outcome="draw")), attackers=Count("pk", filter=Q(outcome="attacker")),
    )  # fmt: skip
    return {
        each["round__campaign__system"]: [
            CALCULATION_VERSION, each["number"], each["first"], each["last"], int(each["sum"]), each["drawn"], each["attackers"],
            each["decided"].isoformat() if each["decided"] else "",
        ]
        for each in grouped
    }  # fmt: skip


def _open_matches() -> QuerySet[Match]:
    """Return played matches with odds, of campaigns that everybody may read."""
    campaigns = policy.campaigns_open_to_all()
    fought = Match.objects.filter(
        campaigns, state__in=MatchState.fought(), outcome__in=list(SCORES), defender__isnull=False
    )
    return fought.filter(setup__isnull=False, odds__isnull=False)


def _match_result(system: str, row: _Row) -> MatchResult:
    setup, rules = stored_setup(row.setup), roster_rules(system)
    designs: list[frozenset[str]] = []
    weapons: list[frozenset[str]] = []
    for side in setup.sides:
        specs = [spec for unit in side.units if (spec := spec_of(setup, unit.design))]
        designs.append(frozenset(design_name(system, spec) for spec in specs))
        weapons.append(frozenset(arm for spec in specs for arm in rules.arms(rules.parse_spec(spec))))
    return MatchResult(
        scenario=_scenario_name(system, row.scenario),
        chance=stored_chance(row.odds),
        score=SCORES[row.outcome],
        designs=(designs[0], designs[1]),
        weapons=(weapons[0], weapons[1]),
    )


def _scenario_name(system: str, scenario: str | Mapping[str, Any]) -> str:
    """Return the name of a published scenario. Players' own scenarios share one line, as nobody else knows them."""
    published = battle_rules(system).scenarios
    if isinstance(scenario, str):
        return published.get(scenario, scenario)
    name = str(scenario.get("name", ""))
    return f"{name}{OTHER_TERMS}" if name in published.values() else OWN_SCENARIO
