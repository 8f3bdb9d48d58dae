"""What rows of older archives need to be read by this Muster.

A field that has come since gets its default by itself. What was renamed, went, or means something else now, a lift says:
it is named by the migration that changed the table, and is walked by rows of archives that were made before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from campaigns.results.imported_table import kills_as_figures

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Lift:
    """A change to rows. `since`: the migration, as "campaigns.0110_club_archives"."""

    since: str
    change: Callable[[str, Row], Row]  # table and row as the archive has it -> as it is read here


def field_gone(label: str, *names: str) -> Callable[[str, Row], Row]:
    """Rows of the table without these fields."""

    def change(table: str, row: Row) -> Row:
        return {name: value for name, value in row.items() if table != label or name not in names}

    return change


def field_renamed(label: str, before: str, after: str) -> Callable[[str, Row], Row]:
    """Rows of the table with another name for a field."""

    def change(table: str, row: Row) -> Row:
        return {after if table == label and name == before else name: value for name, value in row.items()}

    return change


def odds_as_they_were(table: str, row: Row) -> Row:
    """Campaigns that were begun before the switch had odds counted where they fought absent players' matches by orders."""
    if table != "campaigns.Campaign" or "counts_odds" in row:
        return row
    return row | {"counts_odds": row.get("state") == "draft" or row.get("absent_rule") == "orders"}


def points_as_they_were(table: str, row: Row) -> Row:
    """Seasons that nobody asked about it may have games of different points."""
    return {"points_may_differ": True, **row} if table == "campaigns.Season" else row


def kills_as_they_were(table: str, row: Row) -> Row:
    """Kills of imported results did not count in the standings."""
    if table != "campaigns.Match" or row.get("figures") or row.get("decided_by") != "import":
        return row
    past = row.get("past") or {}
    return row | {"figures": kills_as_figures(past.get("attacker_kills"), past.get("defender_kills"))}


KEPT_HOUSE_RULES = {
    "mech-campaign": {"heavy-limit": "half"},
    "hex-core": {"freeze-roll": "at-or-under", "two-handed": "both-hands"},
}


def house_rules_as_they_were(table: str, row: Row) -> Row:
    """Campaigns that had begun keep the house rules whose defaults have changed since."""
    if table != "campaigns.Campaign" or row.get("state") == "draft":
        return row
    return row | {"options": KEPT_HOUSE_RULES.get(row.get("system", ""), {}) | (row.get("options") or {})}


LIFTS: tuple[Lift, ...] = (  # the oldest first
    Lift("campaigns.0180_odds_of_their_own", odds_as_they_were),
    Lift("campaigns.0201_points_of_seasons", points_as_they_were),
    Lift("campaigns.0211_kills_of_imported_results", kills_as_they_were),
    Lift("campaigns.0220_kept_house_rules", house_rules_as_they_were),
)
