"""Pack a club from the database into an archive: a ZIP of a manifest, a README and one file of JSON lines per table.

What is still hidden, and addresses that contain keys, are left out. Restoring an archive gives nobody their username:
it becomes the player's display name, and players choose a username when they take their place.
"""

from __future__ import annotations

import hashlib
import io
import json
import secrets
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import pydantic
from django.db import models
from django.db.models import Q

from campaigns.archive.scope import Scope, build_scope
from campaigns.archive.tables import (
    KEPT,
    archived_fields,
    clean_json,
    json_value,
    line_of,
    model_of,
    related_label,
    rows_of,
)
from campaigns.army_lists.legality import points_earned_in
from campaigns.enrolments.selectors import check_record_for_enrolment
from campaigns.models import (
    CampaignState,
    Club,
    Enrolment,
    Handicap,
    Match,
    MatchPreparation,
    MatchState,
    Membership,
    Placeholder,
    RoundClose,
    RoundState,
    SubmittedList,
    WatchParty,
)
from rosters.accounts.adapter import OF_A_GUEST, OF_A_PLACE, OF_ONE_WHO_LEFT
from rosters.database.operations import known_migrations
from rosters.database.transactions import read_snapshot
from rosters.documents.company import Moment
from rosters.ledger.records import company_record, company_records
from rosters.models import Company, Player
from rosters.services import RefusedError
from systems.documents import Document
from systems.ledger import CompanyRecord
from systems.setups import without_orders
from systems.text import pluralize, shorten_name

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


Row = dict[str, object]
EXCEPTION_HOLDS = "stands"  # replaces the hash of an exception that still holds for the company as it is now
NO_ADDRESS = "Restored from a backup without its address. Enter the address again, then switch it on."


def build_row(label: str, instance: Any, row: Row) -> Row:
    """Return the row as the archive holds it."""
    special = _ROW_CHANGES.get(label)
    return row | special(instance) if special else row


def exception_hash(row: Enrolment) -> str:
    """Return the hash of the enrolled company's present state."""
    company, campaign = row.company, row.campaign
    brought = points_earned_in(campaign, [company])[company.pk]
    return check_record_for_enrolment(company, company_record(company), campaign, brought).hash


def _webhook_changes(row: Any) -> Row:
    host = urlsplit(row.url).hostname
    return {"url": f"https://{host}/" if host else "", "enabled": False, "disabled_reason": NO_ADDRESS}


def _match_changes(row: Match) -> Row:
    """Drop the orders from an undecided match: they are private to each side until it is decided."""
    return {"setup": without_orders(row.setup)} if row.setup is not None and row.state in MatchState.undecided() else {}


def _submitted_list_changes(row: SubmittedList) -> Row:
    """Drop orders, dice words and salt from a list of an undecided match. Its hash can't be checked without them."""
    if row.match.state not in MatchState.undecided():
        return {"sealed_as": row.sealed_as or row.document}
    document = {name: value for name, value in row.document.items() if name not in ("orders", "standing")}
    return {"document": document, "sealed_as": None, "salt": "", "words": ""}


def _handicap_changes(row: Handicap) -> Row:
    """Drop the basis in an undecided match if the odds used the AI styles of autoplay orders."""
    names_orders = row.basis is not None and not row.basis.get("best_styles")
    return {"basis": None} if names_orders and row.match.state in MatchState.undecided() else {}


def _preparation_changes(row: Any) -> Row:
    if row.match.setup is not None:
        return {}
    return {"pilots": [], "rolls": [], "rolled": {}, "rolled_by": None, "rolled_at": None}


def _dice_changes(row: Any) -> Row:
    if row.revealed_at is not None:
        return {}
    is_hidden = MatchPreparation.objects.filter(dice=row, match__setup__isnull=True).exists()
    return {"words": [], "uses": [], "used_at": None} if is_hidden or row.used_at is None else {}


def _enrolment_changes(row: Any) -> Row:
    """Drop autoplay orders unless the campaign has ended: they are private to the player, like unrevealed lists.

    An exception that still holds gets STANDS in place of its hash.
    """
    changed: Row = {} if row.campaign.state == CampaignState.FINISHED else {"orders": {}}
    if row.exception_hash and row.exception_hash == exception_hash(row):
        changed["exception_hash"] = EXCEPTION_HOLDS
    return changed


_ROW_CHANGES: Mapping[str, Callable[[Any], Row]] = {
    "battles.SealedDice": _dice_changes,
    "campaigns.Enrolment": _enrolment_changes,
    "campaigns.Handicap": _handicap_changes,
    "campaigns.Match": _match_changes,
    "campaigns.SubmittedList": _submitted_list_changes,
    "campaigns.MatchPreparation": _preparation_changes,
    "campaigns.Webhook": _webhook_changes,
}


