"""Restore an archive into the database: all of it in one transaction, or nothing.

Ids are reserved before any row is written, so that rows can refer to each other.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import uuid
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import DataError, IntegrityError, connection, models, transaction
from django.db.models import Max
from django.utils import timezone
from PIL import Image

from battles.models import Forecast, Record
from battles.selectors.records import ReplayedRecord
from campaigns.activity_log import log_activity, log_match_activity
from campaigns.archive.checks import READ_ERRORS, Survey, check_release, organiser_number, unreadable_parts
from campaigns.archive.packing import (
    CHUNK_SIZE,
    EXCEPTION_HOLDS,
    PLAYERS,
    display_name,
    exception_hash,
    ledger_totals,
    new_usernames,
)
from campaigns.archive.reading import Archive, Row, refuse
from campaigns.archive.tables import KEPT, all_fields, archived_fields, clean_json, model_of, related_label
from campaigns.clubs.services import club_names
from campaigns.models import (
    CatalogueUpgrade,
    Club,
    Enrolment,
    Match,
    Membership,
    Placeholder,
    Role,
    SeasonRound,
    UpgradeState,
    Webhook,
)
from campaigns.notifications.deliveries import encrypt_secret
from campaigns.results.decisions import find_differences, income_differences, match_faults
from rosters.database.queries import columns
from rosters.documents.origins import claims_of
from rosters.ledger.projection import bill_of, describe_entry, plain, project_entries
from rosters.ledger.records import differences_from, posted_entry
from rosters.models import Company, CompanyOrigin, LedgerEntry, OriginKind, Player
from rosters.services import RefusedError
from systems.engine.dice import commitment, hide_secret, key_name
from systems.ledger import CompanyRecord, LedgerError, PostedEntry, Subject
from systems.reading import stored_setup
from systems.setups import setup_hash


def reserve_ids(model: type[models.Model], count: int) -> list[int]:
    """Return `count` ascending ids that no row of the table has ever had. Call it in a transaction that writes."""
    if not count:
        return []
    pk = model._meta.pk
    assert pk is not None
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
                [f'"{table}"', pk.column, count],
            )
            return sorted(int(row[0]) for row in cursor.fetchall())
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        found = cursor.fetchone()
    newest = model._default_manager.aggregate(newest=models.Max("pk"))["newest"] or 0
    first = max(int(found[0]) if found else 0, newest) + 1
    return list(range(first, first + count))


log = logging.getLogger(__name__)
FOREIGN_KEY_NAME = "elsewhere"  # key name of dice that won't be rolled again and whose secret stayed on the old site
MAX_RECORD_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredClub:
    """The new club, and the differences from the archive as sentences."""

    club: Club
    differences: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class _Restore:
    """The state of a restore in progress."""

    archive: Archive
    survey: Survey
    by: Player
    ids: dict[str, list[int]]  # table -> ids by number, from 1
    there: dict[str, set[int]]  # table -> numbers of rows that exist here already
    usernames: list[str]  # the usernames its players get here
    club_name: str
    club_slug: str
    dice: dict[str, str] = field(default_factory=dict)  # hash of dice that were sealed again -> the new hash
    excused: list[int] = field(default_factory=list)

    def number(self, table: str, number: int) -> int | None:
        """Return the id here of a row of the archive, or None."""
        ids = self.ids.get(table, [])
        return ids[number - 1] if 1 <= number <= len(ids) else None


@transaction.atomic
def club_restore(
    *,
    archive: Archive,
    survey: Survey,
    by: Player,
    name: str = "",
    stands_for: str = "",
    step: Callable[[int], object] = lambda done: None,
) -> RestoredClub:
    """Restore the archive as a new club of this site, with `by` as an organiser.

    `name`: the club's name here, if not the one in the archive. `stands_for`: the username of the organiser in the
    archive who is `by`; everything that organiser owned becomes `by`'s. Every other player gets a place that a link
    lets them take, and no username until then. Raise RefusedError.
    """
    try:
        run = _start_restore(archive, survey, by, name, stands_for)
        for done, label in enumerate(KEPT, start=1):
            _insert(run, label)
            step(done)
        club = Club.objects.get(pk=run.ids["campaigns.Club"][0])
        _create_places(run, club)
        connection.check_constraints()
        _check_rows(run, club)
    except (IntegrityError, DataError) as error:
        raise RefusedError("file", f"This backup contradicts itself: {_first_line(error)}.") from None
    except RefusedError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError) as error:  # JSON of an unknown shape
        log.exception("an archive brought by %s can't be read", by.pk)
        raise RefusedError(
            "file", f"This backup can't be restored: a value in it can't be read ({type(error).__name__})."
        ) from None
    return RestoredClub(club=club, differences=tuple(_summary_lines(run)))


def _start_restore(archive: Archive, survey: Survey, by: Player, name: str, stands_for: str) -> _Restore:
    number = organiser_number(survey, stands_for)
    ids = {label: reserve_ids(model_of(label), survey.counts[label]) for label in KEPT}
    there: dict[str, set[int]] = {}
    if number is not None:
        ids[PLAYERS][number - 1] = by.pk
        there[PLAYERS] = {number}
    known = dict(Forecast.objects.filter(question__in=list(survey.questions.values())).values_list("question", "pk"))
    for at, question in survey.questions.items():
        if question in known:
            ids["battles.Forecast"][at - 1] = known[question]
            there.setdefault("battles.Forecast", set()).add(at)
    given = new_usernames(survey.usernames, survey.gone, ids[PLAYERS])
    club_name, club_slug = club_names(name or survey.club["name"], survey.club["slug"])
    return _Restore(
        archive=archive, survey=survey, by=by, ids=ids, there=there, usernames=given,
        club_name=club_name, club_slug=club_slug,
    )  # fmt: skip


# --- rows -------------------------------------------------------------------------------------------------------------


def _insert(run: _Restore, label: str) -> None:
    model = model_of(label)
    fields = [*all_fields(label)]
    pk = model._meta.pk
    assert pk is not None
    columns = [pk, *fields]
    at_a_time = min(CHUNK_SIZE, max(connection.ops.bulk_batch_size(columns, [None] * CHUNK_SIZE), 1))
    made = _instances(run, label, model, fields)
    while batch := list(islice(made, at_a_time)):
        model._base_manager._insert(batch, fields=columns, using="default", raw=True)  # type: ignore[attr-defined]


def _instances(
    run: _Restore, label: str, model: type[models.Model], fields: list[models.Field[Any, Any]]
) -> Iterator[models.Model]:
    kept = {field.name for field in archived_fields(label)}
    codecs = KEPT[label].codecs
    there = run.there.get(label, set())
    for number, row in enumerate(run.archive.rows(label, run.survey.changed), start=1):
        if number in there:
            continue
        values: Row = {}
        for each in fields:
            value = row[each.name] if each.name in kept else each.get_default()
            if each.name in kept and (target := related_label(each)):
                value = None if value is None else run.number(target, value)
            elif each.name in codecs:
                value = codecs[each.name](value, run.number)
            values[each.attname] = value
        _adapt_values(run, label, number, values)
        yield model(pk=run.ids[label][number - 1], **values)


def _adapt_values(run: _Restore, label: str, number: int, values: Row) -> None:
    """Change the values of a row that can't be stored here as they are in the archive."""
    match label:
        case "campaigns.Club":
            values |= {"name": run.club_name, "slug": run.club_slug}
        case "rosters.Player":
            if values["name_shown"] or values["left_at"] is None:
                values["name_shown"] = display_name(values["username"], values["name_shown"])
            values |= {"username": run.usernames[number - 1], "password": make_password(None)}
        case "campaigns.Webhook":
            is_json = values["kind"] == Webhook.Kind.JSON
            values |= {"enabled": False, "secret": encrypt_secret(secrets.token_urlsafe(32)) if is_json else ""}
        case "campaigns.Enrolment" if values["exception_hash"] == EXCEPTION_HOLDS:
            run.excused.append(run.ids[label][number - 1])
        case "battles.SealedDice" if values["revealed_at"] is None:
            values |= _reseal_dice(run, number, values)
        case "battles.Record":
            _check_record(values)
        case "battles.Forecast":  # this site answers the same question with its own odds, never an archive's
            values["question"] = hashlib.sha256(f"{uuid.uuid4()} {values['question']}".encode()).hexdigest()
        case "rosters.Portrait":
            _check_picture(values)
        case "rosters.Design" | "rosters.Scenario" if values["author_id"] == run.by.pk:
            values["name"] = _free_name(label, values)


