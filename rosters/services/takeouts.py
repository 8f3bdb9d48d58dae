"""A player takes his data: asked for, packed by a worker, kept for some days for him alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from rosters.documents.packing import how_many, packed
from rosters.models import Player, Takeout
from rosters.site.clearing import Clearing, clear_rows
from rosters.site.job_runs import wake
from rosters.site.jobs import JobStatus
from rosters.site.keeping import before, until
from rosters.site.refusals import RefusedError

from .job_files import drop_file, finish_with_file
from .mails import address_of, mail_tell

AT_WORK = (JobStatus.QUEUED, JobStatus.RUNNING)


class _LostError(Exception):
    """Raised when somebody else holds the job by now."""


@transaction.atomic
def takeout_ask(*, player: Player) -> Takeout:
    """The player's data, to be packed by a worker in place of what was packed before; the one under way, if one is."""
    if Player.objects.select_for_update(no_key=True).get(pk=player.pk).left_at is not None:
        raise RefusedError("data", "This account is gone.")
    known = Takeout.objects.filter(player=player, status__in=AT_WORK).first()
    if known is not None:
        return known
    job = Takeout.objects.create(player=player)
    _drop(Takeout.objects.filter(player=player).exclude(pk=job.pk))
    transaction.on_commit(partial(wake, "rosters.tasks.takeout_run", job.pk))
    return job


def takeout_pack(*, job: Takeout) -> bool:
    """Packs a claimed job and stores its file. False if the claim was lost meanwhile: nothing is left behind then."""

    def step(done: int) -> None:
        if not job.renew(parts_done=done, parts=how_many()):
            raise _LostError

    try:
        data = packed(job.player, at=timezone.now(), step=step)
    except _LostError:
        return False
    if not finish_with_file(job, job.file_name, data, size=len(data)):
        return False
    takeout_tell(job=job)
    return True


def takeout_tell(*, job: Takeout) -> bool:
    """Whether the player was mailed that his data are ready; a mail server that fails takes nothing from him."""
    text = (
        f"Hello {job.player},\n\nyour data are packed. Sign in to download them:\n{address_of('rosters:my_data')}\n\n"
        "If it wasn't you who asked for them, change your password: it ends all other sessions.\n"
    )
    return mail_tell(address=job.player.email, subject="Your data are ready", text=text)


def takeout_kept_until(job: Takeout) -> datetime | None:
    """Until when the file is kept; None: there is none, or for ever."""
    return until(job.ended_at, settings.KEEP_DATA_DAYS) if job.status == JobStatus.DONE and job.file else None


def takeouts_drop(*, player: Player) -> None:
    """Nothing that was packed for the player is there any more."""
    _drop(Takeout.objects.filter(player=player))


def takeout_files_named(names: Iterable[str]) -> set[str]:
    """Those of the names of files that are a player's data, packed or being packed."""
    rows = Takeout.objects.filter(status__in=(*AT_WORK, JobStatus.DONE)).only("key")
    return {row.file_name for row in rows} & set(names)


def clear_takeouts(run: Clearing) -> int:
    """Drops what was packed long enough ago, with the file."""
    old = before(run.now, settings.KEEP_DATA_DAYS)
    if old is None:
        return 0
    rows = Takeout.objects.exclude(status__in=AT_WORK).filter(ended_at__lt=old).only("pk", "key")
    return clear_rows(rows, run, clear=lambda found: _drop(Takeout.objects.filter(pk__in=[row.pk for row in found])))


def _drop(rows: Iterable[Takeout]) -> None:
    """Rows first, their files once that is written; a file that a kill leaves behind is swept as nobody's."""
    for row in list(rows):
        name = row.file_name
        row.delete()
        transaction.on_commit(partial(drop_file, name))
