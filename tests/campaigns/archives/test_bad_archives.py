"""Archives that are cut off, forged, too large or newer are refused with a sentence, and nothing is saved."""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import zipfile
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from campaigns.archive import reading
from campaigns.archive.packing import MANIFEST, README, path_of
from campaigns.archive.reading import RowUpgrade
from campaigns.archive.services import club_restore_now
from campaigns.archive.tables import KEPT, archived_fields
from campaigns.models import Club, SubmittedList, Webhook
from rosters.models import LedgerEntry
from rosters.services import RefusedError
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_mustered_company, an_enrolment
from tests.campaigns.corrections import LOST, play_match

from .clubs import archived

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def data(rows_of_all):
    """A small club that has played a match."""
    club = a_club(a_player("olga"), name="Iron Table")
    war = a_campaign(club)
    one, other = (an_enrolment(war, a_mustered_company(name=name)) for name in ("Ants", "Bees"))
    play_match(war, one, other, attacker={0: {"kills": 1}}, defender={0: LOST})
    return archived(club)


@pytest.fixture
def nora(db):
    return a_player("nora")


def count_rows() -> dict[str, int]:
    return {label: apps.get_model(label).objects.count() for label in KEPT}


def refused(sent: bytes, by: Any, **how: Any) -> str:
    """Return why the archive is refused, and check that nothing was saved."""
    before = count_rows()
    with pytest.raises(RefusedError) as error:
        club_restore_now(file=io.BytesIO(sent), by=by, **({"name": "Another"} | how))
    assert count_rows() == before
    assert "\n" not in error.value.reason
    assert error.value.reason.endswith(".")
    return error.value.reason


def forged(data: bytes, **changes: Callable[[Rows], object]) -> bytes:
    """Return the archive with changed rows (by table, "_" for the dot) and correct digests."""
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        files = {name: held.read(name) for name in held.namelist()}
    manifest = json.loads(files[MANIFEST])
    for table, change in changes.items():
        path = f"rows/{table.replace('_', '.')}.jsonl"
        rows = [json.loads(line) for line in files[path].splitlines()]
        change(rows)
        files[path] = "".join(json.dumps(row) + "\n" for row in rows).encode()
        manifest["files"][path] = {
            "rows": len(rows), "bytes": len(files[path]), "sha256": hashlib.sha256(files[path]).hexdigest()
        }  # fmt: skip
    files[MANIFEST] = json.dumps(manifest).encode()
    return zipped(files)


def with_manifest(data: bytes, **fields: Any) -> bytes:
    """Return the archive with a changed manifest."""
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        files = {name: held.read(name) for name in held.namelist()}
    files[MANIFEST] = json.dumps({**json.loads(files[MANIFEST]), **fields}).encode()
    return zipped(files)


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return out.getvalue()


def test_valid_archive_is_restored(data, nora):
    assert club_restore_now(file=io.BytesIO(forged(data)), by=nora, name="Another").club.name == "Another"


@pytest.mark.parametrize("at", [0, 10, 1000, -30, -1])
def test_truncated_archive_is_refused(data, nora, at):
    assert refused(data[:at], nora).startswith("This file isn't a complete club backup: it is cut off, damaged")


def test_damaged_archive_is_refused(data, nora):
    place = data.index(b"rows/rosters.ledgerentry.jsonl") + 200
    broken = data[:place] + bytes(byte ^ 255 for byte in data[place : place + 20]) + data[place + 20 :]
    assert "cut off" in refused(broken, nora)


def test_file_of_another_kind_is_refused(nora):
    assert "not a ZIP file" in refused(b"Dear Sir or Madam", nora)
    assert refused(zipped({"hello.txt": b"hello"}), nora) == (
        "This backup can't be restored: it contains no manifest.json."
    )


@pytest.mark.parametrize("indent", [None, 2])
def test_old_club_document_is_refused_with_what_to_do(nora, indent):
    old = json.dumps({"muster": "club/1", "name": "Iron Table", "members": [], "campaigns": []}, indent=indent)
    assert refused(old.encode(), nora) == (
        "This is a club/1 file from an older Muster, which can't be restored here. "
        "Create a backup on the Muster that wrote it, and restore that."
    )


