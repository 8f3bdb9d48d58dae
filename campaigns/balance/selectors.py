"""The balance of a game, for its page, its spreadsheet and the API. A fixed number of queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from battles.selectors.matrix import matrix_page, matrix_published
from campaigns.balance.counting import MAX_MATCHES, MIN_SIDES, ResidualTable, read_odds, read_tables
from campaigns.insights.tables import Table
from campaigns.models import BalanceReport
from systems import ROSTERS, roster_rules


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
