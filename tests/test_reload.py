"""The web server loads new code without refusing a request."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services import ROOT, free_port, wait_until

# A stand-in for Muster that also takes a second to load: this tests the server around it.
SITE = """
import pathlib, time
time.sleep(1)
CODE = pathlib.Path(__file__).with_name("code").read_text().encode()

def application(environ, start):
    environ["wsgi.input"].read()
    start("200 OK", [("Content-Length", str(len(CODE))), ("X-Prefix", environ["SCRIPT_NAME"])])
    return [CODE]
"""


class Server:
    """A web server with the configuration in deploy/."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.code = folder / "code"
        self.code.write_text("old")
        (folder / "site_of_the_test.py").write_text(SITE)
        self.home = folder / "home"
        self.home.mkdir()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "-c", ROOT / "deploy/gunicorn_conf.py", "site_of_the_test"],
            cwd=folder,
            env={name: value for name, value in os.environ.items() if name != "XDG_RUNTIME_DIR"}
            | {
                "MUSTER_PORT": str(self.port),
                "MUSTER_WEB_PROCESSES": "2",
                "TMPDIR": str(folder),
                "HOME": str(self.home),
            },
        )

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def get(self) -> str:
        """Send a request on a new connection; return the body."""
        connection = self.connect()
        try:
            connection.request("GET", "/")
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def is_open(self) -> bool:
        try:
            return self.get() == "old"
        except OSError:
            return False


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path)
    try:
        wait_until(started.is_open, "the web server", 60, lambda: started.process.poll() is None)
        yield started
    finally:
        started.process.terminate()
        started.process.wait(60)


def test_no_header_sets_a_path_prefix(server: Server):
    connection = server.connect()
    connection.request("GET", "/", headers={"SCRIPT_NAME": "/muster", "Script-Name": "/muster"})
    answer = connection.getresponse()
    assert (answer.status, answer.headers["X-Prefix"]) == (200, "")
    connection.close()


def test_reload_refuses_no_request(server: Server):
    over, bodies = threading.Event(), []

    def asks() -> None:
        while not over.is_set():
            try:
                bodies.append(server.get())
            except (OSError, http.client.HTTPException) as error:
                bodies.append(repr(error))

    kept = server.connect()  # a phone that keeps its connection open
    kept.request("GET", "/")
    kept.getresponse().read()
    slow = server.connect()  # a request in progress
    slow.putrequest("POST", "/")
    slow.putheader("Content-Length", "4")
    slow.endheaders(b"ab")
    askers = [threading.Thread(target=asks) for _ in range(3)]
    for asker in askers:
        asker.start()
    try:
        wait_until(lambda: "old" in bodies, "the old code", 60)
        server.code.write_text("new")
        os.kill(server.process.pid, signal.SIGHUP)
        wait_until(lambda: "new" in bodies, "the new code", 60)
        slow.send(b"cd")
        assert slow.getresponse().status == 200
        wait_until(lambda: len(bodies) > 100 and set(bodies[-50:]) == {"new"}, "the end of the old code", 60)
    finally:
        over.set()
        for asker in askers:
            asker.join()
    assert set(bodies) == {"old", "new"}


def test_web_server_writes_nothing_into_its_home(server: Server):
    assert server.get() == "old"
    assert list(server.home.iterdir()) == []


def test_unit_reloads_the_web_server_with_hup():
    unit = (ROOT / "deploy/muster-web.service").read_text()
    assert "\nExecReload=/bin/kill -HUP $MAINPID\n" in unit
