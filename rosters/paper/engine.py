"""WeasyPrint with restrictions: no network, only our own static files, and a clear error if Pango is missing."""

from __future__ import annotations

import gc
import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from pikepdf import Pdf
    from weasyprint import Document

STATIC_DIR = Path(__file__).resolve().parents[2] / "static"
PACKAGES = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
FONT_PACKAGES = "fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji"

for chatty in ("weasyprint.progress", "pikepdf"):
    logging.getLogger(chatty).setLevel(logging.WARNING)


class MissingPangoError(RuntimeError):
    """Raised if the libraries that draw PDFs aren't installed on this machine."""

    def __init__(self) -> None:
        super().__init__(f"PDF needs Pango on this machine: apt-get install --no-install-recommends {PACKAGES}")


@lru_cache(maxsize=1)
def weasyprint() -> ModuleType:
    """Return the WeasyPrint module, imported on first use because that takes half a second; MissingPangoError."""
    try:
        return import_module("weasyprint")
    except OSError as error:
        raise MissingPangoError from error


@lru_cache(maxsize=1)
def fetcher() -> object:
    class StaticFetcher(weasyprint().urls.URLFetcher):  # type: ignore[misc]
        """Reads data: URLs and files under static/; refuses everything else, above all the network."""

        def fetch(self, url: str, headers: object = None) -> object:
            parts = urlsplit(url)
            if parts.scheme == "file":
                path = Path(unquote(parts.path)).resolve()
                if not path.is_relative_to(STATIC_DIR):
                    raise ValueError(f"{url} is not one of our static files")
            elif parts.scheme != "data":
                raise ValueError(f"{url} is not fetched while printing")
            return super().fetch(url, headers)

    return StaticFetcher(allowed_protocols={"data", "file"}, allow_redirects=False)


def page_document(html: str) -> Document:
    """Lay out an HTML page as a WeasyPrint document; relative URLs start at static/css/."""
    page = weasyprint().HTML(string=html, base_url=f"{STATIC_DIR.as_uri()}/css/", url_fetcher=fetcher())
    with no_collection():
        return page.render()


def write_pdf(document: Document) -> bytes:
    """Return the document as a tagged PDF (PDF/UA-1); the same document gives the same bytes."""
    pdf: bytes = document.write_pdf(pdf_variant="pdf/ua-1")
    return pdf


_listeners: list[set[str]] = []


@contextmanager
def missing_glyphs() -> Iterator[set[str]]:
    """Collect the characters that no font on this machine has, while something is drawn or taken from the cache."""
    found: set[str] = set()
    _listeners.append(found)
    try:
        yield found
    finally:
        _listeners.pop()


def _listen(record: logging.LogRecord) -> bool:
    """Pass WeasyPrint's message about a missing glyph to the active collectors; log it only if there are none."""
    if not _listeners or ".notdef" not in str(record.msg) or not isinstance(record.args, tuple) or not record.args:
        return True
    report_missing(str(record.args[0]))
    return False


logging.getLogger("weasyprint").addFilter(_listen)


def report_missing(characters: str) -> None:
    """Report characters that were missing when a cached card was drawn."""
    for found in _listeners:
        found.update(characters)


def glyph_warning(characters: set[str]) -> str:
    """Return a warning about characters that were printed as empty boxes; empty if there are none."""
    if not characters:
        return ""
    listing = ", ".join(f"{character} (U+{ord(character):04X})" for character in sorted(characters)[:10])
    more = " and more" if len(characters) > 10 else ""
    return f"No font on this machine has {listing}{more}; apt-get install {FONT_PACKAGES} helps."


@contextmanager
def no_collection() -> Iterator[None]:
    """Turn off the garbage collector. Rendering creates many long-lived objects, and gets an eighth faster."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def open_pdf(data: bytes) -> Pdf:
    import pikepdf

    return pikepdf.open(io.BytesIO(data))
