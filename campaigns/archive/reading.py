"""Open an uploaded archive, upgrade rows of older ones, or refuse it with a sentence that says what is wrong.

Nothing in it is trusted: sizes are limited, every file must have the digest in the manifest, and every value must fit
its field. Restoring checks whether the rows agree with each other. A new field gets its default; a renamed, removed or
redefined one needs a row upgrade, named after the migration that changed the table and applied to archives made before
it.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, NoReturn

from django.core.exceptions import ValidationError
from django.db import models

from campaigns.archive.packing import (
    ARCHIVE_FORMAT,
    MANIFEST,
    MAX_BYTES,
    MAX_LINE_BYTES,
    MAX_LISTING_BYTES,
    MAX_MANIFEST_BYTES,
    MAX_UNPACKED_BYTES,
    README,
    ArchiveFile,
    Manifest,
    migrations_here,
    path_of,
)
from campaigns.archive.tables import TABLE_RULES, archived_fields, clean_json, python_value, related_label
from campaigns.results.imported_table import kills_as_figures
from rosters.services import RefusedError
from systems.documents import DocumentError, parse_document

OlderRow = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RowUpgrade:
    """An upgrade of rows. `since`: the migration, for example "campaigns.0110_club_archives"."""

    since: str
    change: Callable[[str, OlderRow], OlderRow]  # table and archived row -> upgraded row


def upgrade_odds(table: str, row: OlderRow) -> OlderRow:
    """Switch odds on for drafts and for campaigns that play absent players' matches by orders, as before the switch."""
    if table != "campaigns.Campaign" or "counts_odds" in row:
        return row
    return row | {"counts_odds": row.get("state") == "draft" or row.get("absent_rule") == "orders"}


def upgrade_season_points(table: str, row: OlderRow) -> OlderRow:
    """Let games of a season have different points unless the archive says otherwise, as before there was a choice."""
    return {"points_may_differ": True, **row} if table == "campaigns.Season" else row


def upgrade_imported_kills(table: str, row: OlderRow) -> OlderRow:
    """Store the kills of imported results as figures, since they didn't count in the standings before."""
    if table != "campaigns.Match" or row.get("figures") or row.get("decided_by") != "import":
        return row
    past = row.get("past") or {}
    return row | {"figures": kills_as_figures(past.get("attacker_kills"), past.get("defender_kills"))}


KEPT_HOUSE_RULES = {
    "mech-campaign": {"heavy-limit": "half"},
    "hex-core": {"freeze-roll": "at-or-under", "two-handed": "both-hands"},
}


def upgrade_house_rules(table: str, row: OlderRow) -> OlderRow:
    """Keep the house rules of campaigns that had begun before the defaults changed."""
    if table != "campaigns.Campaign" or row.get("state") == "draft":
        return row
    return row | {"options": KEPT_HOUSE_RULES.get(row.get("system", ""), {}) | (row.get("options") or {})}


RENAMED_TABLES = {  # table -> its name in archives made before campaigns.0260 and rosters.0050
    "campaigns.ActivityLogEntry": "campaigns.DiaryEntry",
    "campaigns.ArbiterConsent": "campaigns.JudgeConsent",
    "campaigns.CatalogueUpgrade": "campaigns.ReleaseAdoption",
    "campaigns.ClubDisplay": "campaigns.Wall",
    "campaigns.CupEntrant": "campaigns.CupPlace",
    "campaigns.MatchPreparation": "campaigns.MatchMuster",
    "campaigns.MatchmakingOffer": "campaigns.EvenGame",
    "campaigns.Storyline": "campaigns.Arc",
    "campaigns.StorylineRole": "campaigns.ArcRole",
    "campaigns.StorylineRound": "campaigns.ArcRound",
    "campaigns.SubmittedList": "campaigns.MatchForce",
    "campaigns.WatchParty": "campaigns.Premiere",
    "rosters.Description": "rosters.Words",
}


RENAMED_FIELDS = {  # table -> name of a field -> its name in archives made before campaigns.0270
    "campaigns.SeasonPairing": {"blocked_reason": "obstacle", "proposing_side": "proposing"},
    "campaigns.StorylineRole": {"storyline": "arc"},
    "campaigns.StorylineRound": {"storyline": "arc"},
    "campaigns.WatchParty": {"is_cancelled": "is_off"},
    "campaigns.Webhook": {
        "created_at": "at",
        "created_by": "by",
        "disabled_reason": "off_because",
        "enabled": "is_on",
    },
}


