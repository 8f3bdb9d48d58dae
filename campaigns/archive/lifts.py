"""Upgrades that rows of older archives need before this Muster can read them.

A new field gets its default without an upgrade. Renamed, removed or redefined fields need a lift. It is named after
the migration that changed the table, and applies to rows of archives made before that migration. It gets the table's
present name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from campaigns.results.imported_table import kills_as_figures

OlderRow = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RowUpgrade:
    """An upgrade of rows. `since`: the migration, for example "campaigns.0110_club_archives"."""

    since: str
    change: Callable[[str, OlderRow], OlderRow]  # table and archived row -> upgraded row


def upgrade_odds(table: str, row: OlderRow) -> OlderRow:
    """Switch odds on for drafts and for campaigns that play absent players' matches by orders, as before the switch."""
    if table != "campaigns.Campaign" or "counts_odds" in row:
        return row
    return row | {"counts_odds": row.get("state") == "draft" or row.get("absent_rule") == "orders"}


def upgrade_season_points(table: str, row: OlderRow) -> OlderRow:
    """Let games of a season have different points if the archive doesn't say, as before there was a choice."""
    return {"points_may_differ": True, **row} if table == "campaigns.Season" else row


def upgrade_imported_kills(table: str, row: OlderRow) -> OlderRow:
    """Store the kills of imported results as figures, since they didn't count in the standings before."""
    if table != "campaigns.Match" or row.get("figures") or row.get("decided_by") != "import":
        return row
    past = row.get("past") or {}
    return row | {"figures": kills_as_figures(past.get("attacker_kills"), past.get("defender_kills"))}


KEPT_HOUSE_RULES = {
    "mech-campaign": {"heavy-limit": "half"},
    "hex-core": {"freeze-roll": "at-or-under", "two-handed": "both-hands"},
}


def upgrade_house_rules(table: str, row: OlderRow) -> OlderRow:
    """Keep the house rules of campaigns that had begun before the defaults changed."""
    if table != "campaigns.Campaign" or row.get("state") == "draft":
        return row
    return row | {"options": KEPT_HOUSE_RULES.get(row.get("system", ""), {}) | (row.get("options") or {})}


RENAMED_TABLES = {  # table -> its name in archives made before campaigns.0260 and rosters.0050
    "campaigns.ActivityLogEntry": "campaigns.DiaryEntry",
    "campaigns.ArbiterConsent": "campaigns.JudgeConsent",
    "campaigns.CatalogueUpgrade": "campaigns.ReleaseAdoption",
    "campaigns.ClubDisplay": "campaigns.Wall",
    "campaigns.CupEntrant": "campaigns.CupPlace",
    "campaigns.MatchPreparation": "campaigns.MatchMuster",
    "campaigns.MatchmakingOffer": "campaigns.EvenGame",
    "campaigns.Storyline": "campaigns.Arc",
    "campaigns.StorylineRole": "campaigns.ArcRole",
    "campaigns.StorylineRound": "campaigns.ArcRound",
    "campaigns.SubmittedList": "campaigns.MatchForce",
    "campaigns.WatchParty": "campaigns.Premiere",
    "rosters.Description": "rosters.Words",
}


ROW_UPGRADES: tuple[RowUpgrade, ...] = (  # oldest first
    RowUpgrade("campaigns.0180_odds_of_their_own", upgrade_odds),
    RowUpgrade("campaigns.0201_points_of_seasons", upgrade_season_points),
    RowUpgrade("campaigns.0211_kills_of_imported_results", upgrade_imported_kills),
    RowUpgrade("campaigns.0220_kept_house_rules", upgrade_house_rules),
)
