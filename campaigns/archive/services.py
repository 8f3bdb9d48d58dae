"""Pack a club for its organiser, restore an uploaded archive, and let its players take their places."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import IO

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaigns.activity_log import log_activity
from campaigns.archive.checks import survey_archive
from campaigns.clubs.services import MAX_CLUBS, club_names, organiser_club_lock
from campaigns.models import Club, ClubArchive, ClubRestore, Membership, Placeholder, Role
from rosters.jobs import JobStatus
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.job_runs import drop_file, finish_with_file, put_file, wake
from rosters.site.retention import Clearing, clear_rows, expires_at, expiry_cutoff

from .packing import count_steps, pack_club
from .reading import open_archive, read_manifest
from .restoring import RestoredClub, club_restore
from .tables import KEPT

UNFINISHED = (JobStatus.QUEUED, JobStatus.RUNNING)
WRITE_TIMEOUT = timedelta(minutes=2)  # the time that the transaction may take, plus, for each row and match:
TIME_PER_ROW, TIME_PER_MATCH = timedelta(milliseconds=10), timedelta(seconds=1)


class _LostError(Exception):
    """Raised when another worker has taken over the job."""


# --- packing ----------------------------------------------------------------------------------------------------------


@transaction.atomic
def archive_request(*, club: Club, by: Player) -> ClubArchive:
    """Create a job that packs the club, replacing its previous archive. Return the unfinished job if there is one."""
    locked = organiser_club_lock(club, by)
    known = ClubArchive.objects.filter(club=locked, status__in=UNFINISHED).first()
    if known is not None:
        return known
    job = ClubArchive.objects.create(club=locked, asked_by=by)
    _drop_archives(ClubArchive.objects.filter(club=locked).exclude(pk=job.pk))
    log_activity(club=locked, text=f"{by} created a backup of the club", by=by)
    transaction.on_commit(partial(wake, "campaigns.tasks.archive_pack", job.pk))
    return job


def archive_pack(*, job: ClubArchive) -> bool:
    """Pack a claimed job and store its file. Return False if the claim was lost or packing failed; the row says why."""

    def step(done: int) -> None:
        if not job.renew(parts_done=done, parts=count_steps()):
            raise _LostError

    try:
        data = pack_club(job.club, at=timezone.now(), step=step)
    except _LostError:
        return False
    except RefusedError as error:
        job.fail(error.reason)
        return False
    return finish_with_file(job, job.file_name, data, size=len(data))


def archive_kept_until(job: ClubArchive) -> datetime | None:
    """Return until when the file is kept; None if there is no file or it is kept for ever."""
    return expires_at(job.ended_at, settings.KEEP_DATA_DAYS) if job.status == JobStatus.DONE and job.file else None


# --- restoring --------------------------------------------------------------------------------------------------------


def restore_request(*, by: Player, file: IO[bytes], name: str = "", stands_for: str = "") -> ClubRestore:
    """Create a job that restores the archive. Refuse at once for faults in the manifest or a taken name."""
    manifest = read_manifest(file)
    organisers = sorted(person.name for person in manifest.people if person.role == "organiser")
    if stands_for and stands_for not in organisers:
        raise RefusedError(
            "stands_for",
            f"No organiser in this backup is called {stands_for[:60]} (organisers: {', '.join(organisers) or 'none'}). "
            "Leave the field blank if you weren't one.",
        )
    try:
        club_names(name or manifest.club, manifest.club)
    except RefusedError as error:
        raise RefusedError("name", error.reason) from None
    file.seek(0)
    data = file.read()
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=by.pk)
        if ClubRestore.objects.filter(asked_by=by, status__in=UNFINISHED).exists():
            raise RefusedError("file", "You're already restoring a club. Wait until that is done.")
        if Membership.objects.filter(player=by, role=Role.ORGANISER).count() >= MAX_CLUBS:
            raise RefusedError("file", f"You can organise up to {MAX_CLUBS} clubs. Hand one over first.")
        job = ClubRestore(asked_by=by, title=manifest.club, name=name, stands_for=stands_for)
        job.file.name = job.file_name
        put_file(job.file_name, data)
        job.save()
        transaction.on_commit(partial(wake, "campaigns.tasks.archive_restore", job.pk))
    return job


def restore_run(*, job: ClubRestore) -> bool:
    """Restore a claimed job's archive. Return False if that fails; the row says why, and nothing else was written."""
    parts = 3 * len(KEPT)

    def step(done: int) -> None:
        if not job.renew(parts_done=done, parts=parts):
            raise _LostError

    try:
        with (Path(settings.MEDIA_ROOT) / job.file_name).open("rb") as file, open_archive(file, step) as archive:
            survey = survey_archive(archive, lambda done: step(len(KEPT) + done))
            until_then = timezone.now() + WRITE_TIMEOUT + TIME_PER_ROW * sum(survey.counts.values())
            until_then += TIME_PER_MATCH * (survey.counts["campaigns.Match"] + survey.counts["battles.Record"])
            job.claimed().update(lease_until=until_then, parts_done=2 * len(KEPT))
            with transaction.atomic():
                made = club_restore(
                    archive=archive, survey=survey, by=job.asked_by, name=job.name, stands_for=job.stands_for
                )
                if not job.finish(club=made.club, told=list(made.differences), file="", parts_done=parts, parts=parts):
                    raise _LostError
    except _LostError:
        return False
    except FileNotFoundError:
        job.fail("The uploaded file is gone. Upload it again.")
        return False
    except RefusedError as error:
        job.fail(error.reason)
        drop_file(job.file_name)
        return False
    drop_file(job.file_name)
    return True