RENAMED_TIMES_AND_PLAYERS = {  # the same, for archives made before campaigns.0280
    "battles.LiveEvent": {"occurred_at": "at"},
    "battles.LiveSeat": {"joined_at": "at"},
    "battles.LiveTable": {"created_at": "at"},
    "battles.Record": {"created_at": "at"},
    "battles.SealedDice": {"sealed_at": "at"},
    "campaigns.ActivityLogEntry": {"created_at": "at", "created_by": "by"},
    "campaigns.ArbiterConsent": {"created_at": "at", "created_by": "by"},
    "campaigns.ClubDisplay": {"created_at": "at", "created_by": "by"},
    "campaigns.Friendly": {"created_at": "at", "created_by": "by"},
    "campaigns.Gazette": {"published_at": "at", "published_by": "by"},
    "campaigns.MatchPreparation": {"rolled_by": "by"},
    "campaigns.MatchmakingOffer": {"created_at": "at"},
    "campaigns.Report": {"submitted_at": "at", "submitted_by": "by"},
    "campaigns.Ruling": {"decided_at": "at", "decided_by": "by"},
    "campaigns.SeasonEntrant": {"joined_at": "at"},
    "campaigns.SubmittedList": {"submitted_at": "at", "submitted_by": "by"},
    "campaigns.SupportRoll": {"created_at": "at"},
    "campaigns.WatchParty": {"announced_by": "by", "starts_at": "at"},
    "rosters.LedgerEntry": {"created_at": "at", "created_by": "by"},
}


def field_renames(renamed: Mapping[str, Mapping[str, str]]) -> Callable[[str, OlderRow], OlderRow]:
    """Return an upgrade that renames fields. `renamed`: table -> name of a field -> its older name."""
    new_names = {table: {old: new for new, old in names.items()} for table, names in renamed.items()}

    def upgrade(table: str, row: OlderRow) -> OlderRow:
        names = new_names.get(table, {})
        return {names.get(name, name): value for name, value in row.items()}

    return upgrade


ROW_UPGRADES: tuple[RowUpgrade, ...] = (  # oldest first
    RowUpgrade("campaigns.0180_odds_of_their_own", upgrade_odds),
    RowUpgrade("campaigns.0201_points_of_seasons", upgrade_season_points),
    RowUpgrade("campaigns.0211_kills_of_imported_results", upgrade_imported_kills),
    RowUpgrade("campaigns.0220_kept_house_rules", upgrade_house_rules),
    RowUpgrade("campaigns.0270_standard_field_names", field_renames(RENAMED_FIELDS)),
    RowUpgrade("campaigns.0280_names_of_times_and_players", field_renames(RENAMED_TIMES_AND_PLAYERS)),
)


