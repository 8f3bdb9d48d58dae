"""The export of a player's own data. A worker packs it at the player's request, and it is kept for some days.

The files of all apps are in one ZIP. This module writes those of rosters: account, companies, designs, scenarios,
prints, texts with private notes, and pictures.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import partial

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from rosters import hooks
from rosters.database.transactions import read_snapshot
from rosters.documents.import_export import company_document, company_signed
from rosters.jobs import JobStatus
from rosters.models import CompanyOrigin, DataExport, Description, Design, Player, Portrait, PrinterProfile, Scenario
from rosters.site.exceptions import RefusedError
from rosters.site.job_runs import drop_file, finish_with_file, wake
from rosters.site.mails import address_of, send_mail_to_player
from rosters.site.player_data import ExportFile, ExportPart, file_path, isoformat, to_json_text
from rosters.site.retention import Clearing, clear_rows, expires_at, expiry_cutoff
from systems.text import pluralize


def count_parts() -> int:
    """Return the number of steps of `pack_files`."""
    return len(hooks.takeout_parts)


def pack_files(player: Player, *, at: datetime, step: Callable[[int], object] = lambda done: None) -> bytes:
    """Return the ZIP. Each part is read from one snapshot; `step` gets the number of finished parts after each."""
    buffer = io.BytesIO()
    counts: list[tuple[ExportPart, int]] = []
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for done, part in enumerate(hooks.takeout_parts, start=1):
            number = 0
            with read_snapshot():
                for path, text in part.files(player):
                    archive.writestr(path, text)
                    number += 1
            counts.append((part, number))
            step(done)
        archive.writestr("README.txt", _readme(player, counts, at))
    return buffer.getvalue()


def _readme(player: Player, counts: Iterable[tuple[ExportPart, int]], at: datetime) -> str:
    return "\n".join(
        [
            f"All data of {player.username} in Muster, exported on {at.astimezone(UTC):%d %B %Y, %H:%M} UTC.",
            "",
            (
                "All files are text (UTF-8). Files with a line \"muster\" are documents that any Muster site can "
                "read:"
            ),
            "  company/1    manage.py import_company FILE --owner NAME",
            "  design/1     manage.py check_design FILE",
            "  scenario/1   the page Scenarios, \"Upload a document\"",
            "  print/1      manage.py print_cards FILE",
            "  records of battles (.jsonl)    manage.py verify FILE",
            "",
            *(line for part, number in counts for line in _part_lines(part, number)),
            (
                "Not included: passwords, tokens, two-factor secrets and keys of links, because they can't be "
                "read or"
            ),
            "would give access to anyone with this file. Texts by other players aren't included either.",
            "",
        ]
    )  # fmt: skip


def _part_lines(part: ExportPart, number: int) -> Iterator[str]:
    yield f"{part.path}  ({pluralize(number, 'files')})"
    yield f"  {part.about}"
    yield ""


AT_WORK = (JobStatus.QUEUED, JobStatus.RUNNING)


class _LostError(Exception):
    """Raised when this worker has lost its claim on the job."""


@transaction.atomic
def data_export_request(*, player: Player) -> DataExport:
    """Request the export of the player's data and delete earlier ones; if a job is in progress, return it."""
    if Player.objects.select_for_update(no_key=True).get(pk=player.pk).left_at is not None:
        raise RefusedError("data", "This account has been deleted.")
    known = DataExport.objects.filter(player=player, status__in=AT_WORK).first()
    if known is not None:
        return known
    job = DataExport.objects.create(player=player)
    _drop(DataExport.objects.filter(player=player).exclude(pk=job.pk))
    transaction.on_commit(partial(wake, "rosters.tasks.takeout_run", job.pk))
    return job


def data_export_pack(*, job: DataExport) -> bool:
    """Pack a claimed job and store its file. Return False, and leave nothing behind, if the claim was lost."""

    def step(done: int) -> None:
        if not job.renew(parts_done=done, parts=count_parts()):
            raise _LostError

    try:
        data = pack_files(job.player, at=timezone.now(), step=step)
    except _LostError:
        return False
    if not finish_with_file(job, job.file_name, data, size=len(data)):
        return False
    data_export_notify(job=job)
    return True


