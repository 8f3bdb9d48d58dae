"""Files of jobs: their name is in the row before they are written, so that a crash leaves no file without a row.

A name belongs to its row, whichever worker writes it; a file is completed first and then moved into place. So two
workers that hold the same job in turn write the same file, and nobody ever reads half of one.
"""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from rosters.jobs import Job, JobStatus

UNFINISHED = ".part"  # end of the names of files that are still being written


def finish_with_file(job: Job, name: str, data: bytes, **result: object) -> bool:
    """Store the file of a held job and mark it done. False if the claim was lost: then nothing is left behind."""
    if not job.held().update(**{"file": name}):
        return False
    put_file(name, data)
    if job.finish(file=name, **result):
        return True
    # Another worker that holds it now writes the same file. If none does, as after cancelling, nobody needs it.
    rows = type(job)._default_manager.filter(pk=job.pk)
    if not rows.filter(status__in=(JobStatus.QUEUED, JobStatus.RUNNING, JobStatus.DONE)).exists():
        drop_file(name)
    return False


def put_file(name: str, data: bytes) -> None:
    """Write a file of the storage in one step, replacing an existing one."""
    path = _place(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{uuid.uuid4().hex}{UNFINISHED}")
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def drop_file(name: str) -> None:
    """Delete the file, if there is one."""
    _place(name).unlink(missing_ok=True)


def _place(name: str) -> Path:
    return Path(settings.MEDIA_ROOT) / name
