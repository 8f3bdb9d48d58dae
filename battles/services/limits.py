"""Limits per visitor and player: jobs at a time and per hour, for pages and API together.

The site asks too: odds of matches, games that a campaign simulates. It is never refused, and its requests count towards
nobody's quota. It asks for a limited number of things, and waits: see `site_delay`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from django.db.models import Q, QuerySet
from django.utils import timezone

from battles.models import ASKED_BY_SITE, JOBS, SIMULATION_MODELS, Battle, Matrix, RecordCheck
from rosters.database.transactions import lock_named
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RateLimitedError, RefusedError
from rosters.site.visitors import HOUR, WAIT_FOR_ONE, WAIT_FOR_OTHERS, in_minutes, wait_until_gone

OPEN_VISITOR, OPEN_PLAYER, OPEN_VISITORS_TOGETHER = 4, 20, 60
BATTLES_AN_HOUR_VISITOR, BATTLES_AN_HOUR_PLAYER = 120, 1200
FORECASTS_AN_HOUR_VISITOR, FORECASTS_AN_HOUR_PLAYER = 30, 300
# some thousand battles each, simulated in a tenth of a second
GLANCES_AN_HOUR_VISITOR, GLANCES_AN_HOUR_PLAYER = 240, 600
RUNS_VISITOR, RUNS_PLAYER = 100_000, 1_000_000

MAX_SITE_JOBS = 4  # simulations of the site that go to the workers without delay
SITE_DELAY_STEP = 1.0  # seconds of delay for each further one, so that people's requests get in between

_OPEN = Q(status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
Rows = QuerySet[Any]


class Asker(TypedDict):
    """The asker of a battle or of odds, in the form the services take."""

    actor: Player | None
    visitor: str


def check_battle_limit(*, actor: Player | None, visitor: str) -> None:
    """Raise RateLimitedError if the asker must wait before the next battle, retry or check of a record."""
    _serialise_requests(actor, visitor)
    most = BATTLES_AN_HOUR_PLAYER if actor else BATTLES_AN_HOUR_VISITOR
    asked = _asker(actor, visitor) & _within_the_hour()
    rows = [Battle.objects.filter(asked, fought_by_hand=False), RecordCheck.objects.filter(asked)]
    if wait := _wait(rows, most):
        more = "" if actor else f" With an account the limit is {BATTLES_AN_HOUR_PLAYER:,}."
        reason = f"You've reached the limit of {most:,} battles an hour. Try again {in_minutes(wait)}.{more}"
        raise RateLimitedError("battle", reason, wait)
    _check_open_jobs(actor, visitor)


def runs_limit(actor: Player | None) -> int:
    """Return the maximum number of battles in one question."""
    return RUNS_PLAYER if actor else RUNS_VISITOR


def check_forecast_limit(*, runs: int, actor: Player | None, visitor: str) -> None:
    """Raise RefusedError for odds with too many battles, RateLimitedError for too many odds.

    The site may always ask.
    """
    if actor is None and visitor == ASKED_BY_SITE:
        return
    limit = runs_limit(actor)
    if runs > limit:
        hint = "" if actor else f" With an account it is {RUNS_PLAYER:,}."
        raise RefusedError("battles", f"At most {limit:,} battles at a time.{hint}")
    _serialise_requests(actor, visitor)
    most = FORECASTS_AN_HOUR_PLAYER if actor else FORECASTS_AN_HOUR_VISITOR
    asked = _asker(actor, visitor) & _within_the_hour()
    others = [kind for kind in SIMULATION_MODELS if kind is not Matrix]
    if wait := _wait([*_rows(others, asked), Matrix.objects.filter(asked, is_glance=False)], most):
        more = "" if actor else f" With an account the limit is {FORECASTS_AN_HOUR_PLAYER:,}."
        reason = f"You've reached the limit of {most:,} odds an hour. Try again {in_minutes(wait)}.{more}"
        raise RateLimitedError("battles", reason, wait)
    _check_open_jobs(actor, visitor)


def check_lab_odds_limit(*, actor: Player | None, visitor: str) -> None:
    """Raise RateLimitedError if the lab has simulated too many unfinished builds for the asker within the hour.

    They have a quota of their own, because the lab asks for them by itself.
    """
    _serialise_requests(actor, visitor)
    most = GLANCES_AN_HOUR_PLAYER if actor else GLANCES_AN_HOUR_VISITOR
    asked = _asker(actor, visitor) & _within_the_hour()
    if wait := _wait([Matrix.objects.filter(asked, is_glance=True)], most):
        reason = (
            f"You've reached the limit of {most} automatic win chances an hour. Try again {in_minutes(wait)}, or "
            "press “Test against published designs”."
        )
        raise RateLimitedError("battles", reason, wait)
    _check_open_jobs(actor, visitor)


def site_delay() -> float:
    """Return the seconds before the site's newest simulation goes to the workers: 0 for the first few."""
    waiting = _number(_rows(SIMULATION_MODELS, _OPEN, Q(asked_by=None, asked_from=ASKED_BY_SITE)))
    return max(0, waiting - MAX_SITE_JOBS) * SITE_DELAY_STEP


def _check_open_jobs(actor: Player | None, visitor: str) -> None:
    if _number(_rows(JOBS, _OPEN, _asker(actor, visitor))) >= (OPEN_PLAYER if actor else OPEN_VISITOR):
        raise RateLimitedError(
            "battle", "Your earlier battles are still running. Wait until one has finished.", WAIT_FOR_ONE
        )
    if (
        actor is None
        and _number(_rows(JOBS, _OPEN, Q(asked_by=None), ~Q(asked_from=ASKED_BY_SITE))) >= OPEN_VISITORS_TOGETHER
    ):
        raise RateLimitedError(
            "battle", "Many visitors are fighting right now; try again in a minute.", WAIT_FOR_OTHERS
        )


def _serialise_requests(actor: Player | None, visitor: str) -> None:
    """Make simultaneous requests of one asker wait for each other, so that each counts towards the quota.

    Rows that others lock too are locked before this. The dice are locked later, and nobody waits for this lock while
    holding them.
    """
    lock_named(f"asks for battles: {f'player {actor.pk}' if actor else visitor}")


def _rows(kinds: Sequence[type[Any]], *asked: Q) -> list[Rows]:
    """Return the rows of these kinds that match."""
    return [kind._default_manager.filter(*asked) for kind in kinds]


def _number(rows: Sequence[Rows]) -> int:
    """Return the number of rows, in one query."""
    return _together(rows, "pk").count()


def _wait(rows: Sequence[Rows], most: int) -> int:
    """Return the seconds until there are fewer than `most` rows within the hour; 0 if so already. Makes one query."""
    last = list(_together(rows, "queued_at").order_by("-queued_at")[most - 1 : most])
    return wait_until_gone(last[0][0]) if last else 0


def _together(rows: Sequence[Rows], field: str) -> Rows:
    first, *others = [each.order_by().values_list(field) for each in rows]
    return first.union(*others, all=True)


def _asker(actor: Player | None, visitor: str) -> Q:
    return Q(asked_by=actor) if actor else Q(asked_by=None, asked_from=visitor)


def _within_the_hour() -> Q:
    return Q(queued_at__gte=timezone.now() - HOUR)
