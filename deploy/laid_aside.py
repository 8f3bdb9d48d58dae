"""Folders that a save or a restore works in, and what becomes of them when it is killed.

A folder is locked as long as the process lives that made it, so one that can be locked was left behind.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

# Of MUSTER_VAR; the rest is the database, or can be made again.
KEPT = ("files", "outbox", "secret-key", "demo-password")
BEFORE, DONE = ".before-restore-", ".after-restore-"  # folders of a restore that is under way, and of one that is over


@contextlib.contextmanager
def workplace(folder: Path, prefix: str) -> Iterator[Path]:
    """A folder in that one, gone afterwards; those that killed processes have left of this prefix are gone too."""
    for left in left_behind(folder, prefix):
        shutil.rmtree(left)
    work = Path(tempfile.mkdtemp(prefix=prefix, dir=folder))
    try:
        with held(work):
            yield work
    finally:
        shutil.rmtree(work)


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    """As long as this process lives, the folder is not left behind."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def left_behind(folder: Path, prefix: str) -> Iterator[Path]:
    """Folders of this prefix that no process holds any more."""
    for path in sorted(folder.glob(f"{prefix}*")):
        handle = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield path
        except BlockingIOError:
            continue
        finally:
            os.close(handle)


@contextlib.contextmanager
def files_put_back(work: Path, var: Path) -> Iterator[None]:
    """The files of the archive lie in MUSTER_VAR; those from before again, if what happens inside goes wrong."""
    before = Path(tempfile.mkdtemp(prefix=BEFORE, dir=var))
    with held(before):
        try:
            for kept in KEPT:
                if (var / kept).exists():
                    (var / kept).rename(before / kept)
                if (work / kept).exists():
                    (work / kept).rename(var / kept)
            yield
            before = before.rename(before.with_name(before.name.replace(BEFORE, DONE)))
        except BaseException:
            put_back(before, var)
            raise
        finally:
            shutil.rmtree(before)


def put_back(before: Path, var: Path) -> None:
    """Files that were laid aside, in the place of what lies there now."""
    for kept in before.iterdir():
        target = var / kept.name
        shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
        kept.rename(target)


def finish_what_was_broken_off(var: Path) -> None:
    """Puts the files back that a killed restore had laid aside before the database was changed."""
    for before in left_behind(var, BEFORE):
        put_back(before, var)
        shutil.rmtree(before)
    for done in left_behind(var, DONE):
        shutil.rmtree(done)
