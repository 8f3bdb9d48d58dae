"""Card pages kept between prints: PDF batches in a folder, where each page is, and which pages are the cards of an item.

Files are written whole and renamed into place, so that any number of workers may share the folder without a lock.
A batch is named by its contents. Whatever is missing, cut short or unreadable is simply drawn again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from rosters.paper.layout import CardSize

MAX_BYTES = 200 * 1024 * 1024  # of batches
KEPT_BYTES = MAX_BYTES * 3 // 4  # after the oldest were dropped
UNFINISHED = "."  # how the name of a file begins that is still being written
TOUCH_SECONDS = 3600  # a batch in use is marked as such this often

Note = Mapping[str, Any]  # kept as JSON


@dataclass(frozen=True, slots=True)
class PageRef:
    """A page of a batch."""

    batch: Path
    page: int
    missing: str = ""  # characters on it that no font had


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card as drawn: its two sides, and its text in reading order for those who hear it. Drawn pages may be larger than
    the card by the same bleed on every side."""

    front: PageRef
    back: PageRef | None  # None: nothing is on it
    size: CardSize
    text: str


def folder() -> Path:
    return _made(str(settings.VAR_DIR))


@lru_cache(maxsize=8)
def _made(var: str) -> Path:
    path = Path(var) / "cards"
    path.mkdir(parents=True, exist_ok=True)
    return path


def find(key: str) -> PageRef | None:
    found = _read(_place("pages", key))
    match found:
        case {"batch": str(name), "page": int(page), "missing": str(missing)} if _is_whole(name):
            return PageRef(_batch(name), page, missing)
    return None


def store(pdf: bytes, keys: Sequence[str], missing: Sequence[str]) -> list[PageRef]:
    """Keeps a batch whose pages have these keys and lack these characters, in order."""
    name = hashlib.sha256(pdf).hexdigest()
    _write(_batch(name), pdf)
    for page, (key, lacks) in enumerate(zip(keys, missing, strict=True)):
        _write(_place("pages", key), _json({"batch": name, "page": page, "missing": lacks}))
    _prune(keep=name)
    return [PageRef(_batch(name), page, lacks) for page, lacks in enumerate(missing)]


def find_item(key: str) -> Note | None:
    """What was noted about an item's cards."""
    return _read(_place("items", key))


def store_item(key: str, note: Note) -> None:
    _write(_place("items", key), _json(note))


# --- files ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _batch_in(folder: Path, name: str) -> Path:
    return folder / f"{name}.pdf"


def _batch(name: str) -> Path:
    return _batch_in(folder(), name)


def _place(kind: str, key: str) -> Path:
    return Path(f"{folder()}/{kind}/{key[:2]}/{key}.json")


def _json(note: Note) -> bytes:
    return json.dumps(note, ensure_ascii=False, separators=(",", ":")).encode()


def _read(path: Path) -> Note | None:
    try:
        note = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return note if isinstance(note, dict) else None


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:  # a full disk
        os.unlink(temporary)
        raise


def _is_whole(name: str) -> bool:
    """True if the batch is there and is what its name says; one that is not goes."""
    path = _batch(name)
    try:
        status = path.stat()
        if _digest(path, status.st_mtime_ns, status.st_size) != name:
            path.unlink(missing_ok=True)
            return False
        if time.time() - status.st_mtime > TOUCH_SECONDS:
            os.utime(path)
    except OSError:
        return False
    return True


@lru_cache(maxsize=512)
def _digest(path: Path, _changed: int, _size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _prune(keep: str) -> None:
    """Beyond the size that the cache may have, drops the batches that were not used for longest, and notes about them."""
    batches = []
    for path in folder().glob("*.pdf"):
        try:
            status = path.stat()
        except FileNotFoundError:
            continue
        batches.append((status.st_mtime, status.st_size, path))
    total = sum(size for _, size, _ in batches)
    if total <= MAX_BYTES:
        return
    for _, size, path in sorted(batches):
        if total <= KEPT_BYTES:
            break
        if path.stem != keep:
            path.unlink(missing_ok=True)
            total -= size
    left = {path.stem for path in folder().glob("*.pdf")}
    _drop("pages", lambda note: note.get("batch") in left)
    _drop("items", lambda note: all(_place("pages", key).exists() for key in pages_of(note)))


def pages_of(note: Note) -> Iterable[str]:
    """Keys of the pages that a note about an item names."""
    return [card[side] for card in note.get("cards", []) for side in ("front", "back") if card[side]]


def _drop(kind: str, is_kept: Callable[[Note], bool]) -> None:
    for path in (folder() / kind).glob("*/*.json"):
        note = _read(path)
        if note is None or not is_kept(note):
            path.unlink(missing_ok=True)


def find_page_pdf(key: str) -> tuple[bytes, str] | None:
    """A page item's PDF and the characters that no font had, if it was kept."""
    ref = find(key)
    if ref is None:
        return None
    try:
        return ref.batch.read_bytes(), ref.missing
    except FileNotFoundError:
        return None