def _reseal_dice(run: _Restore, number: int, values: Row) -> Row:
    """Return new dice for dice whose secret isn't revealed, so that nobody can roll the same dice on two sites."""
    if number not in run.survey.rolls_on:
        return {"secret": "", "hidden": "0" * 64, "hidden_under": FOREIGN_KEY_NAME}
    secret, key = secrets.token_hex(32), settings.DICE_KEYS[0]
    run.dice[values["commitment"]] = commitment(secret)
    return {
        "secret": "",
        "commitment": commitment(secret),
        "hidden": hide_secret(secret, key, str(values["key"])),
        "hidden_under": key_name(key),
        "sealed_at": timezone.now(),
    }


def _free_name(label: str, values: Row) -> str:
    """Return a name for the restoring player's design or scenario, numbered if they have one of that name already."""
    mine = model_of(label)._default_manager.filter(author=values["author_id"], system=values["system"])
    taken = set(mine.values_list("name", flat=True))
    name, number = str(values["name"]), 1
    while name in taken:
        number += 1
        name = f"{str(values['name'])[:54]} {number}"
    return name


def _check_record(values: Row) -> None:
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(bytes(values["lines"]), MAX_RECORD_BYTES)
    except zlib.error:
        refuse("the record of a battle can't be read")
    if unpacker.unconsumed_tail or not unpacker.eof:
        refuse("the record of a battle is too large, or cut off")
    if record_digest(text) != values["digest"]:
        refuse("the record of a battle is not the one that it says it is")


