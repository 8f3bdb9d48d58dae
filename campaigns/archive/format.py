"""The format of an archive: a ZIP of a manifest, a README and one file of JSON lines per table. No database access."""

from __future__ import annotations

from typing import Annotated, Literal

import pydantic

from rosters.documents.company import Moment
from systems.documents import Document

ARCHIVE_FORMAT: Literal["club-archive/1"] = "club-archive/1"
MANIFEST, README = "manifest.json", "README.txt"
MAX_BYTES = 64 * 1024 * 1024  # of a whole archive
MAX_UNPACKED_BYTES = 512 * 1024 * 1024
MAX_LISTING_BYTES = 512 * 1024  # of the ZIP's list of files
MAX_LINE_BYTES = 32 * 1024 * 1024  # bytes of a row
MAX_MANIFEST_BYTES = 2 * 1024 * 1024

Text = Annotated[str, pydantic.Field(max_length=200)]
Count = Annotated[int, pydantic.Field(ge=0, le=10_000_000)]
Digest = Annotated[str, pydantic.Field(pattern=r"^[0-9a-f]{64}$")]


class ArchiveFile(Document):
    """A file in the ZIP."""

    rows: Count
    bytes: Annotated[int, pydantic.Field(ge=0)]
    sha256: Digest


class ArchivePerson(Document):
    """A player in the archive. `role` is their role in the club, empty for non-members."""

    name: Text
    shown: Text
    role: Literal["organiser", "arbiter", "player", ""]


class ArchiveSums(Document):
    """The totals of a company's ledger."""

    balance: int
    units: Count
    pilots: Count
    kills: int
    games: int


class Manifest(Document):
    """The contents of the archive, and the version of Muster that wrote it."""

    muster: Literal["club-archive/1"]
    club: Annotated[str, pydantic.Field(min_length=1, max_length=60)]
    made_at: Moment
    migrations: Annotated[
        dict[Text, tuple[Text, ...]], pydantic.Field(max_length=100)
    ]  # all applied migrations, by app
    people: Annotated[tuple[ArchivePerson, ...], pydantic.Field(max_length=20_000)]
    files: Annotated[dict[Text, ArchiveFile], pydantic.Field(max_length=500)]
    sums: Annotated[tuple[ArchiveSums, ...], pydantic.Field(max_length=100_000)]  # of the companies, in order


def path_of(label: str) -> str:
    """Return the path of the file with the rows of a table."""
    return f"rows/{label.lower()}.jsonl"
