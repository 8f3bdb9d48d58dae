"""A printer's test sheet as a print: requested on its page, with its offsets, drawn by a worker."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pikepdf
import pytest
from django.urls import reverse

from rosters.jobs import JobStatus
from rosters.models import PrintJob
from rosters.printing.orders import printer_order
from rosters.printing.selectors import printer_settings
from rosters.printing.services import order_of, print_ask, printer_save
from rosters.tasks import print_run
from tests.builders import a_player
from tests.rosters.paper import pdf

pytestmark = pytest.mark.django_db
OFFSETS = {"front_x": 1.5, "front_y": -0.5, "back_x": 0.3, "back_y": 2}


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(print_run, "delay", lambda pk: None)


@pytest.fixture
def owner(client):
    player = a_player("kim")
    client.force_login(player)
    return player


@pytest.fixture
def printer(owner):
    return printer_save(player=owner, name="Kitchen laser", paper="letter", flip="short-edge", offsets=OFFSETS)


def ask(client, printer) -> PrintJob:
    answer = client.post(reverse("rosters:print-test-sheet", args=[printer.pk]))
    job = PrintJob.objects.get()
    assert answer.headers["Location"] == reverse("rosters:print-job", args=[job.key])
    return job


def test_sheet_uses_the_printers_paper_edge_and_offsets(client, printer, tmp_path: Path):
    job = ask(client, printer)
    settings = order_of(job).settings
    assert (settings.paper, settings.backs) == ("letter", "short-edge")
    assert (settings.front.x, settings.front.y, settings.back.x, settings.back.y) == (1.5, -0.5, 0.3, 2.0)
    print_run(job.pk)
    job.refresh_from_db()
    assert (job.status, job.failure, job.pages) == (JobStatus.DONE, "", 2)
    path = tmp_path / "sheet.pdf"
    path.write_bytes(job.file.read())
    assert "x 1.5 mm, y -0.5 mm" in pdf.text(path)
    assert "x 0.3 mm, y 2.0 mm" in pdf.text(path)
    with pikepdf.open(path) as opened:
        assert opened.Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"
        assert opened.Root.ViewerPreferences.PrintScaling == "/None"


def test_changed_offsets_give_another_test_sheet(client, owner, printer, tmp_path: Path):
    print_run(ask(client, printer).pk)
    moved = printer_save(player=owner, name=printer.name, printer=printer, offsets={**OFFSETS, "front_x": -4})
    job = print_ask(order=printer_order("Test sheet", printer_settings(moved)), actor=owner)
    print_run(job.pk)
    job.refresh_from_db()
    path = tmp_path / "sheet.pdf"
    path.write_bytes(job.file.read())
    assert "x -4.0 mm, y -0.5 mm" in pdf.text(path)


def test_print_page_links_back_to_the_printer(client, printer):
    job = ask(client, printer)
    page = client.get(reverse("rosters:print-job", args=[job.key])).content.decode()
    assert reverse("rosters:print-presets", query={"printer": printer.pk}) in page
    assert "Test sheet of Kitchen laser" in page
    assert "2 pages" in page


def test_too_many_prints_are_refused_on_the_printers_page(client, printer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("rosters.printing.services.OPEN_PLAYER", 0)
    answer = client.post(reverse("rosters:print-test-sheet", args=[printer.pk]), follow=True)
    assert "earlier prints" in answer.content.decode()
    assert not PrintJob.objects.exists()


@pytest.mark.slow
@pytest.mark.any_database
def test_request_loads_neither_weasyprint_nor_pikepdf():
    code = (
        "import django; django.setup(); import sys; import config.urls; from rosters.printing.orders import check_order;"
        "from rosters.printing.orders import read_order;"
        "check_order(read_order({'title': 'T', 'items': [{'what': 'test-sheet'}]}));"
        "assert {'weasyprint', 'pikepdf'}.isdisjoint(sys.modules)"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    )