def data_export_notify(*, job: DataExport) -> bool:
    """Mail the player that their data is ready; return whether the mail was sent."""
    text = (
        f"Hello {job.player},\n\nyour data export is ready. Sign in to download it:\n"
        f"{address_of('rosters:my_data')}\n\nIf you didn't ask for it, change your password. This ends all other "
        "sessions.\n"
    )
    return send_mail_to_player(address=job.player.email, subject="Your data export is ready", text=text)


def data_export_expires_at(job: DataExport) -> datetime | None:
    """Return when the file will be deleted; None if there is no file, or if it is kept for ever."""
    return expires_at(job.ended_at, settings.KEEP_DATA_DAYS) if job.status == JobStatus.DONE and job.file else None


def data_exports_delete(*, player: Player) -> None:
    """Delete all exports of the player."""
    _drop(DataExport.objects.filter(player=player))


def data_export_files_in_rows(names: Iterable[str]) -> set[str]:
    """Return those of the file names that belong to exports, finished or in progress."""
    rows = DataExport.objects.filter(status__in=(*AT_WORK, JobStatus.DONE)).only("key")
    return {row.file_name for row in rows} & set(names)


def clear_data_exports(run: Clearing) -> int:
    """Delete expired exports with their files; return their number."""
    old = expiry_cutoff(run.now, settings.KEEP_DATA_DAYS)
    if old is None:
        return 0
    rows = DataExport.objects.exclude(status__in=AT_WORK).filter(ended_at__lt=old).only("pk", "key")
    return clear_rows(rows, run, clear=lambda found: _drop(DataExport.objects.filter(pk__in=[row.pk for row in found])))


def _drop(rows: Iterable[DataExport]) -> None:
    """Delete the rows, and after the commit their files. If a crash leaves a file, the timer clears it later."""
    for row in list(rows):
        name = row.file_name
        row.delete()
        transaction.on_commit(partial(drop_file, name))


def _text_files(player: Player) -> Iterator[ExportFile]:
    rows = Description.objects.filter(company__owner=player).select_related("company", "unit", "pilot").order_by("pk")
    found = [
        {
            "company": row.company.name,
            "unit": row.unit.name if row.unit else None,
            "pilot": str(row.pilot) if row.pilot else None,
            "story": row.story,
            "notes": row.notes,
            "changed_at": isoformat(row.changed_at),
        }
        for row in rows
    ]
    if found:
        yield "words.json", to_json_text(found)


def _portrait_files(player: Player) -> Iterator[ExportFile]:
    rows = Portrait.objects.filter(company__owner=player).select_related("company", "unit", "pilot").order_by("pk")
    for row in rows.iterator(chunk_size=10):
        whose = str(row.unit or row.pilot or row.company)
        yield file_path("pictures", row.pk, whose, "webp"), bytes(row.picture)


APPEARANCE_PARTS = (
    ExportPart(
        path="words.json",
        about="Your stories and private notes on companies, units and pilots.",
        files=_text_files,
    ),
    ExportPart(
        path="pictures/",
        about="Your pictures of companies, units and pilots, as WebP.",
        files=_portrait_files,
    ),
)


