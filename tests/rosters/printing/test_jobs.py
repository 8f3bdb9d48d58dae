"""Prints as jobs: asked for within bounds, drawn once, seen by whom they may be."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from rosters import services
from rosters.jobs import JobStatus
from rosters.models import Company, Player, PrintJob, Visibility
from rosters.printing import MissingPangoError
from rosters.services import RefusedError
from rosters.services import printing as shop
from rosters.tasks import print_run
from tests.rosters.printing.units import unit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Ids of jobs that would have been sent to a worker."""
    ids: list[int] = []
    monkeypatch.setattr(print_run, "delay", ids.append)
    return ids


def ask(**fields) -> PrintJob:
    return shop.print_ask(**{"units": [unit()], "kind": "cards", "paper": "a4", "title": "Wasp", **fields})


def player(name: str = "kim") -> Player:
    return Player.objects.create_user(name, f"{name}@example.org", "pw")


def company(owner: Player, visibility: str = Visibility.PRIVATE) -> Company:
    row = services.company_found(owner=owner, system="meks-and-mercs", name="Iron Wolves", visibility=visibility)
    for name in ("Ghost", "Needle"):
        services.unit_buy(company=row, by=owner, published="wasp", name=name)
    return row


def test_a_print_is_sent_to_a_worker_once_it_is_stored(sent: list[int], django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job = ask()
    assert sent == [job.pk]


def test_a_worker_draws_a_print_and_stores_its_file():
    job = ask()
    print_run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.pages, job.failure) == (JobStatus.DONE, 2, "")
    assert job.file.read().startswith(b"%PDF")
    assert job.seconds > 0


def test_a_print_run_twice_changes_nothing():
    job = ask()
    print_run(job.pk)
    before = PrintJob.objects.values().get(pk=job.pk)
    print_run(job.pk)
    assert PrintJob.objects.values().get(pk=job.pk) == before


def test_a_worker_that_lost_its_claim_leaves_no_file_behind():
    job = PrintJob.claim(ask().pk)
    PrintJob.objects.filter(pk=job.pk).update(lease=uuid.uuid4())
    storage = job.file.storage
    assert shop.print_render(job=job) is False
    assert not storage.exists(f"prints/{job.key}.pdf")


def test_a_print_that_is_gone_is_no_error():
    print_run(987654)


def test_a_machine_without_pango_says_what_to_install(monkeypatch: pytest.MonkeyPatch, client: Client):
    def missing(*args: object, **kwargs: object) -> bytes:
        raise MissingPangoError

    monkeypatch.setattr(shop, "render_order", missing)
    job = ask()
    print_run(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.FAILED
    assert "libpango-1.0-0" in job.failure
    page = client.get(reverse("rosters:print-job", args=[job.key]))
    assert "Print from the browser instead" in page.content.decode()
    shown = client.get(reverse("rosters:print-page", args=[job.key]))
    assert shown.status_code == 200
    assert "WASP" in shown.content.decode()


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"kind": "posters"}, "kind"),
        ({"paper": "a3"}, "paper"),
        ({"units": []}, "units"),
        ({"units": [unit()] * 10_000}, "units"),
    ],
)
def test_what_cannot_be_printed_is_refused_with_the_field(fields: dict, field: str):
    with pytest.raises(RefusedError) as refusal:
        ask(**fields)
    assert refusal.value.field == field
    assert not PrintJob.objects.exists()


def test_a_visitor_has_three_prints_waiting_at_most():
    for _ in range(shop.OPEN_VISITOR):
        ask(visitor="me")
    with pytest.raises(RefusedError, match="still being drawn"):
        ask(visitor="me")
    ask(visitor="somebody else")


def test_the_page_of_a_company_asks_for_what_was_chosen(client: Client):
    owner = player()
    row = company(owner)
    client.force_login(owner)
    chosen = row.units.get(name="Needle")
    answer = client.post(
        reverse("rosters:print-company", args=[row.pk]), {"units": [chosen.pk], "kind": "sheets", "paper": "letter"}
    )
    job = PrintJob.objects.get()
    assert answer.url == reverse("rosters:print-job", args=[job.key])
    assert [document["name"] for document in job.content] == ["Needle"]
    assert (job.kind, job.paper, job.duplex, job.asked_by) == ("sheets", "letter", False, owner)