def club_restore_now(*, file: IO[bytes], by: Player, name: str = "", stands_for: str = "") -> RestoredClub:
    """Restore the archive at once, without a worker. Raise RefusedError."""
    with open_archive(file) as archive:
        return club_restore(archive=archive, survey=survey_archive(archive), by=by, name=name, stands_for=stands_for)


# --- places -----------------------------------------------------------------------------------------------------------


@transaction.atomic
def place_take(*, place: Placeholder, username: str, password: str) -> Player:
    """Turn a player from an archive into one who can sign in. Refuse if the place has been taken already."""
    locked = Placeholder.objects.select_for_update(of=("self",), no_key=True).filter(pk=place.pk).first()
    if locked is None:
        raise RefusedError("username", "This link has been used. Sign in instead.")
    player = Player.objects.select_for_update(no_key=True).get(pk=locked.player_id)
    player.username, player.password = username, make_password(password)
    if player.name_shown == username:
        player.name_shown = ""
    try:
        with transaction.atomic():
            player.save(update_fields=["username", "name_shown", "password"])
    except IntegrityError:
        raise RefusedError("username", "That username is taken. Choose another.") from None
    club = locked.club
    locked.delete()
    log_activity(club=club, text=f"{player} returned after the restore", by=player)
    return player


@transaction.atomic
def place_renew(*, club: Club, by: Player, place: int) -> Placeholder:
    """Replace the link to a place; the old one stops working."""
    locked = organiser_club_lock(club, by)
    row = Placeholder.objects.select_for_update(of=("self",), no_key=True).filter(club=locked, pk=place).first()
    if row is None:
        raise RefusedError("place", "This player has already signed in.")
    row.key = Placeholder._meta.get_field("key").get_default()
    row.save(update_fields=["key"])
    return row


# --- clearing ---------------------------------------------------------------------------------------------------------


def known_archive_files(names: Iterable[str]) -> set[str]:
    """Return which of the file names belong to an archive: packed, being packed, or to be restored."""
    packed_rows = ClubArchive.objects.filter(status__in=(*UNFINISHED, JobStatus.DONE)).only("key")
    brought = ClubRestore.objects.filter(status__in=UNFINISHED).only("key")
    return ({row.file_name for row in packed_rows} | {row.file_name for row in brought}) & set(names)


def clear_archives(run: Clearing) -> int:
    """Delete archives past their keeping time, with their files."""
    old = expiry_cutoff(run.now, settings.KEEP_DATA_DAYS)
    if old is None:
        return 0
    rows = ClubArchive.objects.exclude(status__in=UNFINISHED).filter(ended_at__lt=old).only("pk", "key")
    return clear_rows(rows, run, clear=_drop_archives)


def clear_restores(run: Clearing) -> int:
    """Delete restore jobs past their keeping time; the clubs stay."""
    old = expiry_cutoff(run.now, settings.KEEP_DATA_DAYS)
    if old is None:
        return 0
    return clear_rows(ClubRestore.objects.exclude(status__in=UNFINISHED).filter(ended_at__lt=old), run)


def _drop_archives(rows: Iterable[ClubArchive]) -> None:
    """Delete the rows, then their files on commit. A file left behind by a crash is swept later, as it has no owner."""
    for row in list(rows):
        name = row.file_name
        row.delete()
        transaction.on_commit(partial(drop_file, name))