def _account_files(player: Player) -> Iterator[ExportFile]:
    addresses = EmailAddress.objects.filter(user=player).order_by("pk")
    yield (
        "account.json",
        to_json_text(
            {
                "user_name": player.username,
                "name_shown": player.name_shown,
                "names_before": player.names_before,
                "first_name": player.first_name,
                "last_name": player.last_name,
                "email": player.email,
                "email_addresses": [
                    {"email": row.email, "confirmed": row.verified, "primary": row.primary} for row in addresses
                ],
                "time_zone": player.time_zone,
                "paper": player.paper,
                "joined_at": isoformat(player.date_joined),
                "last_signed_in_at": isoformat(player.last_login),
                "leaves_at": isoformat(player.leaves_at),
                "second_factor": is_mfa_enabled(player),
                "tokens": [
                    {
                        "name": row.name,
                        "may": sorted(row.scope_set),
                        "made_at": isoformat(row.created),
                        "good_until": isoformat(row.expiry),
                        "used_at": isoformat(row.used_at),
                    }
                    for row in player.auth_token_set.order_by("created")
                ],
                "sessions": [
                    {
                        "begun_at": isoformat(row.created_at),
                        "seen_at": isoformat(row.last_seen_at),
                        "address": row.ip,
                        "with": row.user_agent,
                    }
                    for row in UserSession.objects.filter(user=player).order_by("pk")
                ],
                "sign_ins": [
                    {
                        "at": isoformat(row.occurred_at),
                        "what": row.get_outcome_display(),
                        "with": row.agent,
                        "address": row.address,
                        "second_factor": row.second_factor,
                    }
                    for row in player.sign_ins.order_by("occurred_at", "pk")
                ],
            }
        ),
    )


def _company_files(player: Player, folder: str = "companies", is_disbanded: bool = False) -> Iterator[ExportFile]:
    for row in player.companies.filter(disbanded_at__isnull=not is_disbanded).order_by("pk"):
        yield (
            file_path(folder, row.pk, row.name),
            to_json_text(company_document(row) if is_disbanded else company_signed(row)),
        )


def _origin_files(player: Player) -> Iterator[ExportFile]:
    rows = CompanyOrigin.objects.filter(company__owner=player).select_related("company", "imported_by").order_by("pk")
    found = [
        {
            "company": row.company.name,
            "came": row.kind,
            "by": str(row.imported_by or ""),
            "at": isoformat(row.imported_at),
            "with": row.claims,
        }
        for row in rows
    ]
    if found:
        yield "companies-imported.json", to_json_text(found)


def _spec_files(rows: QuerySet[Design] | QuerySet[Scenario], kind: str) -> Iterator[ExportFile]:
    for row in rows.order_by("pk"):
        document = {"muster": f"{kind}/1", "system": row.system, "name": row.name, "spec": row.spec}
        yield file_path(f"{kind}s", row.pk, row.name), to_json_text(document)


def _printing_files(player: Player) -> Iterator[ExportFile]:
    fields = [field.name for field in PrinterProfile._meta.concrete_fields if field.name not in ("id", "player")]
    yield (
        "printing.json",
        to_json_text(
            {
                "presets": [
                    {"name": row.name, "company": row.company_name, "choice": row.choice}
                    for row in player.print_presets.order_by("pk")
                ],
                "printers": [{name: getattr(row, name) for name in fields} for row in player.printers.order_by("pk")],
            }
        ),
    )


def _print_files(player: Player) -> Iterator[ExportFile]:
    for row in player.prints.order_by("pk"):
        yield file_path("prints", row.pk, row.title), to_json_text(row.content)


PARTS = (
    ExportPart(
        path="account.json",
        about="Names, email addresses, settings, tokens and sessions without their secrets, and the sign-in log.",
        files=_account_files,
    ),
    ExportPart(path="companies/", about="Each company with its full ledger, as company/1.", files=_company_files),
    ExportPart(
        path="companies-disbanded/",
        about="Disbanded companies, as company/1. You can read them but not import them again.",
        files=lambda player: _company_files(player, "companies-disbanded", is_disbanded=True),
    ),
    ExportPart(
        path="companies-imported.json",
        about="The origin of imported companies, and their state on import.",
        files=_origin_files,
    ),
    ExportPart(
        path="designs/",
        about="Your designs, as design/1.",
        files=lambda player: _spec_files(player.designs.all(), "design"),
    ),
    ExportPart(
        path="scenarios/",
        about="Your scenarios, as scenario/1.",
        files=lambda player: _spec_files(player.scenarios.all(), "scenario"),
    ),
    ExportPart(path="printing.json", about="Print presets, and printers with their offsets.", files=_printing_files),
    *APPEARANCE_PARTS,
    ExportPart(
        path="prints/",
        about="Your print orders, as print/1. Printing them again gives the same result.",
        files=_print_files,
    ),
)
