"""Delete expired rows and files, and count each account's usage: companies, prints, battles, rows, bytes of files."""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import Length

from rosters import hooks
from rosters.jobs import JobStatus
from rosters.models import MAX_PREVIEWS, AccessToken, Company, DataExport, Player, Portrait, PrintBatch, PrintJob
from rosters.site.heartbeats import skip_unreadable
from rosters.site.job_runs import drop_file
from rosters.site.retention import AT_A_TIME, Clearing, clear_rows, expiry_cutoff

OVER = (JobStatus.DONE, JobStatus.FAILED, JobStatus.CALLED_OFF)
AT_WORK = (JobStatus.QUEUED, JobStatus.RUNNING)
WRITING = ".writing"  # the folder in which the file queue writes its messages
WRITTEN = (
    "cards",
    "compiled",
    "outbox",
    "queue",
)  # folders in MUSTER_VAR whose files are first written under a temporary name
_DRAFT = re.compile(r"\.(secret-key|dice-key|demo-password)-.+")


def clear_all(run: Clearing) -> Iterator[tuple[str, int]]:
    """Run all clearings; yield what was cleared and how many rows or files, for each clearing."""
    for what, clear in hooks.clearings:
        with skip_unreadable(f"clearing of {what}"):
            yield what, clear(run)


def clear_print_files(run: Clearing) -> int:
    """Delete the files of players' old prints. The orders stay, so that they can be printed again and compared."""
    rows = PrintJob.objects.filter(status=JobStatus.DONE, asked_by__isnull=False).exclude(file="")
    return _clear_prints(rows, run, lambda found: found.update(file="", previews=0))


def clear_visitors_prints(run: Clearing) -> int:
    """Delete the old prints of visitors, with their files."""
    rows = PrintJob.objects.filter(status__in=OVER, asked_by=None)
    return _clear_prints(rows, run, lambda found: found.delete())


def _clear_prints(rows: QuerySet[PrintJob], run: Clearing, let_go: Callable[[QuerySet[PrintJob]], object]) -> int:
    """Call `let_go` with batches of old rows, and delete their files while the rows are locked.

    The lock makes sure that a file that is printed again under the same name is only written later. After a crash in
    between, the rows are unchanged, and the next run clears them.
    """
    old = expiry_cutoff(run.now, settings.KEEP_PRINTS_DAYS)
    if old is None:
        return 0

    def clear(found: list[PrintJob]) -> None:
        let_go(PrintJob.objects.filter(pk__in=[row.pk for row in found]))
        for name in [name for row in found for name in files_of(row)]:
            drop_file(name)

    return clear_rows(rows.filter(ended_at__lt=old).only("pk", "key", "file", "previews"), run, clear=clear)


def clear_batches(run: Clearing) -> int:
    """Delete the rows with the batches of finished prints."""
    return clear_rows(PrintBatch.objects.filter(job__status__in=OVER).only("pk"), run)


def clear_files(run: Clearing) -> int:
    """Delete stored files that belong to no row, and old unfinished files."""
    gone = 0
    files = list(_old_files(run))
    for at in range(0, len(files), AT_A_TIME):
        names = files[at : at + AT_A_TIME]
        named = set().union(*(find(names) for find in hooks.files))
        for name in names:
            if name in named or (run.most is not None and gone >= run.most):
                continue
            if not run.is_dry:
                drop_file(name)
            gone += 1
    return gone


def clear_unfinished(run: Clearing) -> int:
    """Delete unfinished files outside the file storage, which a killed process or a full disk has left."""
    before = run.now.timestamp() - run.unnamed_for.total_seconds()
    gone = 0
    for path in _unfinished(Path(settings.VAR_DIR)):
        with contextlib.suppress(FileNotFoundError):
            if path.lstat().st_mtime < before and (run.most is None or gone < run.most):
                if not run.is_dry:
                    path.unlink()
                gone += 1
    return gone


def _unfinished(var: Path) -> Iterator[Path]:
    """Yield unfinished files, only from folders that Muster writes to; MUSTER_VAR may contain an operator's files."""
    yield from (path for path in var.iterdir() if _DRAFT.fullmatch(path.name) and path.is_file())
    for top in WRITTEN:
        for folder, _, names in os.walk(var / top):
            is_writing = Path(folder).name == WRITING
            yield from (Path(folder, name) for name in names if is_writing or name.startswith(".") or ".tmp" in name)


def clear_sessions(run: Clearing) -> int:
    return clear_rows(Session.objects.filter(expire_date__lt=run.now).only("pk"), run)


def clear_tokens(run: Clearing) -> int:
    return clear_rows(AccessToken.objects.filter(expiry__lt=run.now).only("pk"), run)


def print_files_named(names: Iterable[str]) -> set[str]:
    """Return those of the names that are files of a print that is done or is being printed."""
    rows = PrintJob.objects.filter(key__in=keys_in(names)).only("key", "status", "file", "previews")
    return {
        name
        for row in rows
        for name in files_of(row)
        if row.status in AT_WORK or (row.status == JobStatus.DONE and row.file)
    }


def keys_in(names: Iterable[str]) -> set[str]:
    """Return the job keys with which these file names start."""
    return {found["key"] for name in names if (found := _PRINT_FILE.fullmatch(name))}


_PRINT_FILE = re.compile(r"prints/(?P<key>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})[-_.].*")


def files_of(job: PrintJob) -> Iterator[str]:
    """Yield the names of a print's PDF, as stored in its row, and of the previews that may exist."""
    yield job.file.name or job.file_name
    for number in range(1, (MAX_PREVIEWS if job.previews is None else job.previews) + 1):
        yield job.preview_name(number)


def _old_files(run: Clearing) -> Iterator[str]:
    """Yield the names of stored files that are old enough to be deleted if no row names them."""
    root = Path(settings.MEDIA_ROOT)
    oldest_at_work = run.now.timestamp() - run.unnamed_for.total_seconds()
    for path in root.rglob("*"):
        try:
            if path.is_file() and path.stat().st_mtime < oldest_at_work:
                yield str(path.relative_to(root))
        except FileNotFoundError:
            continue


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The usage of one account: `files` in bytes (prints, pictures, packed data), `rows` in all tables."""

    username: str
    companies: int
    prints: int
    battles: int
    rows: int
    files: int


def usage_by_player() -> list[Usage]:
    """Return the usage of all accounts and guests that have any, most bytes first, then most rows."""
    rows, files = _rows_by_player(), _files_by_player()
    counts = {name: _count_rows(Player._meta.get_field(name).field) for name in ("companies", "prints", "battles")}  # type: ignore[union-attr]
    found = [
        Usage(
            username=username,
            rows=rows[pk],
            files=files[pk],
            **{name: by_player[pk] for name, by_player in counts.items()},
        )
        for pk, username in Player.objects.order_by("pk").values_list("pk", "username")
    ]
    return sorted((each for each in found if each.rows or each.files), key=lambda each: (-each.files, -each.rows))


def size_of_files() -> int:
    """Return the size of all files stored for players, in bytes."""
    return sum(_sizes().values())


def size_of_database() -> int:
    """Return the size of the database in bytes."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    path = Path(str(connection.settings_dict["NAME"]))
    return path.stat().st_size if path.is_file() else 0


def _rows_by_player() -> Counter[int]:
    """Return the number of rows that refer to each player or to one of their companies, in all tables."""
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
