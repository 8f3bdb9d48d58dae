"""The archive of a player's data: requested, packed by a worker, and kept for some days for this player only."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from rosters.jobs import JobStatus
from rosters.models import Player, DataExport
from rosters.site.clearing import Clearing, clear_rows
from rosters.site.job_runs import wake
from rosters.site.keeping import expiry_cutoff, expires_at
from rosters.site.refusals import RefusedError

from .job_files import drop_file, finish_with_file
from .mails import address_of, send_mail_to_player
from .packing import count_parts, pack_files

AT_WORK = (JobStatus.QUEUED, JobStatus.RUNNING)


class _LostError(Exception):
    """Raised when another worker holds the job by now."""


@transaction.atomic
def data_export_request(*, player: Player) -> DataExport:
    """Request the archive of the player's data, which replaces an earlier one; return any job in progress."""
    if Player.objects.select_for_update(no_key=True).get(pk=player.pk).left_at is not None:
        raise RefusedError("data", "This account is gone.")
    known = DataExport.objects.filter(player=player, status__in=AT_WORK).first()
    if known is not None:
        return known
    job = DataExport.objects.create(player=player)
    _drop(DataExport.objects.filter(player=player).exclude(pk=job.pk))
    transaction.on_commit(partial(wake, "rosters.tasks.takeout_run", job.pk))
    return job


def data_export_pack(*, job: DataExport) -> bool:
    """Pack a claimed job and store its file. False if the claim was lost meanwhile: then nothing is left behind."""

    def step(done: int) -> None:
        if not job.renew(parts_done=done, parts=count_parts()):
            raise _LostError

    try:
        data = pack_files(job.player, at=timezone.now(), step=step)
    except _LostError:
        return False
    if not finish_with_file(job, job.file_name, data, size=len(data)):
        return False
    data_export_notify(job=job)
    return True


def data_export_notify(*, job: DataExport) -> bool:
    """Mail the player that their data is ready; return whether it was sent. A failing server changes nothing else."""
    text = (
        f"Hello {job.player},\n\nyour data are packed. Sign in to download them:\n{address_of('rosters:my_data')}\n\n"
        "If it wasn't you who asked for them, change your password: it ends all other sessions.\n"
    )
    return send_mail_to_player(address=job.player.email, subject="Your data are ready", text=text)


def data_export_expires_at(job: DataExport) -> datetime | None:
    """Return until when the file is kept; None: there is none, or for ever."""
    return expires_at(job.ended_at, settings.KEEP_DATA_DAYS) if job.status == JobStatus.DONE and job.file else None


def data_exports_delete(*, player: Player) -> None:
    """Delete everything that was packed for the player."""
    _drop(DataExport.objects.filter(player=player))


def data_export_files_in_rows(names: Iterable[str]) -> set[str]:
    """Return the file names that are players' data, packed or being packed."""
    rows = DataExport.objects.filter(status__in=(*AT_WORK, JobStatus.DONE)).only("key")
    return {row.file_name for row in rows} & set(names)


def clear_data_exports(run: Clearing) -> int:
    """Delete expired archives, with their files."""
    old = expiry_cutoff(run.now, settings.KEEP_DATA_DAYS)
    if old is None:
        return 0
    rows = DataExport.objects.exclude(status__in=AT_WORK).filter(ended_at__lt=old).only("pk", "key")
    return clear_rows(rows, run, clear=lambda found: _drop(DataExport.objects.filter(pk__in=[row.pk for row in found])))


def _drop(rows: Iterable[DataExport]) -> None:
    """Delete rows first, and their files after the commit; a file left by a crash is cleared as belonging to no row."""
    for row in list(rows):
        name = row.file_name
        row.delete()
        transaction.on_commit(partial(drop_file, name))
