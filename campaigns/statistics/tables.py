"""Tables from played matches: results by several criteria, luck, and how well the odds predicted. Pure.

Each share has its 95 % Wilson interval and its number of cases; if odds were stored, also the expected share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from systems.simulation.summary import Share, share

CHANCE_RANGES = ((0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.0))  # ranges of the attacker's chance
Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """A unit of a side, and how it fared."""

    design: str
    level: str  # of its pilot, in words; empty: none
    arms: tuple[str, ...]
    is_lost: bool
    kills: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SideResult:
    """A side of a match: its result, and what was expected."""

    player: str
    role: Literal["Attacker", "Defender"]
    doctrine: str  # AI style in words; empty: played by people
    score: float  # 1, 0.5 or 0
    chance: float | None  # expected score by the odds; None: not stored
    units: tuple[UnitResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Battle:
    """A played match."""

    system: str
    is_open: bool  # visible to non-members
    scenario: str
    ground: str
    sides: tuple[SideResult, SideResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A line of a table: the share of its cases with its interval, and the expected share of those with odds."""

    label: str
    number: int
    share: float
    low: float
    high: float
    expected: float | None = None
    expected_of: int = 0  # cases with odds
    mean: float | None = None  # kills per unit and match

    @property
    def is_few(self) -> bool:
        """Whether there are too few cases to say much."""
        return self.high - self.low > 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of results: its name, what its shares are of, and its lines, most frequent first."""

    slug: str
    title: str
    of: str
    cells: tuple[Cell, ...]
    counts_kills: bool = False

    @property
    def has_odds(self) -> bool:
        """Whether any line has odds to compare with."""
        return any(cell.expected is not None for cell in self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck:
    """A player's score over a season, the score the odds expected in the same matches, and its spread."""

    player: str
    matches: int
    scored: float
    expected: float
    spread: float  # one standard deviation of the score of that many matches, by chance alone

    @property
    def over(self) -> float:
        return self.scored - self.expected

    @property
    def is_clear(self) -> bool:
        """Whether the difference is larger than chance alone brings in 95 of 100 seasons."""
        return abs(self.over) > Z95 * self.spread > 0


def build_tables(battles: Sequence[Battle], player: str = "") -> tuple[Table, ...]:
    """Return all tables of results, of one player or everybody, without empty ones."""
    sides = [(battle, side) for battle in battles for side in battle.sides if player in ("", side.player)]
    units = [(battle, side, unit) for battle, side in sides for unit in side.units]
    made = [
        *(
            _of_sides(slug, title, [(of(battle, side), side) for battle, side in sides])
            for slug, title, of in SIDE_TABLES
        ),
        _of_units("level", "By pilot level", ((unit.level, unit) for _, _, unit in units)),
        _of_units("weapon", "By weapon", ((arm, unit) for _, _, unit in units for arm in dict.fromkeys(unit.arms))),
        _of_units("design", "By design", ((unit.design, unit) for _, _, unit in units)),
    ]
    return tuple(table for table in made if table.cells)


SIDE_TABLES: tuple[tuple[str, str, Callable[[Battle, SideResult], str]], ...] = (
    ("role", "By side", lambda battle, side: side.role),
    ("ground", "By terrain", lambda battle, side: battle.ground),
    ("scenario", "By scenario and side", lambda battle, side: f"{battle.scenario}, {side.role.casefold()}"),
    ("doctrine", "By AI style (simulated matches)", lambda battle, side: side.doctrine),
)


def build_calibration(battles: Iterable[Battle]) -> Table:
    """Return how often attackers scored, by their chance in the odds: how good the odds are."""
    attackers = [battle.sides[0] for battle in battles if battle.sides[0].chance is not None]
    cells = []
    for low, high in CHANCE_RANGES:
        own = [side for side in attackers if low <= (side.chance or 0) < high or (high == 1.0 and side.chance == 1.0)]
        if own:
            cells.append(_cell(f"{low:.0%} to {high:.0%}", own))
    return Table(slug="odds", title="How good were the odds?", of="attacker’s score", cells=tuple(cells))


def build_luck(battles: Iterable[Battle], player: str = "") -> tuple[Luck, ...]:
    """Return everybody's luck in matches with odds, luckiest first."""
    own: dict[str, list[SideResult]] = {}
    for battle in battles:
        for side in battle.sides:
            if side.chance is not None and player in ("", side.player):
                own.setdefault(side.player, []).append(side)
    found = [
        Luck(
            player=name,
            matches=len(sides),
            scored=sum(side.score for side in sides),
            expected=math.fsum(side.chance or 0.0 for side in sides),
            spread=math.sqrt(math.fsum((side.chance or 0.0) * (1 - (side.chance or 0.0)) for side in sides)),
        )
        for name, sides in own.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.over, each.player)))


def table_csv_rows(tables: Iterable[Table]) -> Iterator[tuple[str | int | float | None, ...]]:
    """Yield all lines of all tables for a spreadsheet; the first row names the columns."""
    yield "table", "what", "number", "share", "low", "high", "expected", "with_odds", "kills_a_match"
    for table in tables:
        for cell in table.cells:
            yield (
                table.slug, cell.label, cell.number, round(cell.share, 6), round(cell.low, 6), round(cell.high, 6),
                None if cell.expected is None else round(cell.expected, 6), cell.expected_of,
                None if cell.mean is None else round(cell.mean, 6),
            )  # fmt: skip


def _of_sides(slug: str, title: str, sides: Iterable[tuple[str, SideResult]]) -> Table:
    groups: dict[str, list[SideResult]] = {}
    for label, side in sides:
        if label:
            groups.setdefault(label, []).append(side)
    cells = sorted((_cell(label, own) for label, own in groups.items()), key=_by_frequency)
    return Table(slug=slug, title=title, of="wins (draw = half)", cells=tuple(cells))


def _cell(label: str, sides: Sequence[SideResult]) -> Cell:
    found = _share(sum(side.score for side in sides), len(sides))
    chances = [side.chance for side in sides if side.chance is not None]
    return Cell(
        label=label,
        number=len(sides),
        share=found.share,
        low=found.low,
        high=found.high,
        expected=math.fsum(chances) / len(chances) if chances else None,
        expected_of=len(chances),
    )


def _of_units(slug: str, title: str, units: Iterable[tuple[str, UnitResult]]) -> Table:
    groups: dict[str, list[UnitResult]] = {}
    for label, unit in units:
        if label:
            groups.setdefault(label, []).append(unit)
    cells = []
    for label, own in groups.items():
        found = share(sum(not unit.is_lost for unit in own), len(own))
        cells.append(
            Cell(
                label=label,
                number=len(own),
                share=found.share,
                low=found.low,
                high=found.high,
                mean=sum(unit.kills for unit in own) / len(own),
            )
        )
    return Table(
        slug=slug, title=title, of="survived", cells=tuple(sorted(cells, key=_by_frequency)), counts_kills=True
    )


def _by_frequency(cell: Cell) -> tuple[int, str]:
    return -cell.number, cell.label


def _share(scored: float, number: int) -> Share:
    """Return the share of whole and half victories.

    Its interval spans those of the two neighbouring whole numbers.
    """
    low, high = share(math.floor(scored), number), share(math.ceil(scored), number)
    return Share(math.floor(scored), scored / number, low.low, high.high)
