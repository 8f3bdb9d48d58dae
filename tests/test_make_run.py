"""The site as started by `make run`: it survives attacks on its processes."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.services import wait_until
from tests.tools.site import Site
from tests.tools.soak_site import FORM, Visitor

pytestmark = pytest.mark.proof
PATIENCE = 180.0


def fight(site: Site, name: str) -> None:
    """Start a battle on the home page and wait for its result."""
    visitor = Visitor(site.url, name)
    address, _ = visitor.post("/try/", FORM)
    wait_until(lambda: 'class="outcome"' in visitor.get(address)[1], "the battle", PATIENCE)


def test_site_survives_killed_workers_broken_messages_and_a_restart(tmp_path: Path):
    site = Site(tmp_path)
    try:
        site.wait_until_open()
        wait_until(lambda: site.main_of("worker") is not None, "the worker", PATIENCE)
        fight(site, "kim")
        web, main = site.processes("web")[0], site.main_of("worker")
        (tmp_path / "queue" / "1_x.battles.msg").touch()
        (tmp_path / "queue" / "battles" / "0.msg").write_bytes(b"\x00")
        wait_until(lambda: len(list((tmp_path / "queue-unreadable").glob("*"))) == 2, "set aside", PATIENCE)
        assert site.main_of("worker") == main

        assert main
        os.kill(main, signal.SIGKILL)
        wait_until(lambda: site.main_of("worker") not in (None, main), "the next worker", PATIENCE)
        assert site.processes("web")[0] == web
        fight(site, "lee")

        os.kill(web, signal.SIGKILL)
        wait_until(lambda: site.answers() and site.processes("web")[0] != web, "the next web server", PATIENCE)

        site.process.kill()
        site.process.wait()
        opened = site.output().count("Muster is open at")
        site.start()
        wait_until(lambda: site.output().count("Muster is open at") > opened, "the next run", PATIENCE)
        fight(site, "max")
    finally:
        code = site.stop()
    assert code == 130
    assert site.processes() == []
