"""The set-up of a match as far as its reader may see it."""

from __future__ import annotations

from typing import Any

from campaigns import policy
from campaigns.models import Match
from systems.setups import without_orders


def setup_seen(match: Match, reader: policy.Reader) -> dict[str, Any] | None:
    """The set-up without the orders that are not this reader's to know yet; None before the forces are open."""
    if match.setup is None:
        return None
    hidden = [side for side in (0, 1) if not policy.can_see_orders(reader, match, side)]
    return without_orders(match.setup, hidden) if hidden else match.setup
