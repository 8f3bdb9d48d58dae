"""The odds of a match, published before it is fought by orders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.services.forecasts import forecast_ask
from campaigns.models import AbsentRule, Match
from rosters.documents import DocumentError
from rosters.services import RefusedError

BATTLES = 20_000  # enough for a half width of 0.7 points


def odds_publish(match: Match, setup: Mapping[str, Any]) -> None:
    """Asks for the odds of a match as it would be fought by orders, where its campaign fights absent players' matches."""
    if match.round.campaign.absent_rule != AbsentRule.ORDERS:
        return
    try:
        match.forecast, _ = forecast_ask(setup=setup, runs=BATTLES)
    except (RefusedError, DocumentError):
        return  # what can't be fought has no odds
    match.save(update_fields=["forecast"])