def test_archive_of_200_mb_is_refused_unread(data, nora, monkeypatch):
    class Large(io.BytesIO):
        def tell(self) -> int:
            return 200 * 1024**2

        def read(self, *args: Any) -> bytes:
            raise AssertionError("read")

    with pytest.raises(RefusedError, match="it is larger than 64 MB"):
        club_restore_now(file=Large(data), by=nora)


def test_zip_bomb_is_refused_by_stated_and_real_size(data, nora, monkeypatch):
    monkeypatch.setattr(reading, "MAX_UNPACKED_BYTES", 1024 * 1024)
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        files = {name: held.read(name) for name in held.namelist()}
    assert "unpacked, it is larger than 1 MB" in refused(zipped({**files, README: b"0" * 2_000_000}), nora)
    lying = bytearray(zipped({**files, README: b"0" * 2_000_000}))
    at = lying.rindex(b"PK\x01\x02", 0, lying.rindex(README.encode()))
    lying[at + 24 : at + 28] = (100).to_bytes(4, "little")  # the unpacked size in the zip's directory
    assert club_restore_now(file=io.BytesIO(bytes(lying)), by=nora, name="Another"), "files that aren't read do no harm"


def test_zip_with_too_many_files_is_refused_unread(nora, monkeypatch):
    """A file of 64 MB can list a million empty files, each of which takes ten times its bytes in memory."""
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\x01\x02", *(0,) * 8, *(0,) * 3, 1, *(0,) * 6) + b"a"
    directory = entry * 12_000

    def ended(size: int, after: bytes = b"") -> bytes:
        return directory + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0, 0, size, 0, len(after)) + after

    assert len(zipfile.ZipFile(io.BytesIO(ended(len(directory)))).namelist()) == 12_000
    monkeypatch.setattr(zipfile, "ZipFile", None)
    astray = bytearray(ended(len(directory)))
    astray[-10:-6] = b"PK\x05\x06"  # the start of the list
    for sent in (ended(len(directory)), bytes(astray[:-2] + b"\0\0"), ended(len(directory), b"a comment")):
        assert "it contains too many files" in refused(sent, nora)


def test_changed_row_is_detected_by_its_digest(data, nora):
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        files = {name: held.read(name) for name in held.namelist()}
    path = "rows/rosters.ledgerentry.jsonl"
    files[path] = files[path].replace(b'"points":60', b'"points":90', 1)
    assert refused(zipped(files), nora) == (
        f"This backup can't be restored: {path} was changed after the backup: its digest differs."
    )


def test_archive_of_a_newer_muster_is_refused(data, nora):
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        migrations = json.loads(held.read(MANIFEST))["migrations"]
    newer = with_manifest(data, migrations={**migrations, "campaigns": [*migrations["campaigns"], "9999_tomorrow"]})
    assert "it comes from a newer Muster (with campaigns.9999_tomorrow); update this one first" in refused(newer, nora)
    assert "club-archive/2 is newer than this Muster" in refused(
        with_manifest(data, muster="club-archive/2", new=1), nora
    )


def test_unexpected_or_missing_files_are_refused(data, nora):
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        files = {name: held.read(name) for name in held.namelist()}
    assert "'../../etc/passwd' doesn't belong in it" in refused(zipped({**files, "../../etc/passwd": b""}), nora)
    del files["rows/campaigns.match.jsonl"]
    assert "'rows/campaigns.match.jsonl' is missing" in refused(zipped(files), nora)


# --- forgeries with correct digests -----------------------------------------------------------------------------------


def first(**fields: Any) -> Callable[[Rows], object]:
    return lambda rows: rows[0].update(fields)


def more_points(rows: Rows) -> None:
    founding = next(row for row in rows if row["kind"] == "founded")
    founding["points"] += 30


