"""Hooks through which packages on higher floors of this app write about rounds."""

from __future__ import annotations

from collections.abc import Callable

from campaigns.models import Campaign, Round
from rosters.hooks import Hook

new_fixtures: Hook[Callable[[Campaign], None]] = Hook(
    "new_fixtures", "once matches are opened to their players, in the same transaction: writes where they are announced"
)
round_reports: Hook[Callable[[Round], str]] = Hook(
    "round_reports", "as the last step of closing a round: writes about it, and says what was written"
)
late_results: Hook[Callable[[Round], None]] = Hook(
    "late_results", "once all premieres of a closed round are over: writes again what was written about the round"
)