MAX_NAME_LENGTH = 60


def names_by_player(scope: Scope) -> Mapping[int, tuple[str, str]]:
    """Return the username and display name of each player in the archive, by id; at most two queries.

    Players who haven't taken their place keep the username of the archive they came with, unless somebody else has it.
    """
    kept = dict(Placeholder.objects.filter(player__in=scope.players).values_list("player", "username"))
    rows = Player.objects.filter(pk__in=scope.players).order_by("pk").values_list("pk", "username", "name_shown")
    taken = {username.lower() for pk, username, _ in rows if pk not in kept}
    found = {}
    for pk, username, name in rows:
        before = kept.get(pk, "")
        if before and before.lower() not in taken:
            username = before
        taken.add(username.lower())
        found[pk] = username, "" if name == display_name(username, "") else name
    return found


def new_usernames(usernames: Sequence[str], gone: Collection[int], ids: Sequence[int]) -> list[str]:
    """Return the usernames that the archive's players get here. None of them can be chosen at sign-up.

    `ids`: the ids that the players will have here. `gone`: the numbers, from 1, of players who had left before packing.
    """
    left = Player.objects.filter(username__istartswith="left-").values_list("username", flat=True)
    taken = {name.lower() for name in left} if gone else set()
    found = []
    for number, (username, pk) in enumerate(zip(usernames, ids, strict=True), start=1):
        if number not in gone:
            found.append(f"place-{secrets.token_hex(8)}")
            continue
        free = _free_username(username if OF_ONE_WHO_LEFT.fullmatch(username) else f"left-{pk}", taken)
        taken.add(free.lower())
        found.append(free)
    return found


def display_name(username: str, name: str) -> str:
    """Return the display name of a player of an archive."""
    return str(shorten_name(str(clean_json(name or username)), longest=MAX_NAME_LENGTH))


def suggested_username(place: Placeholder) -> str:
    """Return the username the player had in the archive if it can be used here, or an empty string."""
    name = place.username
    is_kept = any(kind.fullmatch(name) for kind in (OF_A_GUEST, OF_A_PLACE, OF_ONE_WHO_LEFT))
    return "" if is_kept or Player.objects.filter(username__iexact=name).exists() else name


def _free_username(name: str, taken: Collection[str]) -> str:
    """Return the name for a player who left, with a number if another player who left has it."""
    stem, free, number = "-".join(name.split("-")[:2]), name, 1
    while free.lower() in taken:
        number += 1
        free = f"{stem}-{number}"
    return free


CHUNK_SIZE = 500
PLAYERS = "rosters.Player"
SELECT_RELATED_TABLES = (
    "campaigns.Enrolment",
    "campaigns.Handicap",
    "campaigns.SubmittedList",
    "campaigns.MatchPreparation",
)  # tables that are read with select_related
DECIDING_WATCH_PARTIES = Q(match__round__state=RoundState.CLOSED) | Q(
    began_at__isnull=False
)  # watch parties that decide their match
Names = Mapping[int, tuple[str, str]]  # id of a player -> username and display name
Numbers = Mapping[str, Mapping[int, int]]  # table -> id -> number in the archive


@dataclass(frozen=True, slots=True, kw_only=True)
class _PackedTable:
    """The rows of a table as lines of JSON."""

    label: str
    lines: list[str]


def count_steps() -> int:
    """Return the number of steps that `pack_club` takes."""
    return len(KEPT)


def pack_club(club: Club, *, at: datetime, step: Callable[[int], object] = lambda done: None) -> bytes:
    """Return the ZIP, read from one snapshot; calls `step` with the number of tables written.

    Refuse while a round is being closed, and while a match waits to be decided by a watch party.
    """
    with read_snapshot():
        if RoundClose.objects.filter(round__campaign__club=club, status__in=("queued", "running")).exists():
            raise RefusedError("club", "A round is closing right now. Try again in a moment.")
        if (
            WatchParty.objects.filter(match__round__campaign__club=club, status__in=WatchParty.LIVE)
            .filter(DECIDING_WATCH_PARTIES)
            .exists()
        ):
            raise RefusedError(
                "club",
                "A match of a closed round is waiting for its watch party. Create the backup after that, or cancel the "
                "watch party.",
            )
        scope = _with_players(build_scope(club))
        numbers = {label: _numbers(label, scope) for label in KEPT}
        names = names_by_player(scope)
        tables = [_PackedTable(label=label, lines=list(_lines(label, scope, numbers, names))) for label in KEPT]
        people, sums = list(_people(club, names)), list(_sums(scope))
    held = io.BytesIO()
    files: dict[str, dict[str, object]] = {}
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for done, table in enumerate(tables, start=1):
            data = "".join(f"{line}\n" for line in table.lines).encode()
            files[path_of(table.label)] = {
                "rows": len(table.lines),
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
            archive.writestr(path_of(table.label), data)
            step(done)
        manifest = {
            "muster": ARCHIVE_FORMAT,
            "club": club.name,
            "made_at": at.astimezone(UTC).isoformat(),
            "migrations": migrations_here(),
            "people": people,
            "files": files,
            "sums": sums,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1))
        archive.writestr(README, _readme(club, tables, at))
    return held.getvalue()


