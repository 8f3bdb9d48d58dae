"""Account, companies, designs, scenarios and prints for the archive of a player's data."""

from __future__ import annotations

from collections.abc import Iterator

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.db.models import QuerySet

from rosters.documents.company_rows import company_document, company_signed
from rosters.livery import takeout as livery
from rosters.models import CompanyOrigin, Design, Player, PrinterProfile, Scenario
from rosters.site.takeout import ExportFile, ExportPart, isoformat, file_path, to_json_text


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
                        "at": isoformat(row.at),
                        "what": row.get_outcome_display(),
                        "with": row.agent,
                        "address": row.address,
                        "second_factor": row.second_factor,
                    }
                    for row in player.sign_ins.order_by("at", "pk")
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
    rows = CompanyOrigin.objects.filter(company__owner=player).select_related("company", "by").order_by("pk")
    found = [
        {
            "company": row.company.name,
            "came": row.kind,
            "by": str(row.by or ""),
            "at": isoformat(row.at),
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
        about="Names, mail addresses, settings, tokens and sessions without their secrets, the log of sign-ins.",
        files=_account_files,
    ),
    ExportPart(path="companies/", about="Each company with its whole ledger, as company/1.", files=_company_files),
    ExportPart(
        path="companies-disbanded/",
        about="Companies that were disbanded, as company/1 to read; they are not taken in again.",
        files=lambda player: _company_files(player, "companies-disbanded", is_disbanded=True),
    ),
    ExportPart(
        path="companies-imported.json",
        about="Where companies come from that were not founded here, and what they came with.",
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
    *livery.APPEARANCE_PARTS,
    ExportPart(path="prints/", about="The orders of your prints, as print/1; drawn again they are the same.", files=_print_files),
)