def test_choosing_nothing_is_refused_on_the_page(client: Client):
    owner = player()
    row = company(owner)
    client.force_login(owner)
    answer = client.post(reverse("rosters:print-company", args=[row.pk]), {"kind": "cards", "paper": "a4"})
    assert answer.status_code == 422
    assert "Choose at least one unit." in answer.content.decode()


def test_a_units_page_of_another_company_cannot_be_printed(client: Client):
    owner = player()
    row, other = company(owner), company(player("lee"))
    client.force_login(owner)
    foreign = other.units.first().pk
    answer = client.post(
        reverse("rosters:print-company", args=[row.pk]), {"units": [foreign], "kind": "cards", "paper": "a4"}
    )
    assert answer.status_code == 422


def test_paper_starts_as_the_players_own(client: Client):
    owner = player()
    Player.objects.filter(pk=owner.pk).update(paper="letter")
    client.force_login(Player.objects.get(pk=owner.pk))
    page = client.get(reverse("rosters:print-company", args=[company(owner).pk])).content.decode()
    assert '<option value="letter" selected>' in page


@pytest.mark.parametrize(("visibility", "status"), [("private", 404), ("link", 404), ("public", 200)])
def test_a_stranger_sees_prints_of_public_companies_only(client: Client, visibility: str, status: int):
    owner = player()
    row = company(owner, visibility)
    job = ask(company=row, actor=owner)
    print_run(job.pk)
    for name in ("print-job", "print-file", "print-page"):
        assert client.get(reverse(f"rosters:{name}", args=[job.key])).status_code == status
    assert client.get(reverse("rosters:print-company", args=[row.pk])).status_code == status


def test_the_key_of_a_shared_company_opens_its_prints(client: Client):
    owner = player()
    row = company(owner, Visibility.LINK)
    job = ask(company=row, actor=owner)
    url = reverse("rosters:print-job", args=[job.key])
    assert client.get(url, {"key": str(row.link_key)}).status_code == 200
    assert client.get(url, {"key": str(uuid.uuid4())}).status_code == 404


def test_a_design_print_of_a_player_is_his_own(client: Client):
    owner = player()
    job = ask(actor=owner)
    url = reverse("rosters:print-job", args=[job.key])
    assert client.get(url).status_code == 404
    client.force_login(owner)
    assert client.get(url).status_code == 200


def test_a_visitor_prints_a_published_design_and_downloads_it(client: Client):
    answer = client.post(
        reverse("rosters:print-published", args=["meks-and-mercs", "thor"]),
        {"kind": "cards", "paper": "a4", "duplex": "on", "copies": 3},
    )
    job = PrintJob.objects.get()
    assert answer.status_code == 302
    waiting = client.get(answer.url)
    assert "Waiting for a free worker" in waiting.content.decode()
    assert client.get(reverse("rosters:print-file", args=[job.key])).status_code == 404
    print_run(job.pk)
    assert "Open the PDF, 2 pages" in client.get(answer.url).content.decode()
    download = client.get(reverse("rosters:print-file", args=[job.key]))
    assert download["Content-Type"] == "application/pdf"
    assert b"".join(download.streaming_content).startswith(b"%PDF")


def test_the_build_in_the_lab_is_printed(client: Client):
    url = reverse("rosters:print-lab") + "?system=meks-and-mercs&name=Fox&chassis=heavy&weapons=laser&systems=director"
    assert client.post(url, {"kind": "sheets", "paper": "a4", "copies": 1}).status_code == 302
    (document,) = PrintJob.objects.get().content
    assert (document["name"], document["spec"]["weapons"]) == ("Fox", ["laser"])


@pytest.mark.parametrize("path", ["published-unknown", "job-unknown"])
def test_what_is_not_there_is_not_found(client: Client, path: str):
    urls = {
        "published-unknown": reverse("rosters:print-published", args=["meks-and-mercs", "nobody"]),
        "job-unknown": reverse("rosters:print-job", args=[uuid.uuid4()]),
    }
    assert client.get(urls[path]).status_code == 404