def a_gift(rows: Rows) -> None:
    rows.append({**rows[0], "kind": "adjusted", "points": 30, "facts": {"reason": "So be it."}, "reverses": None})


def played_twice(rows: Rows) -> None:
    game = next(row for row in rows if row["kind"] == "game")
    rows.append({**game, "act": "11111111-1111-4111-8111-111111111111"})


def test_game_logged_twice_is_found_despite_forged_sums(data, nora):
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        sums = json.loads(held.read(MANIFEST))["sums"]
    sums[0]["balance"] += 12
    sent = with_manifest(forged(data, rosters_ledgerentry=played_twice), sums=sums)
    assert "appears 2 times in the ledger of Ants, not 1" in refused(sent, nora)


def an_unknown_kind(rows: Rows) -> None:
    rows[0]["kind"] = "gifted"


def facts_of_nothing(rows: Rows) -> None:
    next(row for row in rows if row["kind"] == "bought")["facts"] = {}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (more_points, "its ledger adds up to balance"),
        (a_gift, "its ledger adds up to balance"),
        (played_twice, "its ledger adds up to balance"),
        (an_unknown_kind, "kind: is none of the values that there are"),
        (facts_of_nothing, "can't be added up|can't be read|was never bought"),
    ],
)
def test_forged_ledger_entry_is_refused_despite_its_digest(data, nora, change, why):
    assert re.search(why, refused(forged(data, rosters_ledgerentry=change), nora))


@pytest.mark.parametrize(
    ("table", "change", "why"),
    [
        ("rosters_unit", first(status="sold"), "status is 'sold', the ledger says"),
        ("rosters_company", first(name="Ants II"), "name is 'Ants II', the ledger says"),
        ("rosters_company", first(colour="red;}"), "colour: "),
        ("rosters_company", first(owner=99), "owner names a row that is not there"),
        ("rosters_company", first(owner=None), "owner names a row that is not there"),
        ("rosters_company", first(owner=True), "owner names a row that is not there"),
        ("rosters_company", first(name=["x"]), "name: must be a text"),
        ("rosters_company", first(link_key="x"), "'link_key' is an unknown field"),
        (
            "rosters_company",
            first(catalogue_release="99"),
            "release is '99', the ledger says|no catalogue version '99'",
        ),
        ("campaigns_campaign", first(catalogue_release="99"), "no catalogue version '99'; .*first"),
        ("campaigns_match", first(key="x"), "key: can't be read"),
        ("rosters_company", first(founded_at="yesterday"), "founded_at: "),
        ("rosters_company", first(is_gift=True), "'is_gift' is an unknown field"),
        ("campaigns_match", first(outcome="both"), "outcome: is none of the values"),
        ("campaigns_match", first(number=-1), "number: "),
        ("campaigns_match", first(number=10**30), "number: "),
        ("campaigns_match", first(state="forfeited"), "appears 1 times in the ledger of Ants, not 0"),
        ("campaigns_membership", lambda rows: rows.append(rows[0]), "This backup contradicts itself: "),
        ("campaigns_club", lambda rows: rows.append({**rows[0]}), "it doesn't contain exactly one club|contradicts"),
        ("campaigns_campaign", first(about="a\x00b"), "can't be read"),
        (
            "rosters_player",
            lambda rows: rows[1].update(username=rows[0]["username"]),
            "two players in it have the same user",
        ),
    ],
)
def test_invalid_rows_are_refused(data, nora, table, change, why):
    assert re.search(why, refused(forged(data, **{table: change}), nora))


def test_players_missing_from_the_manifest_are_refused(data, nora):
    more = forged(data, rosters_player=lambda rows: rows.append({**rows[0], "username": "admin"}))
    assert "it doesn't name its players" in refused(more, nora)


