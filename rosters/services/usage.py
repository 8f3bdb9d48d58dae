"""Usage of a site per account: companies, prints, battles, rows, and bytes of files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.models import Count, Sum
from django.db.models.functions import Length

from rosters.models import Company, Player, Portrait, PrintJob, DataExport

from .clearing import files_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The usage of one account; `files` are bytes of prints, pictures and packed data, `rows` those of all tables."""

    username: str
    companies: int
    prints: int
    battles: int
    rows: int
    files: int


def usage_by_player() -> list[Usage]:
    """Return all accounts and guests with any usage, most bytes first, then most rows."""
    rows, files = _rows_by_player(), _files_by_player()
    shown = {name: _count_rows(Player._meta.get_field(name).field) for name in ("companies", "prints", "battles")}  # type: ignore[union-attr]
    found = [
        Usage(
            username=username,
            rows=rows[pk],
            files=files[pk],
            **{name: counted[pk] for name, counted in shown.items()},
        )
        for pk, username in Player.objects.order_by("pk").values_list("pk", "username")
    ]
    return sorted((each for each in found if each.rows or each.files), key=lambda each: (-each.files, -each.rows))


def size_of_files() -> int:
    """Return the bytes of all files stored for players."""
    return sum(_sizes().values())


def size_of_database() -> int:
    """Return the current size of the database in bytes."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    path = Path(str(connection.settings_dict["NAME"]))
    return path.stat().st_size if path.is_file() else 0


def _rows_by_player() -> Counter[int]:
    """Count the rows of all tables that refer to a player, or to one of their companies."""
    found: Counter[int] = Counter()
    for model, owner in ((Player, ""), (Company, "__owner")):
        for relation in model._meta.get_fields(include_hidden=True):
            if relation.auto_created and (relation.one_to_many or relation.one_to_one):
                found += _count_rows(relation.field, owner)  # type: ignore[union-attr]
    return found


def _count_rows(field: object, owner: str = "") -> Counter[int]:
    path = f"{field.name}{owner}"  # type: ignore[attr-defined]
    rows = field.model._default_manager.order_by().exclude(**{f"{field.name}": None})  # type: ignore[attr-defined]
    return Counter(dict(rows.values_list(path).annotate(Count("pk"))))


def _files_by_player() -> Counter[int]:
    sizes, found = _sizes(), Counter[int]()
    for job in PrintJob.objects.exclude(asked_by=None).only("asked_by", "key", "file", "previews").iterator():
        found[int(job.asked_by_id or 0)] += _size(files_of(job), sizes)
    for packed in DataExport.objects.exclude(file="").only("player", "file"):
        found[packed.player_id] += _size([packed.file.name or ""], sizes)
    pictures = Portrait.objects.order_by().values_list("company__owner").annotate(size=Sum(Length("picture")))
    return found + Counter(dict(pictures))


def _size(names: Iterable[str], sizes: dict[str, int]) -> int:
    return sum(sizes.get(name, 0) for name in names)


def _sizes() -> dict[str, int]:
    root = Path(settings.MEDIA_ROOT)
    found = {}
    for path in root.rglob("*"):
        try:
            if path.is_file():
                found[str(path.relative_to(root))] = path.stat().st_size
        except FileNotFoundError:  # a worker has finished it, or it was cleared
            continue
    return found
