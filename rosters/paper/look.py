"""The fingerprint of all that decides how paper looks beside what is printed: whatever is kept is keyed with it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from itertools import count
from pathlib import Path

from rosters.paper.engine import STATIC_DIR, weasyprint

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    (ROOT / "rosters" / "paper", ("*.py",)),
    (ROOT / "systems", ("*.py", "*.toml", "*.html")),
    (ROOT / "templates" / "print", ("*.html",)),
    (STATIC_DIR / "css", ("print-*.css",)),
    (STATIC_DIR / "fonts" / "print", ("*.ttf",)),
)
LIBRARIES = ("weasyprint", "pydyf", "fonttools", "pikepdf", "segno")


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Hash of our code, templates, style sheets, catalogues and fonts, and of the versions of what draws with them."""
    hashed = hashlib.sha256()
    for folder, patterns in SOURCES:
        for path in sorted(path for pattern in patterns for path in folder.rglob(pattern)):
            hashed.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode())
            hashed.update(path.read_bytes())
    for name, number in sorted(versions().items()):
        hashed.update(f"{name} {number}\n".encode())
    return hashed.hexdigest()


def versions() -> dict[str, str]:
    """Versions of the libraries that draw, and how many fonts the system has to stand in for ours."""
    weasyprint()
    from weasyprint.text.ffi import ffi, fontconfig, harfbuzz, pango

    config = ffi.gc(fontconfig.FcInitLoadConfigAndFonts(), fontconfig.FcConfigDestroy)
    found = {name: version(name) for name in LIBRARIES}
    found["pango"] = str(pango.pango_version())
    found["harfbuzz"] = _harfbuzz(harfbuzz.hb_version_atleast)
    found["system fonts"] = str(fontconfig.FcConfigGetFonts(config, fontconfig.FcSetSystem).nfont)
    return found


def _harfbuzz(is_at_least: Callable[[int, int, int], bool]) -> str:
    """The version of HarfBuzz, of which WeasyPrint only offers a comparison."""
    found: tuple[int, ...] = ()
    for _ in range(3):
        parts = (part for part in count() if not is_at_least(*(*found, part + 1, 0, 0)[:3]))
        found += (next(parts),)
    return ".".join(map(str, found))