def record_digest(text: bytes) -> str:
    """Return the digest of a record's lines."""
    return hashlib.sha256(text).hexdigest()


def _check_picture(values: Row) -> None:
    data = bytes(values["picture"])
    try:
        size = Image.open(BytesIO(data), formats=["WEBP"]).size
    except (OSError, ValueError, Image.DecompressionBombError):
        refuse("a picture in it can't be read")
    if size != (values["width"], values["height"]) or hashlib.sha256(data).hexdigest()[:32] != values["digest"]:
        refuse("a picture in it is not the one that it says it is")


# --- after the rows ---------------------------------------------------------------------------------------------------


def _create_places(run: _Restore, club: Club) -> None:
    """Create the players' places and write to the activity log."""
    row, _ = Membership.objects.get_or_create(club=club, player=run.by, defaults={"role": Role.ORGANISER})
    if row.role != Role.ORGANISER:
        refuse("it says that you are no organiser")
    came = Player.objects.filter(pk__in=run.ids[PLAYERS], left_at=None).exclude(pk=run.by.pk).order_by("pk")
    was = dict(zip(run.ids[PLAYERS], run.survey.usernames, strict=True))
    Placeholder.objects.bulk_create(
        [Placeholder(player=player, club=club, username=str(clean_json(was[player.pk]))) for player in came], CHUNK_SIZE
    )
    made = run.archive.manifest.made_at[:10]
    log_activity(club=club, text=f"{run.by} restored {club.name} from a backup of {made}", by=run.by)
    new = {after: before for before, after in run.dice.items()}
    lots = SeasonRound.objects.filter(season__club=club, dice__commitment__in=list(new))
    for drawn in lots.select_related("season", "dice"):
        lot = drawn.dice.commitment if drawn.dice else ""
        text = f"{drawn.season}: {drawn}: new dice prepared for its draw. The hash was {new[lot]} and is now {lot}"
        log_activity(club=club, text=text, by=run.by)
    matches = Match.objects.filter(round__campaign__club=club, dice__commitment__in=list(new))
    for match in matches.select_related("dice", "round__campaign__club", "attacker__company", "defender__company"):
        if match.dice is not None:
            text = (
                f"{match.round}, {match}: new dice prepared, because a backup leaves out the secret of the old ones. "
                f"The hash was {new[match.dice.commitment]} and is now {match.dice.commitment}"
            )
            log_match_activity(match, text, run.by)


def _check_rows(run: _Restore, club: Club) -> None:
    """Refuse rows that contradict each other: companies and ledgers, matches and ledgers, records and dice.

    Also record the companies' origins and renew the hashes of exceptions.
    """
    _check_releases(club, run.ids["rosters.Company"])
    rows = Company.objects.filter(pk__in=run.ids["rosters.Company"])
    companies = list(rows.prefetch_related("units", "pilots").order_by("pk"))
    if len(companies) != len(run.archive.manifest.sums):
        refuse("it does not say of every company what its ledger adds up to")
    ledgers: dict[int, list[PostedEntry]] = {company.pk: [] for company in companies}
    entries = (
        LedgerEntry.objects.filter(company__in=companies).order_by("pk").values_list("company", *columns(posted_entry))
    )
    for owner, *row in entries.iterator(chunk_size=2000):
        ledgers[owner].append(posted_entry(*row))
    records = [
        _check_company(company, ledgers[company.pk], sums.model_dump())
        for company, sums in zip(companies, run.archive.manifest.sums, strict=True)
    ]
    _note_origins(run, club, companies, records)
    for enrolment in Enrolment.objects.filter(pk__in=run.excused).select_related("company__origin", "campaign"):
        enrolment.exception_hash = exception_hash(enrolment)  # which includes units lent elsewhere
        enrolment.save(update_fields=["exception_hash"])
    matches = Match.objects.filter(round__campaign__club=club).select_related(
        "round__campaign", "attacker__company", "defender__company", "battle", "dice"
    )
    found = list(matches.order_by("pk"))
    faults = (
        f"match {match}: {fault}"
        for match in found
        if match.dice is None or match.dice.revealed_at is not None
        for fault in match_faults(match)
    )
    for part in unreadable_parts(club, run.by):
        refuse(part)
    _check_replays(run.ids["battles.Battle"])
    played = [match for match in found if match.setup is not None]
    for fault in (*find_differences(played), *faults, *income_differences(club)):
        refuse(fault[:300])


