"""How much one visitor or player may ask of the workers at once and in an hour.

The site asks too: the odds of matches, a game that a campaign fights. It is never refused, and nobody is refused for
what it asked; it asks for a bounded number of things, and waits: see `site_delay`.
"""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from battles.models import COUNTS, JOBS, SITE, Battle, RecordCheck
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.jobs import Job, JobStatus

OPEN_VISITOR, OPEN_PLAYER, OPEN_VISITORS_TOGETHER = 4, 20, 60
BATTLES_AN_HOUR_VISITOR, BATTLES_AN_HOUR_PLAYER = 120, 1200
FORECASTS_AN_HOUR_VISITOR, FORECASTS_AN_HOUR_PLAYER = 30, 300
RUNS_VISITOR, RUNS_PLAYER = 100_000, 1_000_000

SITE_AT_ONCE = 4  # counts of the site that go to the workers together
SITE_PAUSE = 1.0  # seconds that each further one comes later, so that what people ask gets in between

_OPEN = Q(status__in=[JobStatus.QUEUED, JobStatus.RUNNING])


def battle_allowed(*, actor: Player | None, visitor: str) -> None:
    """Raises RefusedError if this one has to wait before asking for another battle, or for one to be fought again."""
    most = BATTLES_AN_HOUR_PLAYER if actor else BATTLES_AN_HOUR_VISITOR
    asked = _asker(actor, visitor) & Q(queued_at__gte=_an_hour_ago())
    checks = RecordCheck.objects.filter(asked).count()
    if Battle.objects.filter(asked, fought_by_hand=False).count() + checks >= most:
        raise RefusedError("battle", f"That is {most} battles within the hour; the field is closed for a while.")
    _room(actor, visitor)


def runs_limit(actor: Player | None) -> int:
    """How many battles may be asked for at a time."""
    return RUNS_PLAYER if actor else RUNS_VISITOR


def forecast_allowed(*, runs: int, actor: Player | None, visitor: str) -> None:
    """Raises RefusedError if the odds asked for are too many battles, or too many odds. The site may always ask."""
    if actor is None and visitor == SITE:
        return
    limit = runs_limit(actor)
    if runs > limit:
        hint = "" if actor else f" With an account it is {RUNS_PLAYER:,}."
        raise RefusedError("battles", f"At most {limit:,} battles at a time.{hint}")
    most = FORECASTS_AN_HOUR_PLAYER if actor else FORECASTS_AN_HOUR_VISITOR
    if _number(COUNTS, _asker(actor, visitor), Q(queued_at__gte=_an_hour_ago())) >= most:
        raise RefusedError("battles", f"That is {most} odds within the hour; come back in a while.")
    _room(actor, visitor)


def site_delay() -> float:
    """Seconds after which the newest count of the site goes to the workers: at once for the first few."""
    waiting = _number(COUNTS, _OPEN, Q(asked_by=None, asked_from=SITE))
    return max(0, waiting - SITE_AT_ONCE) * SITE_PAUSE


def _room(actor: Player | None, visitor: str) -> None:
    if _number(JOBS, _OPEN, _asker(actor, visitor)) >= (OPEN_PLAYER if actor else OPEN_VISITOR):
        raise RefusedError("battle", "Your earlier battles are still being fought; wait for one to end.")
    if actor is None and _number(JOBS, _OPEN, Q(asked_by=None), ~Q(asked_from=SITE)) >= OPEN_VISITORS_TOGETHER:
        raise RefusedError("battle", "Many visitors are fighting right now; try again in a minute.")


def _number(kinds: Sequence[type[Job]], *asked: Q) -> int:
    """How many rows of these kinds that holds of. One query."""
    first, *others = [kind._default_manager.filter(*asked).order_by().values_list("pk") for kind in kinds]
    return first.union(*others, all=True).count()


def _asker(actor: Player | None, visitor: str) -> Q:
    return Q(asked_by=actor) if actor else Q(asked_by=None, asked_from=visitor)


def _an_hour_ago() -> object:
    return timezone.now() - timedelta(hours=1)