Row = dict[str, Any]
MAX_VALUES = 200_000  # in a manifest
END_SIGNATURE, LOCATOR_64_SIGNATURE = (
    b"PK\x05\x06",
    b"PK\x06\x07",
)  # signatures of the last record of a ZIP, and its size in bytes:
MIN_END, MAX_END = 22, 65_558
LOCATOR_64_SIZE = 20  # bytes before the last record, in a ZIP too large for the record's own fields
MAX_HEAD = 4096  # bytes in which an old document names its format
CLUB_1 = re.compile(rb'"muster"\s*:\s*"club/1"')
CLUB_1_REFUSED = (
    "This is a club/1 file from an older Muster, which can't be restored here. "
    "Create a backup on the Muster that wrote it, and restore that."
)
ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, UnicodeDecodeError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """An archive whose files are complete and match their digests."""

    zip: zipfile.ZipFile
    manifest: Manifest
    lifts: tuple[RowUpgrade, ...]  # upgrades that its rows need to be read here
    is_older: bool  # than this Muster: fields may have been added since

    def count(self, label: str) -> int:
        """Return the number of rows of the table."""
        file = self.manifest.files.get(self._path_of(label))
        return file.rows if file else 0

    def rows(self, label: str, change: Callable[[str], str] = lambda line: line) -> Iterator[Row]:
        """Yield the rows of a table, with values as fields hold them and keys as numbers of the archive.

        `change` is applied to each line first.
        """
        path = self._path_of(label)
        if path not in self.manifest.files:
            return
        fields = [(field.name, field, related_label(field)) for field in archived_fields(label)]
        known = {name for name, *_ in fields}
        for number, line in enumerate(_lines(self.zip, path), start=1):
            where = f"{path}, line {number}"
            row = self._upgrade_row(label, _parse_row(change(line), where), known)
            yield {name: self._value(field, target, row, where) for name, field, target in fields}

    def _path_of(self, label: str) -> str:
        """Return the path of the table's file, which has the table's old name in an older archive."""
        path = path_of(label)
        if path not in self.manifest.files and label in RENAMED_TABLES:
            return path_of(RENAMED_TABLES[label])
        return path

    def _upgrade_row(self, label: str, row: Row, known: set[str]) -> Row:
        for lift in self.lifts:
            row = lift.change(label, row)
        if unknown := sorted(row.keys() - known):
            refuse(f"{path_of(label)}: {ascii(unknown[0][:60])} is an unknown field")
        return row

    def _value(self, field: models.Field[Any, Any], target: str | None, row: Row, where: str) -> object:
        if field.name not in row:
            if self.is_older:
                return field.get_default()
            refuse(f"{where}: {field.name} is missing")
        value = row[field.name] if field.name == "username" else clean_json(row[field.name])
        if target:
            return self._reference(field, target, value, where)
        try:
            return python_value(field, value)
        except (ValidationError, ValueError, TypeError, OverflowError) as error:
            reason = " ".join(error.messages) if isinstance(error, ValidationError) else "can't be read"
            refuse(f"{where}: {field.name}: {reason}")

    def _reference(self, field: models.Field[Any, Any], target: str, value: object, where: str) -> int | None:
        if value is None and field.null:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= self.count(target):
            refuse(f"{where}: {field.name} names a row that is not there")
        return value


@contextmanager
def open_archive(file: IO[bytes], step: Callable[[int], object] = lambda done: None) -> Iterator[Archive]:
    """Open the archive and check every file against its digest; calls `step` after each. Raise RefusedError."""
    _check_size(file)
    try:
        with zipfile.ZipFile(file) as held:
            manifest = _manifest(held)
            _check_files(held, manifest, step)
            yield Archive(zip=held, manifest=manifest, lifts=_needed_upgrades(manifest), is_older=_is_older(manifest))
    except ZIP_ERRORS as error:
        raise RefusedError("file", f"This file isn't a complete club backup: {_describe_error(error)}.") from None


def read_manifest(file: IO[bytes]) -> Manifest:
    """Return the archive's manifest without reading its other files. Raise RefusedError."""
    _check_size(file)
    try:
        with zipfile.ZipFile(file) as held:
            return _manifest(held)
    except ZIP_ERRORS as error:
        raise RefusedError("file", f"This file isn't a complete club backup: {_describe_error(error)}.") from None


def refuse(what: str) -> NoReturn:
    raise RefusedError("file", f"This backup can't be restored: {what}.")


def _check_size(file: IO[bytes]) -> None:
    """Refuse a file that is too large, or whose list of files is: reading that list alone would fill the memory."""
    file.seek(0, 2)
    size = file.tell()
    if size > MAX_BYTES:
        refuse(f"it is larger than {MAX_BYTES // 1024**2} MB")
    file.seek(max(0, size - MAX_END - LOCATOR_64_SIZE))
    tail = file.read(MAX_END + LOCATOR_64_SIZE)
    at = tail.rfind(END_SIGNATURE)
    if len(tail) - at < MIN_END:
        at = len(tail) - MIN_END  # a signature so late is part of the last record's own data, if there is a record
    if at < 0 or not tail.startswith(END_SIGNATURE, at):
        file.seek(0)
        if CLUB_1.search(file.read(MAX_HEAD)):
            raise RefusedError("file", CLUB_1_REFUSED)
        return  # not a ZIP; opening it raises the error
    listing_size = int.from_bytes(tail[at + 12 : at + 16], "little")
    if listing_size > MAX_LISTING_BYTES or LOCATOR_64_SIGNATURE in tail[max(0, at - LOCATOR_64_SIZE) : at]:
        refuse("it contains too many files")


def _describe_error(error: Exception) -> str:
    if isinstance(error, zipfile.BadZipFile):
        return "it is cut off, damaged or not a ZIP file"
    return "it is cut off or damaged"


