"""Prints as jobs: requested within limits, drawn once, visible to permitted readers."""

from __future__ import annotations

import uuid
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from rosters import services
from rosters.jobs import JobStatus
from rosters.models import Company, Player, PrintJob, Visibility
from rosters.printing import MissingPangoError
from rosters.printing import services as shop
from rosters.services import RefusedError
from rosters.tasks import print_run
from systems.documents import DocumentError
from tests.rosters.paper.forms import form_fields
from tests.rosters.paper.units import unit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sent_jobs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return ids of jobs that would have been sent to a worker."""
    ids: list[int] = []
    monkeypatch.setattr(print_run, "delay", ids.append)
    return ids


def order(*units: dict, what: str = "unit-card", **settings) -> dict:
    items = [{"what": what, "unit": each} for each in units or [unit()]]
    return {"muster": "print/1", "title": "Wasp", "settings": settings, "items": items}


def ask(**fields) -> PrintJob:
    return shop.print_ask(**{"order": order(), **fields})


def fields_of(client: Client, path: str, **changed) -> dict:
    return form_fields(client.get(path).context["form"], **changed)


def player(name: str = "kim") -> Player:
    return Player.objects.create_user(name, f"{name}@example.org", "pw")


def company(owner: Player, visibility: str = Visibility.PRIVATE) -> Company:
    row = services.company_create(owner=owner, system="meks-and-mercs", name="Iron Wolves", visibility=visibility)
    for name in ("Ghost", "Needle"):
        services.unit_buy(company=row, by=owner, published="wasp", name=name)
    return row


def test_print_is_sent_to_a_worker_after_commit(sent_jobs: list[int], django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job = ask()
    assert sent_jobs == [job.pk]


def test_worker_draws_a_print_and_stores_its_file():
    job = ask()
    print_run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.pages, job.failure) == (JobStatus.DONE, 2, "")
    assert job.file.read().startswith(b"%PDF")
    assert job.seconds > 0


def test_print_run_twice_changes_nothing():
    job = ask()
    print_run(job.pk)
    before = PrintJob.objects.values().get(pk=job.pk)
    print_run(job.pk)
    assert PrintJob.objects.values().get(pk=job.pk) == before


def test_worker_without_claim_leaves_no_file():
    job = PrintJob.claim(ask().pk)
    PrintJob.objects.filter(pk=job.pk).update(lease=uuid.uuid4())
    storage = job.file.storage
    assert shop.print_render(job=job) is False
    assert not storage.exists(f"prints/{job.key}.pdf")


def test_deleted_print_is_skipped():
    print_run(987654)


def test_machine_without_pango_names_the_missing_package(monkeypatch: pytest.MonkeyPatch, client: Client):
    def missing(*args: object, **kwargs: object) -> bytes:
        raise MissingPangoError

    monkeypatch.setattr(shop, "render_order", missing)
    job = ask()
    print_run(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.FAILED
    assert "libpango-1.0-0" in job.failure
    page = client.get(reverse("rosters:print-job", args=[job.key]))
    assert "libpango-1.0-0" in page.content.decode()


FAR = {"front": {"x": 1000.0}}
SHIFTED = {"back": {"y": -10.1}}


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        (order(what="poster"), "items[0]"),
        (order(paper="a3"), "settings.paper"),
        (order(**FAR), "settings.front.x"),
        (order(**SHIFTED), "settings.back.y"),
        (order(unit(name="😀" * 5000)), "items[0].unit.name"),
        (order(unit(spec={"chassis": "giga"})), "items[0].unit.spec.chassis"),
        ({**order(), "items": []}, "items"),
        ({**order(), "items": [{"what": "break"}]}, "items"),
        ({**order(), "items": [{"what": "unit-card", "unit": unit(), "copies": 10_000}]}, "items[0].copies"),
        ({**order(), "items": [{"what": "unit-card", "unit": unit(), "copies": 600}] * 2}, "items"),
        ({**order(), "items": [{"what": "blank", "of": "slip", "system": "chess"}]}, "items[0].system"),
        (
            {**order(), "items": [{"what": "support-card", "system": "meks-and-mercs", "support": "rain"}]},
            "items[0].support",
        ),
    ],
)
def test_unprintable_order_is_refused_with_field(asked: dict, field: str):
    with pytest.raises(DocumentError) as refusal:
        ask(order=asked, actor=player())
    assert refusal.value.path == field
    assert len(refusal.value.reason) < 250
    assert not PrintJob.objects.exists()


def test_visitor_prints_fewer_cards_than_player():
    many = {**order(), "items": [{"what": "unit-card", "unit": unit(), "copies": shop.CARDS_VISITOR + 1}]}
    with pytest.raises(RefusedError, match="41 cards"):
        ask(order=many, visitor="me")
    assert ask(order=many, actor=player()).status == JobStatus.QUEUED


def test_visitor_has_a_limit_of_waiting_prints():
    for _ in range(shop.OPEN_VISITOR):
        ask(visitor="me")
    with pytest.raises(RefusedError, match="aren't finished yet"):
        ask(visitor="me")
    ask(visitor="somebody else")


@pytest.mark.parametrize(("visibility", "status"), [("private", 404), ("link", 404), ("public", 200)])
def test_stranger_sees_prints_of_public_companies_only(client: Client, visibility: str, status: int):
    owner = player()
    row = company(owner, visibility)
    job = ask(company=row, actor=owner)
    print_run(job.pk)
    for name in ("print-job", "print-file"):
        assert client.get(reverse(f"rosters:{name}", args=[job.key])).status_code == status
    assert client.get(reverse("rosters:print-preview", args=[job.key, 1])).status_code == status
    assert client.get(reverse("rosters:print-company", args=[row.pk])).status_code == status


def test_key_of_a_shared_company_opens_its_prints(client: Client):
    owner = player()
    row = company(owner, Visibility.LINK)
    job = ask(company=row, actor=owner)
    url = reverse("rosters:print-job", args=[job.key])
    assert client.get(url, {"key": str(row.link_key)}).status_code == 200
    assert client.get(url, {"key": str(uuid.uuid4())}).status_code == 404


def test_players_design_print_is_theirs_alone(client: Client):
    owner = player()
    job = ask(actor=owner)
    url = reverse("rosters:print-job", args=[job.key])
    assert client.get(url).status_code == 404
    client.force_login(owner)
    assert client.get(url).status_code == 200


def test_visitor_prints_and_downloads_a_published_design(client: Client):
    path = reverse("rosters:print-design-published", args=["meks-and-mercs", "thor"])
    answer = client.post(path, fields_of(client, path, copies=3))
    job = PrintJob.objects.get()
    assert answer.status_code == 302
    waiting = client.get(answer.url)
    assert "Waiting to start" in waiting.content.decode()
    assert client.get(reverse("rosters:print-file", args=[job.key])).status_code == 404
    print_run(job.pk)
    assert "Open the PDF, 2 pages" in client.get(answer.url).content.decode()
    download = client.get(reverse("rosters:print-file", args=[job.key]))
    assert download["Content-Type"] == "application/pdf"
    assert b"".join(download.streaming_content).startswith(b"%PDF")


def test_labs_build_is_printed(client: Client):
    path = reverse("rosters:print-lab") + "?system=meks-and-mercs&name=Fox&chassis=heavy&weapons=laser&systems=director"
    assert client.post(path, fields_of(client, path, products=["datasheet"])).status_code == 302
    (item,) = PrintJob.objects.get().content["items"]
    assert (item["what"], item["unit"]["name"], item["unit"]["spec"]["weapons"]) == ("datasheet", "Fox", ["laser"])


def test_finished_print_shows_pictures_of_its_pages(client: Client):
    job = ask()
    print_run(job.pk)
    job.refresh_from_db()
    assert job.previews == job.pages == 2
    page = client.get(reverse("rosters:print-job", args=[job.key])).content.decode()
    assert page.count("<img") == 2
    picture = client.get(reverse("rosters:print-preview", args=[job.key, 2]))
    assert picture["Content-Type"] == "image/webp"
    with Image.open(BytesIO(b"".join(picture.streaming_content))) as drawn:
        assert drawn.height / drawn.width == pytest.approx(297 / 210, abs=0.01)
    for number in (0, 3, 99):
        assert client.get(reverse("rosters:print-preview", args=[job.key, number])).status_code == 404


def test_print_survives_failing_pictures(monkeypatch: pytest.MonkeyPatch):
    def broken(pdf: bytes):
        raise RuntimeError("no pictures can be drawn")

    monkeypatch.setattr(shop, "page_pictures", broken)
    job = ask()
    print_run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.previews) == (JobStatus.DONE, 0)


def test_only_the_requester_cancels_a_print(client: Client):
    owner = player()
    job = ask(actor=owner)
    path = reverse("rosters:print-cancel", args=[job.key])
    assert client.post(path).status_code == 404
    client.force_login(owner)
    assert ">Cancel<" in client.get(reverse("rosters:print-job", args=[job.key])).content.decode()
    client.post(path)
    job.refresh_from_db()
    assert job.status == JobStatus.CALLED_OFF
    print_run(job.pk)
    job.refresh_from_db()
    assert not job.file


def test_visitor_cannot_cancel_another_visitors_print():
    job = ask(visitor="me")
    with pytest.raises(RefusedError):
        shop.print_cancel(job=job, visitor="you")
    assert shop.print_cancel(job=job, visitor="me")
    assert not shop.print_cancel(job=job, visitor="me")


def test_worker_stops_at_a_cancelled_print(monkeypatch: pytest.MonkeyPatch):
    def cancelled(order: object, progress) -> None:
        shop.print_cancel(job=job, visitor="me")
        progress(1, 2)
        pytest.fail("the worker continues to draw")

    monkeypatch.setattr(shop, "render_order", cancelled)
    job = ask(visitor="me")
    print_run(job.pk)
    job.refresh_from_db()
    assert job.status == JobStatus.CALLED_OFF


def test_accessible_version_is_the_same_order_for_screens(client: Client):
    job = ask()
    answer = client.post(reverse("rosters:print-accessible", args=[job.key]))
    made = PrintJob.objects.exclude(pk=job.pk).get()
    assert answer.url == reverse("rosters:print-job", args=[made.key])
    assert made.content["settings"]["medium"] == "screen"
    assert made.content["items"] == job.content["items"]


def test_printing_again_keeps_the_earlier_choice(client: Client):
    path = reverse("rosters:print-design-published", args=["meks-and-mercs", "thor"])
    choices = {"products": ["datasheet", "counter"], "theme": "ink-saver", "bleed": "1.5", "copies": 2}
    answer = client.post(path, fields_of(client, path, **choices))
    again = client.get(answer.url).context["again_url"]
    form = client.get(again).context["form"]
    assert {name: str(form[name].value()) for name in ("theme", "bleed", "copies")} == {
        "theme": "ink-saver",
        "bleed": "1.5",
        "copies": "2",
    }
    assert form["products"].value() == ["datasheet", "counter"]


@pytest.mark.parametrize("path", ["published-unknown", "job-unknown"])
def test_unknown_print_pages_return_404(client: Client, path: str):
    urls = {
        "published-unknown": reverse("rosters:print-design-published", args=["meks-and-mercs", "nobody"]),
        "job-unknown": reverse("rosters:print-job", args=[uuid.uuid4()]),
    }
    assert client.get(urls[path]).status_code == 404
