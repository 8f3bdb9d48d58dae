"""Protects Muster's files from other users of the machine."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def close_to_others(folder: Path) -> int:
    """Remove all access by others from the folder and its contents; return how many entries had some.

    Entries of other owners stay as they are, and links are not followed.
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