def test_json_of_an_unknown_shape_is_refused(data, nora):
    def ruled(rows: Rows) -> None:
        rows.append(
            {
                "campaign": 1, "match": 1, "kind": "correction", "title": "So", "reason": "So be it.", "decision": {},
                "decided_by": 1, "decided_at": "2026-11-01T12:00:00Z",
            }
        )  # fmt: skip

    def corrected(rows: Rows) -> None:
        rows.append({"match": 1, "ruling": 1, "mode": "flag", "before": [], "after": None, "effects": []})

    sent = forged(data, campaigns_ruling=ruled, campaigns_correction=corrected)
    assert "line 1: before: must be an object, not a list" in refused(sent, nora)


def test_lines_without_a_valid_row_are_refused(data, nora):
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        files = {name: held.read(name) for name in held.namelist()}
    path = "rows/campaigns.phase.jsonl"
    manifest = json.loads(files[MANIFEST])
    for line in (b"[" * 5000 + b"\n", b"[]\n", b"{\n", b'{"campaign": NaN}\n', b"\xff\n"):
        entry = {"rows": 1, "bytes": len(line), "sha256": hashlib.sha256(line).hexdigest()}
        sent = {**manifest, "files": {**manifest["files"], path: entry}}
        assert refused(zipped({**files, path: line, MANIFEST: json.dumps(sent).encode()}), nora)


def test_restoring_as_an_unknown_organiser_is_refused(data, nora):
    assert refused(data, nora, stands_for="mallory") == (
        "No organiser in this backup is called mallory (organisers: olga). Leave the field blank if you weren't one."
    )


def test_taken_club_name_is_refused(data, nora):
    assert Club.objects.filter(name="Iron Table").exists()
    assert refused(data, nora, name="") == "There is already a club called Iron Table. Choose another name."


# --- older archives ---------------------------------------------------------------------------------------------------


def test_newer_fields_get_their_default(data, nora):
    def before(rows: Rows) -> None:
        for row in rows:
            del row["handicaps"]

    assert "handicaps is missing" in refused(forged(data, campaigns_campaign=before), nora)
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        migrations = json.loads(held.read(MANIFEST))["migrations"]
    old = with_manifest(
        forged(data, campaigns_campaign=before),
        migrations={**migrations, "campaigns": migrations["campaigns"][:-1]},
    )
    made = club_restore_now(file=io.BytesIO(old), by=nora, name="Another").club
    assert made.campaigns.get().handicaps is False


def test_renamed_and_removed_fields_are_converted(data, nora, monkeypatch):
    def before(rows: Rows) -> None:
        for row in rows:
            row["told"] = row.pop("about")
            row["gone"] = 7

    def renamed(table: str, row: dict[str, Any]) -> dict[str, Any]:
        names = {"told": "about"} if table == "campaigns.Campaign" else {}
        return {names.get(name, name): value for name, value in row.items()}

    def gone(table: str, row: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in row.items() if table != "campaigns.Campaign" or name != "gone"}

    since = "campaigns.0110_club_archives"
    found = (RowUpgrade(since, renamed), RowUpgrade(since, gone))
    monkeypatch.setattr(reading, "ROW_UPGRADES", found)
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        migrations = json.loads(held.read(MANIFEST))["migrations"]
    names = [name for name in migrations["campaigns"] if name != "0110_club_archives"]
    old = with_manifest(forged(data, campaigns_campaign=before), migrations={**migrations, "campaigns": names})
    assert club_restore_now(file=io.BytesIO(old), by=nora, name="Another").club.campaigns.get().about == ""
    assert "is an unknown field" in refused(forged(data, campaigns_campaign=before), nora)


def test_tables_of_older_archives_are_found_by_their_old_names(data, nora):
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        files = {name: held.read(name) for name in held.namelist()}
    manifest = json.loads(files[MANIFEST])
    for new, old in reading.RENAMED_TABLES.items():
        files[path_of(old)] = files.pop(path_of(new))
        manifest["files"][path_of(old)] = manifest["files"].pop(path_of(new))
    for app, name in (
        ("campaigns", "0260_standard_names"),
        ("campaigns", "0270_standard_field_names"),
        ("campaigns", "0280_names_of_times_and_players"),
        ("rosters", "0050_standard_names"),
    ):
        manifest["migrations"][app].remove(name)
    files[MANIFEST] = json.dumps(manifest).encode()
    club = club_restore_now(file=io.BytesIO(zipped(files)), by=nora, name="Another").club
    assert club.activity.count() > 1
    assert (
        SubmittedList.objects.filter(match__round__campaign__club=club).count()
        == (manifest["files"][path_of("campaigns.MatchForce")]["rows"])
    )


