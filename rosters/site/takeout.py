"""What a player takes along when he takes his data: each app says which files there are of its own.

A file is its path in the ZIP and its text. What a document format exists for comes in that format, so that another
Muster takes it in; secrets never come along.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.text import slugify

from rosters.models import Player

File = tuple[str, str | bytes]  # path, and what is in it


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some files of one kind; `path` and `about` are their line in the README."""

    path: str
    about: str
    files: Callable[[Player], Iterable[File]]


def to_json_text(data: object) -> str:
    """JSON to be read by people too."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def isoformat(moment: datetime | None) -> str | None:
    """A time as documents have it."""
    return moment.astimezone(UTC).isoformat() if moment else None


def named(folder: str, number: int, name: str, ending: str = "json") -> str:
    """The path of one of many: `companies/12-iron-hounds.json`."""
    return f"{folder}/{'-'.join(filter(None, [str(number), slugify(name)[:40]]))}.{ending}"
