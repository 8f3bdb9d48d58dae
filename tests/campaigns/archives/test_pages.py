"""Packing a club, restoring it elsewhere, and members claiming their places."""

from __future__ import annotations

import io
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.archive import selectors, services
from campaigns.archive.services import archive_pack, archive_request, restore_request, restore_run
from campaigns.models import ActivityLogEntry, Club, ClubArchive, ClubRestore, Placeholder
from campaigns.rounds.closing import round_close
from campaigns.tasks import archive_pack as pack_task
from campaigns.tasks import archive_restore as restore_task
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.retention import Clearing
from tests.accounts.builders import reauthenticate
from tests.builders import a_player
from tests.campaigns.builders import a_campaign, a_club, a_member, a_mustered_company, a_round, an_enrolment

from .clubs import archived, emptied
from .test_bad_archives import forged, more_points

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    club = a_club(a_player("olga"), name="Iron Table")
    an_enrolment(a_campaign(club), a_mustered_company(a_member(club, player=a_player("kim")), name="Ants"))
    return club


@pytest.fixture
def olga(client, club):
    player = Player.objects.get(username="olga")
    client.force_login(player)
    return player


@pytest.fixture(autouse=True)
def files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def brought(data, **fields):
    return {"file": SimpleUploadedFile("club.zip", data, "application/zip"), **fields}


def test_organiser_packs_and_downloads_the_club(client, club, olga):
    page = reverse("campaigns:club_archive", args=[club.slug])
    assert "Create backup" in client.get(page).content.decode()
    assert client.post(reverse("campaigns:club_archive_create", args=[club.slug])).url == page
    job = ClubArchive.objects.get()
    assert "Waiting to start" in client.get(page).content.decode()
    assert archive_request(club=club, by=olga) == job, "one at a time"
    pack_task(job.pk)
    text = client.get(page).content.decode()
    assert "Download ZIP" in text
    address = reverse("campaigns:club_archive_file", args=[club.slug, job.key])
    assert "reauthenticate" in client.get(address).url
    reauthenticate(client, "secret-sesame")
    answer = client.get(address)
    assert b"".join(answer.streaming_content)[:2] == b"PK"
    pack_task(job.pk)
    assert ClubArchive.objects.get().tries == 1, "done once"


def test_club_with_a_closing_round_is_not_packed(club, olga):
    round_close(round_=a_round(club.campaigns.get()), by=olga)
    job = ClubArchive.claim(archive_request(club=club, by=olga).pk)
    assert not archive_pack(job=job)
    job.refresh_from_db()
    assert (job.status, job.failure) == (
        "failed", "A round is closing right now. Try again in a moment."
    )  # fmt: skip


def test_worker_without_its_claim_saves_no_archive(club, olga, files):
    job = ClubArchive.claim(archive_request(club=club, by=olga).pk)
    other = ClubArchive.claim(job.pk)
    assert other is None
    ClubArchive.objects.filter(pk=job.pk).update(status="called-off")
    assert not archive_pack(job=job)
    assert list(files.rglob("*.zip")) == []


def test_old_archive_is_deleted_with_its_file(club, olga, files, django_capture_on_commit_callbacks):
    pack_task(archive_request(club=club, by=olga).pk)
    assert len(list(files.rglob("*.zip"))) == 1
    later = timezone.now() + timedelta(days=30)
    with django_capture_on_commit_callbacks(execute=True):
        assert services.clear_archives(Clearing(now=later)) == 1
    assert list(files.rglob("*.zip")) == []


def test_club_is_restored_on_an_empty_site(client, club, monkeypatch):
    data = archived(club)
    emptied()
    monkeypatch.setattr(selectors, "_players_exist", [])
    for route in ("home", "account_signup"):
        assert "restore the club" in client.get(reverse(route)).content.decode()
    client.force_login(a_player("nora"))
    assert "restore the club" not in Client().get(reverse("home")).content.decode()
    answer = client.post(reverse("campaigns:club_restore"), brought(data, stands_for="olga"))
    job = ClubRestore.objects.get()
    assert answer.url == reverse("campaigns:club_restore") + "#job"
    page = client.get(answer.url).content.decode()
    assert "Waiting to start" in page
    assert reverse("campaigns:club_restore_job", args=[job.key]) in page
    assert 'type="file"' not in page
    restore_task(job.pk)
    text = client.get(answer.url).content.decode()
    assert "Iron Table is restored." in text
    assert not list(Path(job.file.storage.location).rglob("*.zip")), "the uploaded file is gone"
    restore_task(job.pk)
    assert Club.objects.count() == 1, "a second attempt changes nothing"
    assert Club.objects.get().memberships.get(role="organiser").player.username == "nora"


def test_member_claims_their_place_by_link_with_all_history(client, club):
    data = archived(club)
    emptied()
    client.force_login(a_player("nora"))
    made = services.club_restore_now(file=io.BytesIO(data), by=Player.objects.get(), stands_for="olga").club
    page = client.get(reverse("campaigns:club_archive", args=[made.slug])).content.decode()
    place = Placeholder.objects.get()
    link = reverse("campaigns:reserved_place", args=[place.key])
    assert link in page
    assert "1 restored player hasn’t signed in yet" in " ".join(
        client.get(reverse("campaigns:club_members", args=[made.slug])).content.decode().split()
    )
    kim = Client()
    assert "kim" in kim.get(link).content.decode()
    weak = kim.post(link, {"username": "kim", "password1": "kim", "password2": "kim"})
    assert weak.status_code == 422
    other = kim.post(link, {"username": "kim", "password1": "four-new-words", "password2": "four-old-words"})
    assert "The two passwords don&#x27;t match" in other.content.decode()
    answer = kim.post(link, {"username": "kim", "password1": "four-new-words", "password2": "four-new-words"})
    assert answer.status_code == 302
    assert kim.login(username="kim", password="four-new-words")
    assert [company.name for company in Player.objects.get(username="kim").companies.all()] == ["Ants"]
    assert ActivityLogEntry.objects.filter(text="kim returned after the restore").exists()
    gone = Client().get(link)
    assert (gone.status_code, "doesn’t work any more" in gone.content.decode()) == (410, True)
    assert link not in client.get(reverse("campaigns:club_archive", args=[made.slug])).content.decode()


