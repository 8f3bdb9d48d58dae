"""The setup of a match as far as its reader may see it."""

from __future__ import annotations

from typing import Any

from campaigns import policy
from campaigns.models import Match
from systems.setups import without_orders


def visible_setup(match: Match, reader: policy.Reader) -> dict[str, Any] | None:
    """Return the setup without orders the reader may not know yet; None before the lists are revealed."""
    if match.setup is None:
        return None
    hidden = [side for side in (0, 1) if not policy.can_see_orders(reader, match, side)]
    return without_orders(match.setup, hidden) if hidden else match.setup
