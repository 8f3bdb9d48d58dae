"""Card pages kept between prints: PDF batches in a folder, and for each card key a small file that says where it is.

Files are written whole and renamed into place, so that any number of workers may share the folder without a lock.
Whatever is missing or unreadable is simply drawn again.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

MAX_BYTES = 200 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class PageRef:
    """A page of a batch."""

    batch: Path
    page: int
    missing: str = ""  # characters on it that no font had


def folder() -> Path:
    path = Path(settings.VAR_DIR) / "cards"
    path.mkdir(parents=True, exist_ok=True)
    return path


def find(key: str) -> PageRef | None:
    try:
        place = (folder() / "keys" / key[:2] / key).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    match = re.fullmatch(r"([0-9a-f]{64}) (\d{1,4}) (.*)", place, re.DOTALL)
    if match is None:
        return None
    batch = folder() / f"{match[1]}.pdf"
    return PageRef(batch, int(match[2]), match[3]) if batch.exists() else None


def store(pdf: bytes, keys: Sequence[str], missing: Sequence[str]) -> list[PageRef]:
    """Keeps a batch whose pages have these keys and lack these characters, in order."""
    name = hashlib.sha256(pdf).hexdigest()
    batch = folder() / f"{name}.pdf"
    _write(batch, pdf)
    for page, (key, lacks) in enumerate(zip(keys, missing, strict=True)):
        _write(folder() / "keys" / key[:2] / key, f"{name} {page} {lacks}".encode())
    _prune(keep=batch)
    return [PageRef(batch, page, lacks) for page, lacks in enumerate(missing)]


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.replace(temporary, path)


def _prune(keep: Path) -> None:
    """Drops the oldest batches beyond the size that the cache may have."""
    batches = []
    for path in folder().glob("*.pdf"):
        try:
            status = path.stat()
        except FileNotFoundError:
            continue
        batches.append((status.st_mtime, status.st_size, path))
    total = sum(size for _, size, _ in batches)
    for _, size, path in sorted(batches):
        if total <= MAX_BYTES:
            return
        if path != keep:
            path.unlink(missing_ok=True)
            total -= size


def find_page_pdf(key: str) -> tuple[bytes, str] | None:
    """A page item's PDF and the characters that no font had, if it was kept."""
    ref = find(key)
    if ref is None:
        return None
    try:
        return ref.batch.read_bytes(), ref.missing
    except FileNotFoundError:
        return None


def store_page_pdf(key: str, pdf: bytes, missing: str) -> None:
    """Keeps a page item's PDF whole."""
    store(pdf, [key], [missing])
