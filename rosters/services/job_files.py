"""Files that jobs leave behind: named by their row before they are written, so that no kill makes an orphan of one.

A name belongs to its row, whichever worker writes it; a file is put whole into its place. So two workers that hold the
same job by turns write the same file, and nobody ever reads half of one.
"""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from rosters.site.jobs import Job, JobStatus

UNFINISHED = ".part"  # how the name of a file ends that is still being written


def finish_with_file(job: Job, name: str, data: bytes, **result: object) -> bool:
    """Stores the file of a held job and marks it done. False if the claim was lost: nothing is left behind then."""
    if not job.held().update(**{"file": name}):
        return False
    put_file(name, data)
    if job.finish(file=name, **result):
        return True
    # Whoever holds it now writes the same file. If nobody does, as after calling off, nobody wants it.
    rows = type(job)._default_manager.filter(pk=job.pk)
    if not rows.filter(status__in=(JobStatus.QUEUED, JobStatus.RUNNING, JobStatus.DONE)).exists():
        drop_file(name)
    return False


def put_file(name: str, data: bytes) -> None:
    """Writes a file of the storage whole, in place of the one that may be there."""
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
    """The file is gone, if it was there."""
    _place(name).unlink(missing_ok=True)


def _place(name: str) -> Path:
    return Path(settings.MEDIA_ROOT) / name
