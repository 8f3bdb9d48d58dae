"""The cache of drawn pages, and the fingerprint that is part of all its keys.

Files are written completely and then renamed, so that any number of workers can share the folder without a lock. A
batch is named after its contents. Files that are missing, truncated or unreadable are drawn again. The fingerprint is a
hash of everything that affects the look of a page besides its contents.
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
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings

from rosters.card_layout import CardSize
from rosters.card_layout.page import SILHOUETTES_FILE
from rosters.paper import weasyprint_inside
from rosters.paper.engine import STATIC_DIR

MAX_BYTES = 200 * 1024 * 1024  # size of all batches
KEPT_BYTES = MAX_BYTES * 3 // 4  # size down to which the oldest batches are dropped
UNFINISHED = "."  # prefix of the names of files that are still being written
TOUCH_SECONDS = 3600  # a batch in use is marked as used at most this often

Note = Mapping[str, Any]  # stored as JSON


@dataclass(frozen=True, slots=True)
class PageRef:
    """A page in a batch."""

    batch: Path
    page: int
    missing: str = ""  # characters on the page that no font has


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn card: its two sides, and its text in reading order for screen readers.

    Drawn pages are larger than the card by the bleed on every side.
    """

    front: PageRef
    back: PageRef | None  # None if the back is empty
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
    """Store a batch of pages; `keys` and `missing` (characters that no font has) are in page order."""
    name = hashlib.sha256(pdf).hexdigest()
    _write(_batch(name), pdf)
    for page, (key, lacks) in enumerate(zip(keys, missing, strict=True)):
        _write(_place("pages", key), _json({"batch": name, "page": page, "missing": lacks}))
    _prune(keep=name)
    return [PageRef(_batch(name), page, lacks) for page, lacks in enumerate(missing)]


def find_item(key: str) -> Note | None:
    """Return the stored note about an item's cards; None if there is none."""
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
    """Return whether the batch exists and its contents match its name; if they don't, delete it."""
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
    """If the cache is too large, drop the batches that were unused for longest, and the notes about them."""
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
    """Return the keys of all pages in a note about an item."""
    return [card[side] for card in note.get("cards", []) for side in ("front", "back") if card[side]]


def _drop(kind: str, is_kept: Callable[[Note], bool]) -> None:
    for path in (folder() / kind).glob("*/*.json"):
        note = _read(path)
        if note is None or not is_kept(note):
            path.unlink(missing_ok=True)


def find_page_pdf(key: str) -> tuple[bytes, str] | None:
    """Return the PDF of a cached page item, and the characters that no font has; None if it isn't cached."""
    ref = find(key)
    if ref is None:
        return None
    try:
        return ref.batch.read_bytes(), ref.missing
    except FileNotFoundError:
        return None


ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    *(
        (ROOT / "rosters" / name, ("*.py",))
        for name in ("card_layout", "paper", "products", "printing", "templatetags")
    ),
    (ROOT / "rosters", ("unit_cache.py",)),
    (ROOT / "systems", ("*.py", "*.toml", "*.html")),
    (ROOT / "templates" / "print", ("*.html",)),
    (STATIC_DIR / "css", ("print-*.css",)),
    (STATIC_DIR / "fonts" / "print", ("*.ttf",)),
    (SILHOUETTES_FILE.parent, (SILHOUETTES_FILE.name,)),
)
LIBRARIES = ("weasyprint", "pydyf", "fonttools", "pikepdf", "segno")


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Return a hash of code, templates, style sheets, catalogues, fonts, silhouettes and library versions."""
    hashed = hashlib.sha256()
    for folder, patterns in SOURCES:
        for path in sorted(path for pattern in patterns for path in folder.rglob(pattern)):
            hashed.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode())
            hashed.update(path.read_bytes())
    for name, number in sorted(versions().items()):
        hashed.update(f"{name} {number}\n".encode())
    return hashed.hexdigest()


def key_of(*facts: object) -> str:
    """Return the cache key of contents with these facts (JSON values), drawn by the current code."""
    text = json.dumps([fingerprint(), *facts], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def versions() -> dict[str, str]:
    """Return the versions of all drawing libraries."""
    return {name: version(name) for name in LIBRARIES} | weasyprint_inside.versions()