def migrations_here() -> dict[str, list[str]]:
    """Return all migrations that this Muster has for the tables' apps, by app."""
    found: dict[str, list[str]] = {}
    for app, name in sorted(known_migrations()):
        if app in {label.partition(".")[0] for label in KEPT}:
            found.setdefault(app, []).append(name)
    return found


def ledger_totals(record: CompanyRecord) -> dict[str, int]:
    """Return the totals of a company's ledger."""
    pilots = record.pilots.values()
    return {
        "balance": record.balance,
        "units": len(record.units),
        "pilots": len(record.pilots),
        "kills": sum(pilot.kills for pilot in pilots),
        "games": sum(pilot.games for pilot in pilots),
    }


def _with_players(scope: Scope) -> Scope:
    """Return the scope with all players that archived rows refer to."""
    named: set[int] = set()
    for label, word in KEPT.items():
        if label == PLAYERS:
            continue
        for field in archived_fields(label):
            if related_label(field) == PLAYERS:
                rows = rows_of(model_of(label), word, scope).order_by().values_list(field.attname, flat=True)
                named |= set(rows.distinct()) - {None}
    return replace(scope, players=frozenset(named))


def _numbers(label: str, scope: Scope) -> dict[int, int]:
    pks = rows_of(model_of(label), KEPT[label], scope).values_list("pk", flat=True)
    return {pk: number for number, pk in enumerate(pks, start=1)}


def _lines(label: str, scope: Scope, numbers: Numbers, names: Names) -> Iterator[str]:
    model, word = model_of(label), KEPT[label]
    fields = archived_fields(label)
    rows = rows_of(model, word, scope)
    beside = [field.name for field in fields if related_label(field) and label in SELECT_RELATED_TABLES]

    def number(table: str, pk: int) -> int | None:
        return numbers[table].get(pk)

    for row in (rows.select_related(*beside) if beside else rows).iterator(chunk_size=CHUNK_SIZE):
        values = {field.name: json_value(field, row) for field in fields}
        values = build_row(label, row, values)
        if label == PLAYERS:
            values["username"], values["name_shown"] = names[row.pk]
        for field in fields:
            value = values[field.name]
            if target := related_label(field):
                values[field.name] = _row_number(label, field, target, value, numbers)
            elif codec := word.codecs.get(field.name):
                values[field.name] = codec(value, number)
        yield line_of(values)


def _row_number(
    label: str, field: models.Field[object, object], target: str, value: object, numbers: Numbers
) -> int | None:
    """Return the number of the row that a key refers to, or None if that row isn't in the archive.

    Raise LookupError if it isn't and the field may not be null.
    """
    found = numbers.get(target, {}).get(value) if isinstance(value, int) else None
    if found is None and value is not None and not field.null:
        raise LookupError(f"{label}.{field.name} names row {value} of {target}, which is not in the archive")
    return found


def _people(club: Club, names: Names) -> Iterator[dict[str, object]]:
    roles = dict(Membership.objects.filter(club=club).values_list("player", "role"))
    for pk, (username, name) in names.items():
        yield {"name": username, "shown": name or username, "role": roles.get(pk, "")}


def _sums(scope: Scope) -> Iterator[dict[str, int]]:
    companies: list[Company] = list(scope.companies.order_by("pk"))
    records = company_records(companies) if companies else {}
    yield from (ledger_totals(records[company.pk]) for company in companies)


def _readme(club: Club, tables: list[_PackedTable], at: datetime) -> str:
    return "\n".join(
        [
            f"The club {club.name} with all that is its own, packed on {at.astimezone(UTC):%d %B %Y, %H:%M} UTC.",
            "",
            "To have it again: the page Clubs, \"Restore a club\", of any Muster that is as new as the one that wrote it;",
            "on a new site after signing up. Or: manage.py restore_club FILE --organiser NAME",
            "",
            "manifest.json names the people, and each file with its digest. A file holds the rows of one table,",
            "a line of JSON each; where a row names another, it is by the number of its line, from 1.",
            "",
            *(f"{path_of(each.label)}  ({pluralize(len(each.lines), 'rows')})" for each in tables if each.lines),
            "",
            "Not in here: passwords, addresses, keys of links, forces and dice that are not open yet, private notes.",
            "",
        ]
    )  # fmt: skip
