"""Rows that are changed for the archive: hidden things stay hidden, and addresses that contain keys stay behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from campaigns.enrolments.mustering import muster_check
from campaigns.models import CampaignState, Enrolment, Handicap, Match, SubmittedList, MatchPreparation, MatchState
from campaigns.musters.allowance import points_earned_in
from rosters.ledger.records import company_record
from systems.setups import without_orders

Row = dict[str, object]
EXCEPTION_HOLDS = "stands"  # replaces the hash of an exception that still holds for the company as it is now
NO_ADDRESS = "It came with an archive, which holds no addresses: give it the whole address again, then switch it on."


def build_row(label: str, instance: Any, row: Row) -> Row:
    """Return the row as the archive holds it."""
    special = _ROW_CHANGES.get(label)
    return row | special(instance) if special else row


def exception_hash(row: Enrolment) -> str:
    """Return the hash of the enrolled company's present state."""
    company, campaign = row.company, row.campaign
    brought = points_earned_in(campaign, [company])[company.pk]
    return muster_check(company, company_record(company), campaign, brought).hash


def _webhook_changes(row: Any) -> Row:
    host = urlsplit(row.url).hostname
    return {"url": f"https://{host}/" if host else "", "is_on": False, "off_because": NO_ADDRESS}


def _match_changes(row: Match) -> Row:
    """Drop the orders from an undecided match: until then they are private to each side."""
    return {"setup": without_orders(row.setup)} if row.setup is not None and row.state in MatchState.undecided() else {}


def _submitted_list_changes(row: SubmittedList) -> Row:
    """Drop orders, dice words and salt from a list of an undecided match. Its hash can't be checked without them."""
    if row.match.state not in MatchState.undecided():
        return {"sealed_as": row.sealed_as or row.document}
    document = {name: value for name, value in row.document.items() if name not in ("orders", "standing")}
    return {"document": document, "sealed_as": None, "salt": "", "words": ""}


def _handicap_changes(row: Handicap) -> Row:
    """Drop the basis in an undecided match if the odds used the AI styles of autoplay orders."""
    names_orders = row.basis is not None and not row.basis.get("best_styles")
    return {"basis": None} if names_orders and row.match.state in MatchState.undecided() else {}


def _preparation_changes(row: Any) -> Row:
    if row.match.setup is not None:
        return {}
    return {"pilots": [], "rolls": [], "rolled": {}, "by": None, "rolled_at": None}


def _dice_changes(row: Any) -> Row:
    if row.revealed_at is not None:
        return {}
    is_hidden = MatchPreparation.objects.filter(dice=row, match__setup__isnull=True).exists()
    return {"words": [], "uses": [], "used_at": None} if is_hidden or row.used_at is None else {}


def _enrolment_changes(row: Any) -> Row:
    """Drop autoplay orders unless the campaign has ended: they are private to the player, like unrevealed lists.

    Mark an exception that still holds with STANDS in place of its hash.
    """
    changed: Row = {} if row.campaign.state == CampaignState.FINISHED else {"orders": {}}
    if row.exception_hash and row.exception_hash == exception_hash(row):
        changed["exception_hash"] = EXCEPTION_HOLDS
    return changed


_ROW_CHANGES: Mapping[str, Callable[[Any], Row]] = {
    "battles.SealedDice": _dice_changes,
    "campaigns.Enrolment": _enrolment_changes,
    "campaigns.Handicap": _handicap_changes,
    "campaigns.Match": _match_changes,
    "campaigns.SubmittedList": _submitted_list_changes,
    "campaigns.MatchPreparation": _preparation_changes,
    "campaigns.Webhook": _webhook_changes,
}
