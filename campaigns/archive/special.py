"""Rows that don't go out as they stand: what is sealed stays sealed, and addresses with a key in them stay behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from campaigns.enrolments.mustering import muster_check
from campaigns.models import CampaignState, Enrolment, Handicap, Match, MatchForce, MatchMuster, MatchState
from campaigns.musters.allowance import brought_by
from rosters.ledger.records import company_record
from systems.setups import without_orders

Row = dict[str, object]
STANDS = "stands"  # in place of the hash of an exception that holds: of the company as it is now
NO_ADDRESS = "It came with an archive, which holds no addresses: give it the whole address again, then switch it on."


def packed_row(label: str, instance: Any, row: Row) -> Row:
    """The row as the archive has it."""
    special = _TOLD.get(label)
    return row | special(instance) if special else row


def exception_hash(row: Enrolment) -> str:
    """The hash of the state that the enrolled company is in now."""
    company, campaign = row.company, row.campaign
    brought = brought_by(campaign, [company])[company.pk]
    return muster_check(company, company_record(company), campaign, brought).hash


def _webhook(row: Any) -> Row:
    host = urlsplit(row.url).hostname
    return {"url": f"https://{host}/" if host else "", "is_on": False, "off_because": NO_ADDRESS}


def _match(row: Match) -> Row:
    """What its sides ordered is theirs alone until it is decided."""
    return {"setup": without_orders(row.setup)} if row.setup is not None and row.state in MatchState.undecided() else {}


def _force(row: MatchForce) -> Row:
    """Of an undecided match: without orders and words for the dice, and so without what its hash could be checked by."""
    if row.match.state not in MatchState.undecided():
        return {"sealed_as": row.sealed_as or row.document}
    document = {name: value for name, value in row.document.items() if name not in ("orders", "standing")}
    return {"document": document, "sealed_as": None, "salt": "", "words": ""}


def _handicap(row: Handicap) -> Row:
    """Of a match that is not decided, one that was calculated with the AI styles of autoplay orders comes without them."""
    names_orders = row.basis is not None and not row.basis.get("best_styles")
    return {"basis": None} if names_orders and row.match.state in MatchState.undecided() else {}


def _muster(row: Any) -> Row:
    if row.match.setup is not None:
        return {}
    return {"pilots": [], "rolls": [], "rolled": {}, "by": None, "rolled_at": None}


def _dice(row: Any) -> Row:
    if row.revealed_at is not None:
        return {}
    is_hidden = MatchMuster.objects.filter(dice=row, match__setup__isnull=True).exists()
    return {"words": [], "uses": [], "used_at": None} if is_hidden or row.used_at is None else {}


def _enrolment(row: Any) -> Row:
    """Orders are their player's alone, so those of a campaign that is not over stay behind, as sealed forces do."""
    changed: Row = {} if row.campaign.state == CampaignState.FINISHED else {"orders": {}}
    if row.exception_hash and row.exception_hash == exception_hash(row):
        changed["exception_hash"] = STANDS
    return changed


_TOLD: Mapping[str, Callable[[Any], Row]] = {
    "battles.SealedDice": _dice,
    "campaigns.Enrolment": _enrolment,
    "campaigns.Handicap": _handicap,
    "campaigns.Match": _match,
    "campaigns.MatchForce": _force,
    "campaigns.MatchMuster": _muster,
    "campaigns.Webhook": _webhook,
}
