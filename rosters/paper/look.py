"""Fingerprint of everything besides the contents that decides how paper looks: all cache keys include it."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from rosters.paper import weasyprint_inside
from rosters.paper.engine import STATIC_DIR
from rosters.paper.layout import shapes

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    (ROOT / "rosters" / "paper", ("*.py",)),
    (ROOT / "rosters" / "templatetags", ("*.py",)),
    (ROOT / "rosters", ("bodies.py",)),
    (ROOT / "systems", ("*.py", "*.toml", "*.html")),
    (ROOT / "templates" / "print", ("*.html",)),
    (STATIC_DIR / "css", ("print-*.css",)),
    (STATIC_DIR / "fonts" / "print", ("*.ttf",)),
    (shapes.SILHOUETTES_FILE.parent, (shapes.SILHOUETTES_FILE.name,)),
)
LIBRARIES = ("weasyprint", "pydyf", "fonttools", "pikepdf", "segno")


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Return a hash of code, templates, style sheets, catalogues, fonts, silhouettes and the versions of libraries."""
    hashed = hashlib.sha256()
    for folder, patterns in SOURCES:
        for path in sorted(path for pattern in patterns for path in folder.rglob(pattern)):
            hashed.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode())
            hashed.update(path.read_bytes())
    for name, number in sorted(versions().items()):
        hashed.update(f"{name} {number}\n".encode())
    return hashed.hexdigest()


def key_of(*facts: object) -> str:
    """Return the cache key for contents with these facts (JSON values), drawn by this version of the code."""
    text = json.dumps([fingerprint(), *facts], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def versions() -> dict[str, str]:
    """Return the versions of all drawing libraries."""
    return {name: version(name) for name in LIBRARIES} | weasyprint_inside.versions()