RENAMES = {  # migration -> the names before it
    "0270_standard_field_names": reading.RENAMED_FIELDS,
    "0280_names_of_times_and_players": reading.RENAMED_TIMES_AND_PLAYERS,
}


def with_old_field_names(data: bytes) -> bytes:
    """Return the archive with the field names of before campaigns.0270."""

    def change(rows: Rows, label: str) -> None:
        for renamed in (reading.RENAMED_TIMES_AND_PLAYERS, reading.RENAMED_FIELDS):  # newest first
            names = renamed.get(label, {})
            rows[:] = [{names.get(name, name): value for name, value in row.items()} for row in rows]

    labels = {label for renamed in RENAMES.values() for label in renamed}
    return forged(data, **{label.lower().replace(".", "_"): partial(change, label=label) for label in labels})


def without_migrations(data: bytes, *names: str) -> bytes:
    """Return the archive as of a Muster without these migrations of campaigns."""
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        migrations = json.loads(held.read(MANIFEST))["migrations"]
    older = [name for name in migrations["campaigns"] if name not in names]
    return with_manifest(data, migrations={**migrations, "campaigns": older})


def times_and_players(club: Club, until: datetime) -> list[list[Any]]:
    """Return the times and the players of a restored club's rows from before its restore."""
    log = club.activity.filter(created_at__lt=until).order_by("pk")
    entries = LedgerEntry.objects.filter(company__enrolments__campaign__club=club).order_by("pk")
    return [
        list(log.values_list("text", "created_at", "created_by__name_shown")),
        list(entries.values_list("kind", "created_at", "created_by__name_shown")),
    ]


def test_fields_of_older_archives_are_found_by_their_old_names(data, nora):
    old, began = with_old_field_names(data), timezone.now()
    older = without_migrations(old, *RENAMES)
    club, made = (
        club_restore_now(file=io.BytesIO(sent), by=nora, name=name).club
        for sent, name in ((data, "One"), (older, "Two"))
    )
    assert times_and_players(made, began) == times_and_players(club, began)
    log, entries = times_and_players(made, began)
    assert log
    assert len({player for *_, player in entries if player}) == 2
    assert "is an unknown field" in refused(old, nora)


def test_webhook_of_an_older_archive_is_restored(nora):
    club = a_club(a_player("oskar"), name="Oak Table")
    Webhook.objects.create(club=club, url="https://example.org/hook", disabled_reason="gone", enabled=False)
    older = without_migrations(with_old_field_names(archived(club)), *RENAMES)
    made = club_restore_now(file=io.BytesIO(older), by=nora, name="Another").club
    assert made.webhooks.get().enabled is False


@pytest.mark.parametrize("migration", RENAMES)
def test_field_names_of_each_renamed_table_are_upgraded(migration):
    (upgrade,) = (each for each in reading.ROW_UPGRADES if each.since == f"campaigns.{migration}")
    for table, names in RENAMES[migration].items():
        known = {field.name for field in archived_fields(table)}
        assert names.keys() <= known
        assert not known & set(names.values())
        assert upgrade.change(table, dict.fromkeys(names.values(), 1)) == dict.fromkeys(names, 1)
    assert upgrade.change("campaigns.Match", {"by": 1}) == {"by": 1}


def test_renamed_tables_have_rules():
    assert reading.RENAMED_TABLES.keys() <= KEPT.keys()


def test_conversions_belong_to_existing_migrations():
    known = {f"{app}.{name}" for app, names in reading.migrations_here().items() for name in names}
    assert {lift.since for lift in reading.ROW_UPGRADES} <= known