def _check_replays(battles: list[int]) -> None:
    """Refuse records that can't be replayed, or whose set-up isn't their battle's."""
    rows = Record.objects.filter(battle__in=battles).select_related("battle").order_by("pk")
    for row in rows.iterator(chunk_size=10):
        try:
            replayed = ReplayedRecord(row.text, row.digest)
            for part in ("rounds", "report", "dice", "support", "brought", "board"):
                getattr(replayed, part)
            if replayed.board is not None:
                json.loads(replayed.frames)
        except READ_ERRORS as error:
            refuse(f"the record of {row.battle.title} can't be replayed: {_first_line(error)} ({type(error).__name__})")
        if setup_hash(replayed.record.setup) != setup_hash(stored_setup(row.battle.setup)):
            refuse(f"the record of {row.battle.title} is not of its set-up")


def _check_releases(club: Club, companies: list[int]) -> None:
    """Refuse catalogue versions that this Muster doesn't have; the list of migrations doesn't reveal them."""
    named = set(Company.objects.filter(pk__in=companies).values_list("system", "catalogue_release"))
    named |= set(club.campaigns.values_list("system", "catalogue_release"))
    planned = CatalogueUpgrade.objects.filter(campaign__club=club, state=UpgradeState.PLANNED)
    named |= set(planned.values_list("campaign__system", "release"))
    for system, release in sorted(named):
        check_release(system, release)


def _note_origins(run: _Restore, club: Club, companies: Sequence[Company], records: Sequence[CompanyRecord]) -> None:
    """Record for every company that its history comes from the archive and nobody here has seen it."""
    newest = LedgerEntry.objects.filter(company__in=companies).order_by().values("company")
    last = dict(newest.annotate(last=Max("pk")).values_list("company", "last"))
    rows = [
        CompanyOrigin(
            company=company,
            kind=OriginKind.ARCHIVE,
            imported_by=run.by,
            last_entry=last.get(company.pk, 0),
            claims={**claims_of(record), "club": run.survey.club["name"], "club_here": club.pk},
        )
        for company, record in zip(companies, records, strict=True)
    ]
    CompanyOrigin.objects.bulk_create(rows, CHUNK_SIZE)


def _check_company(company: Company, ledger: Sequence[PostedEntry], sums: dict[str, int]) -> CompanyRecord:
    """Return the company's state by its ledger. Refuse if the archive's totals or the company's rows differ from it."""
    try:
        record = project_entries(ledger)
    except LedgerError as error:
        refuse(f"{company.name}: its ledger can't be added up: {error}"[:300])
    for fault in differences_from(company, record):
        refuse(f"{company.name}: {fault}"[:300])
    try:
        for entry in ledger:
            plain(describe_entry(entry.kind, entry.facts, Subject(0, ""), Subject(0, "")))
            bill_of(entry.facts)
    except (LedgerError, AttributeError, KeyError, TypeError, ValueError) as error:
        refuse(f"{company.name}: an entry of its ledger can't be read ({type(error).__name__})")
    for what, number in ledger_totals(record).items():
        if sums[what] != number:
            refuse(f"{company.name}: its ledger adds up to {what} {number}, the archive says {sums[what]}")
    return record


def _summary_lines(run: _Restore) -> Iterator[str]:
    if run.club_name != run.survey.club["name"]:
        yield f"The club was called {run.survey.club['name']}."
    if run.survey.plays_on:
        yield "Autoplay orders of unfinished campaigns weren't in the backup. Players have to set them again."
    if run.dice:
        yield "Unrolled dice were replaced. The activity log has the old and new hashes."
    webhooks = run.survey.counts["campaigns.Webhook"]
    if webhooks:
        yield "Webhooks are switched off, because their addresses weren't in the backup."


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split("\n")[0].split())[:200]
