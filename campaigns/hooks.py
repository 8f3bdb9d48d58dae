"""Hooks through which packages on higher floors of this app write about rounds."""

from __future__ import annotations

from collections.abc import Callable

from campaigns.models import Campaign, Round
from rosters.hooks import Hook

new_fixtures: Hook[Callable[[Campaign], None]] = Hook(
    "new_fixtures",
    "after matches are published, in the same transaction: announces them",
)
round_reports: Hook[Callable[[Round], str]] = Hook(
    "round_reports",
    "as the last step of closing a round: writes a report about it, and returns a few words on what was written",
)
late_results: Hook[Callable[[Round], None]] = Hook(
    "late_results",
    "after the last watch party of a closed round: writes the round's news again",
)