def test_place_is_claimed_only_once(club):
    place = Placeholder.objects.create(club=club, player=a_player("left-behind"))
    services.place_take(place=place, username="first", password="four-new-words")
    with pytest.raises(RefusedError, match="has been used"):
        services.place_take(place=place, username="second", password="four-new-words")


def test_renewed_link_replaces_the_old_one(client, club, olga):
    place = Placeholder.objects.create(club=club, player=a_player("left-behind"))
    client.post(reverse("campaigns:club_place_renew", args=[club.slug, place.pk]))
    assert Client().get(reverse("campaigns:reserved_place", args=[place.key])).status_code == 410
    place.refresh_from_db()
    assert Client().get(reverse("campaigns:reserved_place", args=[place.key])).status_code == 200


def test_claiming_a_place_needs_signing_out_first(client, club, olga):
    place = Placeholder.objects.create(club=club, player=a_player("left-behind"))
    text = client.get(reverse("campaigns:reserved_place", args=[place.key])).content.decode()
    assert "You’re signed in as olga" in text
    assert "Take my place" not in text


def test_invalid_archive_or_name_is_refused_on_the_form(client, club, olga):
    page, data = reverse("campaigns:club_restore"), archived(club)
    assert "There is already a club called Iron Table" in client.post(page, brought(data)).content.decode()
    assert "cut off, damaged" in client.post(page, brought(data[:500], name="X")).content.decode()
    wrong = client.post(page, brought(data, name="X", stands_for="kim"))
    assert "No organiser in this backup is called kim (organisers: olga)." in wrong.content.decode()
    assert (wrong.status_code, ClubRestore.objects.count()) == (422, 0)
    assert client.post(page, {}).status_code == 422


def test_oversized_file_is_refused_unread(client, club, olga, monkeypatch):
    monkeypatch.setattr("campaigns.archive.forms.MAX_BYTES", 1000)
    page = client.post(reverse("campaigns:club_restore"), brought(b"0" * 2000))
    assert "This file is too large" in page.content.decode()


def test_error_found_by_the_worker_is_shown_without_changes(client, club, olga):
    data = forged(archived(club), rosters_ledgerentry=more_points)
    job = restore_request(by=olga, file=io.BytesIO(data), name="Another")
    restore_task(job.pk)
    text = client.get(reverse("campaigns:club_restore_job", args=[job.key]), follow=True).content.decode()
    assert "Ants: its ledger adds up to balance" in text
    assert "Nothing was restored." in text
    assert 'type="file"' in text
    assert Club.objects.count() == 1


def test_interrupted_restore_leaves_no_club_and_is_repeated(club, olga, monkeypatch):
    job = restore_request(by=olga, file=io.BytesIO(archived(club)), name="Another")

    class DiedError(BaseException):
        pass

    def dies(*args, **kwargs):
        raise DiedError

    with monkeypatch.context() as patch:
        patch.setattr("campaigns.archive.restoring._check_rows", dies)
        with pytest.raises(DiedError):
            restore_run(job=ClubRestore.claim(job.pk))
    assert Club.objects.count() == 1
    ClubRestore.objects.filter(pk=job.pk).update(lease_until=timezone.now())
    assert restore_run(job=ClubRestore.claim(job.pk))
    assert Club.objects.filter(name="Another").count() == 1


def test_worker_without_its_claim_makes_no_club(club, olga):
    job = ClubRestore.claim(restore_request(by=olga, file=io.BytesIO(archived(club)), name="Another").pk)
    ClubRestore.objects.filter(pk=job.pk).update(lease=None)
    assert not restore_run(job=job)
    assert Club.objects.count() == 1


def test_archive_commands_work_and_refuse_bad_input(club, tmp_path):
    out, path = io.StringIO(), str(tmp_path / "club.zip")
    call_command("export_club_archive", club.slug, "-o", path, stdout=out)
    call_command("restore_club", path, "--organiser", "kim", "--name", "Another", stdout=out)
    assert "Another is restored: /clubs/iron-table-2/" in out.getvalue()
    for command in (
        ("export_club_archive", "nowhere", "-o", path),
        ("export_club_archive", "x\x00", "-o", path),
        ("export_club_archive", "9" * 30, "-o", path),
        ("export_club_archive", str(club.pk + 99), "-o", path),
        ("export_club_archive", club.slug, "-o", "/nowhere/at/all"),
        ("restore_club", path, "--organiser", "nobody"),
        ("restore_club", path, "--organiser", "kim"),
        ("restore_club", "/nowhere/at/all", "--organiser", "kim"),
    ):
        with pytest.raises(CommandError) as error:
            call_command(*command, stdout=out)
        assert error.value.returncode == 2
        assert "\n" not in str(error.value)
