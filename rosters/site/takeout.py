"""The archive of a player's data: each app provides its own files.

A file is its path in the ZIP and its text. Anything with a document format is in that format, so that another Muster
can import it; secrets are never included.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.text import slugify

from rosters.models import Player

ExportFile = tuple[str, str | bytes]  # path and contents


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportPart:
    """Files of one kind; `path` and `about` are their line in the README."""

    path: str
    about: str
    files: Callable[[Player], Iterable[ExportFile]]


def to_json_text(data: object) -> str:
    """Return readable JSON."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def isoformat(moment: datetime | None) -> str | None:
    """Return a time in the format of documents."""
    return moment.astimezone(UTC).isoformat() if moment else None


def file_path(folder: str, number: int, name: str, ending: str = "json") -> str:
    """Return the path of one file of many: `companies/12-iron-hounds.json`."""
    return f"{folder}/{'-'.join(filter(None, [str(number), slugify(name)[:40]]))}.{ending}"
