"""Background tasks for club nights."""

from __future__ import annotations

from celery import shared_task

from campaigns.club_nights.services import clubs_propose_games


@shared_task
def propose_games() -> None:
    """Propose even games to the companies that wait in their clubs. Run by the timer."""
    clubs_propose_games()