def _manifest(held: zipfile.ZipFile) -> Manifest:
    members = held.infolist()
    names = [each.filename for each in members]
    if MANIFEST not in names:
        refuse(f"it contains no {MANIFEST}")
    if len(set(names)) != len(names):
        refuse("it contains a file twice")
    if sum(each.file_size for each in members) > MAX_UNPACKED_BYTES:
        refuse(f"unpacked, it is larger than {MAX_UNPACKED_BYTES // 1024**2} MB")
    if held.getinfo(MANIFEST).file_size > MAX_MANIFEST_BYTES:
        refuse(f"its {MANIFEST} is too large")
    data = held.read(MANIFEST)
    _check_format(data)
    try:
        manifest = parse_document(Manifest, data, most=MAX_MANIFEST_BYTES, most_values=MAX_VALUES)
    except DocumentError as error:
        refuse(f"{MANIFEST}: {error}")
    _check_version(manifest.migrations)
    if unknown := sorted(set(names) - {MANIFEST, README, *manifest.files}):
        refuse(f"{ascii(unknown[0][:80])} doesn't belong in it")
    if missing := sorted(set(manifest.files) - set(names)):
        refuse(f"{ascii(missing[0][:80])} is missing")
    if unknown := sorted(set(manifest.files) - {path_of(label) for label in (*TABLE_RULES, *RENAMED_TABLES.values())}):
        refuse(f"{ascii(unknown[0][:80])} is unknown to this Muster")
    people = tuple(each.model_copy(update={"shown": clean_json(each.shown)}) for each in manifest.people)
    return manifest.model_copy(update={"club": clean_json(manifest.club), "people": people})


def _check_format(data: bytes) -> None:
    """Refuse another format before its fields are read, as a newer one may have other fields."""
    try:
        found = json.loads(data).get("muster")
    except (ValueError, AttributeError, RecursionError):
        refuse(f"its {MANIFEST} can't be read")
    if isinstance(found, str) and found.startswith("club-archive/") and found != ARCHIVE_FORMAT:
        refuse(f"its format {found[:40]} is newer than this Muster; update this one first")


def _check_version(migrations: Mapping[str, tuple[str, ...]]) -> None:
    here = migrations_here()
    for app, names in migrations.items():
        if unknown := sorted(set(names) - set(here.get(app, ()))):
            refuse(f"it comes from a newer Muster (with {app}.{unknown[0]}); update this one first")


def _needed_upgrades(manifest: Manifest) -> tuple[RowUpgrade, ...]:
    had = {f"{app}.{name}" for app, names in manifest.migrations.items() for name in names}
    return tuple(lift for lift in ROW_UPGRADES if lift.since not in had)


def _is_older(manifest: Manifest) -> bool:
    return any(set(names) - set(manifest.migrations.get(app, ())) for app, names in migrations_here().items())


def _check_files(held: zipfile.ZipFile, manifest: Manifest, step: Callable[[int], object]) -> None:
    for done, (path, file) in enumerate(manifest.files.items(), start=1):
        _check_file(held, path, file)
        step(done)


def _check_file(held: zipfile.ZipFile, path: str, file: ArchiveFile) -> None:
    digest, size, rows = hashlib.sha256(), 0, 0
    with held.open(path) as opened_file:
        while data := opened_file.read(1024 * 1024):
            digest.update(data)
            size, rows = size + len(data), rows + data.count(b"\n")
    if (digest.hexdigest(), size, rows) != (file.sha256, file.bytes, file.rows):
        refuse(f"{path} was changed after the backup: its digest differs")


def _lines(held: zipfile.ZipFile, path: str) -> Iterator[str]:
    with held.open(path) as file:
        while line := file.readline(MAX_LINE_BYTES + 1):
            if len(line) > MAX_LINE_BYTES:
                refuse(f"{path}: a row is too large")
            yield line.decode()


def _parse_row(line: str, where: str) -> Row:
    try:
        row = json.loads(line, parse_constant=lambda text: refuse(f"{where}: {text} isn't a number"))
    except (ValueError, RecursionError):
        refuse(f"{where} can't be read")
    if not isinstance(row, dict) or "\\u0000" in line or "\x00" in line:
        refuse(f"{where} can't be read")
    return row
