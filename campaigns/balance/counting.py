"""Residuals: the results of matches minus the chances their odds gave. No database access; see docs/balance.md.

If the odds are right, residuals average 0. The interval holds the true residual in 95 of 100 cases. It is as wide as
the odds themselves predict or as the results are spread, whichever is wider.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypedDict

from campaigns.insights.tables import Z95, Battle, Cell, SideResult, Table, build_calibration

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
    """Adds up matches one by one."""

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
            ("role", "By side", "each side’s", self.roles),
            ("scenario", "By scenario", "the attacker’s", self.scenarios),
            ("design", "By design", "of sides that brought it against one that did not", self.designs),
            ("weapon", "By weapon", "of sides that brought it against one that did not", self.weapons),
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
    return Table(slug="odds", title="Real matches and their odds", of="attacker’s score", cells=cells)


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
        shown = (cell.share, expected, cell.share - expected, cell.low - expected, cell.high - expected)
        yield (odds.slug, cell.label, cell.number, *(round(each, 6) for each in shown))
    for table in tables:
        for line in table.lines:
            shown = (line.score, line.chance, line.residual, line.low, line.high)
            yield (table.slug, line.label, line.number, *(round(each, 6) for each in shown))


def _lines(sums: Mapping[str, _Sum]) -> tuple[ResidualRow, ...]:
    often = sorted(sums.items(), key=lambda each: (-each[1].number, each[0]))
    return tuple(found.line(label) for label, found in often[:MAX_LINES])


def _to_battle(fact: MatchResult) -> Battle:
    sides: Sequence[SideResult] = (
        SideResult(player="", role="Attacker", doctrine="", score=fact.score, chance=fact.chance, units=()),
        SideResult(player="", role="Defender", doctrine="", score=1 - fact.score, chance=1 - fact.chance, units=()),
    )
    return Battle(system="", is_open=True, scenario=fact.scenario, ground="", sides=(sides[0], sides[1]))
