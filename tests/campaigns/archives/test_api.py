"""The API of club archives: packing, downloading, restoring, and new links for kept places."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from campaigns.archive import services
from campaigns.models import Club, ClubArchive, ClubRestore, Placeholder
from campaigns.tasks import archive_pack as pack_task
from campaigns.tasks import archive_restore as restore_task
from tests.accounts.builders import reauthenticate
from tests.builders import a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_member, a_mustered_company, an_enrolment

from .clubs import archived, emptied

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(autouse=True)
def files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def olga():
    return a_player("olga")


@pytest.fixture
def club(olga):
    club = a_club(olga, name="Iron Table")
    an_enrolment(a_campaign(club), a_mustered_company(a_member(club, player=a_player("kim")), name="Ants"))
    return club


def program(player, *scopes):
    return Client(headers={"Authorization": f"Token {a_token(player, *scopes)}"})


def brought(data, **fields):
    return {"file": SimpleUploadedFile("club.zip", data, "application/zip"), **fields}


def test_api_packs_and_restores_a_club(club, olga):
    api, page = program(olga, "read", "club"), f"/api/v1/clubs/{club.slug}/archive/"
    assert api.get(page).json()["status"] == "none"
    asked = api.post(page)
    assert (asked.status_code, asked.json()["status"], asked.json()["file"]) == (201, "queued", "")
    assert api.post(page).json()["asked_at"] == asked.json()["asked_at"]  # the job already under way
    pack_task(ClubArchive.objects.get().pk)
    job_info = api.get(page).json()
    assert (job_info["status"], job_info["parts_done"]) == ("done", job_info["parts"])
    answer = api.get(job_info["file"])
    data = b"".join(answer.streaming_content)
    assert (answer["Content-Type"], data[:2], len(data)) == ("application/zip", b"PK", job_info["size"])

    emptied()
    nora = program(a_player("nora"), "read", "club")
    job = nora.post("/api/v1/clubs/restore/", brought(data, stands_for="olga", name="Second Table"))
    assert (job.status_code, job.json()["title"], job.json()["club"]) == (201, "Iron Table", "")
    restore_task(ClubRestore.objects.get().pk)
    job_info = nora.get(f"/api/v1/clubs/restore/{job.json()['key']}/").json()
    assert (job_info["status"], job_info["club"], job_info["failure"]) == ("done", Club.objects.get().slug, "")
    assert Club.objects.get().name == "Second Table"
    places = f"/api/v1/clubs/{job_info['club']}/places/"
    (place,) = nora.get(places).json()
    assert (place["name"], place["username"], place["companies"]) == ("kim", "kim", 1)
    assert set(place) == {"id", "name", "username", "role", "companies"}  # no link
    before = Placeholder.objects.get().key
    link = nora.post(f"{places}{place['id']}/").json()["link"]
    assert Client().get(link).status_code == 200
    assert Client().get(reverse("campaigns:reserved_place", args=[before])).status_code == 410


def test_token_without_the_club_scope_gets_no_archive(club, olga):
    pack_task(services.archive_request(club=club, by=olga).pk)
    file = program(olga).get(f"/api/v1/clubs/{club.slug}/archive/").json()["file"]
    refused = program(olga, "read", "companies").get(file)
    assert (refused.status_code, refused["Content-Type"]) == (403, "application/json")
    assert "scope 'club'" in refused.json()["errors"][0]["reason"]
    assert program(a_player("gil")).get(file).status_code == 403


def test_signed_in_organiser_gives_the_password_first(client, club, olga):
    pack_task(services.archive_request(club=club, by=olga).pk)
    client.force_login(olga)
    file = client.get(f"/api/v1/clubs/{club.slug}/archive/").json()["file"]
    assert "Give your password" in client.get(file).json()["errors"][0]["reason"]
    reauthenticate(client, "secret-sesame")
    assert client.get(file).status_code == 200


def test_invalid_archive_is_refused_and_not_kept(club, olga, files):
    api, page = program(olga, "read", "club"), "/api/v1/clubs/restore/"
    data = archived(club)
    for sent, field in (
        (brought(data[:-40]), "file"),
        (brought(b"PK"), "file"),
        (brought(data), "name"),  # a club of that name exists
        (brought(data, name="Other", stands_for="kim"), "stands_for"),
    ):
        answer = api.post(page, sent)
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)
    for sent, field in (({}, "file"), (brought(data, club="x"), "club")):
        answer = api.post(page, sent)
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, field)
    assert api.post(page, "{}", content_type="application/json").status_code == 415
    assert not ClubRestore.objects.exists()
    assert list(files.rglob("*.zip")) == []
    assert Club.objects.count() == 1


def test_oversized_archive_is_refused(olga, monkeypatch):
    monkeypatch.setattr("campaigns.archive.reading.MAX_BYTES", 1000)
    answer = program(olga).post("/api/v1/clubs/restore/", brought(b"x" * 1001))
    assert (answer.status_code, "it is larger than" in answer.content.decode()) == (422, True)


def test_idempotency_key_restores_once(club, olga):
    api, data = program(olga), archived(club)
    key = {"HTTP_IDEMPOTENCY_KEY": "once"}
    answers = [api.post("/api/v1/clubs/restore/", brought(data, name="Other"), **key) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert answers[1]["Idempotency-Replayed"] == "true"
    assert ClubRestore.objects.count() == 1
    other = api.post("/api/v1/clubs/restore/", brought(data + b"\0", name="Other"), **key)
    assert "This key was used for another request" in other.content.decode()


def test_restore_job_is_visible_to_its_player_only(club, olga):
    job = services.restore_request(by=olga, file=brought(archived(club))["file"], name="Other")
    assert program(olga).get(f"/api/v1/clubs/restore/{job.key}/").json()["status"] == "queued"
    assert program(a_player("gil")).get(f"/api/v1/clubs/restore/{job.key}/").status_code == 404
