"""Working folders of a backup or a restore: private, and cleaned up even after a killed process.

A folder is locked while the process that created it lives, so an unlocked folder was left behind. Other users of the
machine can't read it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

# What a backup takes from MUSTER_VAR; the rest is the database, or can be made again.
KEPT = ("files", "outbox", "secret-key", "demo-password")
BEFORE, DONE = ".before-restore-", ".after-restore-"  # folders of a running restore, and of a finished one


@contextlib.contextmanager
def staging_folder(folder: Path, prefix: str) -> Iterator[Path]:
    """Yield a temporary folder inside this one and delete it afterwards; also delete those of killed processes."""
    for left in left_behind(folder, prefix):
        shutil.rmtree(left)
    work = Path(tempfile.mkdtemp(prefix=prefix, dir=folder))
    try:
        with locked_folder(work):
            yield work
    finally:
        shutil.rmtree(work)


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Lock the folder, so that it doesn't count as left behind."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def left_behind(folder: Path, prefix: str) -> Iterator[Path]:
    """Yield the folders with this prefix that no process holds."""
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
    """Move the archive's files into MUSTER_VAR; put the old ones back if the body fails."""
    before = Path(tempfile.mkdtemp(prefix=BEFORE, dir=var))
    with locked_folder(before):
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
    """Replace the current files with the saved ones."""
    for kept in before.iterdir():
        target = var / kept.name
        shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
        kept.rename(target)


def undo_interrupted_restore(var: Path) -> None:
    """Undo a restore that was killed before it changed the database: put its saved files back."""
    for before in left_behind(var, BEFORE):
        put_back(before, var)
        shutil.rmtree(before)
    for done in left_behind(var, DONE):
        shutil.rmtree(done)


OTHERS = stat.S_IRWXG | stat.S_IRWXO


def close_to_others(folder: Path) -> int:
    """Remove other users' access to the folder and its contents; return the number of changed entries.

    Entries of other owners are left alone, and links are not followed.
    """
    closed = 0
    for path in _all(folder):
        with contextlib.suppress(PermissionError, FileNotFoundError):
            mode = path.lstat().st_mode
            if mode & OTHERS and not stat.S_ISLNK(mode):
                path.chmod(stat.S_IMODE(mode) & ~OTHERS)
                closed += 1
    return closed


def _all(folder: Path) -> Iterator[Path]:
    yield folder
    for root, folders, files in os.walk(folder):
        yield from (Path(root, name) for name in (*folders, *files))
