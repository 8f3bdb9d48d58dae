"""Pack a club from the database into an archive. Rows are numbered from 1 in each table."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.db import models
from django.db.models import Q

from campaigns.models import Club, Membership, WatchParty, RoundClose, RoundState
from rosters.database.migrated import known_migrations
from rosters.database.moments import read_snapshot
from rosters.ledger.records import company_records
from rosters.models import Company
from rosters.services import RefusedError
from systems.ledger import CompanyRecord
from systems.words import pluralize

from .fields import archived_fields, json_value, line_of, model_of, related_label
from .format import ARCHIVE_FORMAT, MANIFEST, README, path_of
from .names import names_by_player
from .scope import Scope, build_scope
from .special import build_row
from .tables import KEPT
from .words import rows_of

CHUNK_SIZE = 500
PLAYERS = "rosters.Player"
SELECT_RELATED_TABLES = (
    "campaigns.Enrolment",
    "campaigns.Handicap",
    "campaigns.SubmittedList",
    "campaigns.MatchPreparation",
)  # tables that are read with select_related
DECIDING_PREMIERES = Q(match__round__state=RoundState.CLOSED) | Q(
    began_at__isnull=False
)  # watch parties that decide their match
Names = Mapping[int, tuple[str, str]]  # id of a player -> user name and display name
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
            raise RefusedError("club", "A round is being closed just now; ask for the archive once it is.")
        if (
            WatchParty.objects.filter(match__round__campaign__club=club, status__in=WatchParty.LIVE)
            .filter(DECIDING_PREMIERES)
            .exists()
        ):
            raise RefusedError(
                "club",
                "A match of a closed round is fought by orders at its premiere; ask for the archive once that is over, or "
                "call it off.",
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
    for pk, (username, shown) in names.items():
        yield {"name": username, "shown": shown or username, "role": roles.get(pk, "")}


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
