"""Without a database, pages say so, and the log stays small."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import traceback
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kombu.exceptions
import psycopg
import pytest
from celery.beat import SchedulingError
from django.db import DatabaseError, OperationalError, connection, connections

from rosters.database.transactions import is_database_unavailable
from tests.builders import a_player
from tests.conftest import DATABASE
from tests.log_lines import Lines
from tests.services import ROOT

PAGES = ("/", "/companies/", "/api/v1/battles/", "/api/v1/companies/", "/accounts/login/")


@pytest.fixture
def signed_in(client: Any) -> Any:
    """Return a browser with a session, which every page looks up."""
    client.force_login(a_player())
    return client


@pytest.fixture
def away(client: Any) -> Iterator[None]:
    """Make every query fail as if there were no connection to the database."""

    def refuse(*_: Any) -> Any:
        reason = "connection to server at 10.1.2.3 failed: Connection refused\n\tIs the server running on that host?"
        raise OperationalError(reason) from psycopg.OperationalError(reason)

    client.raise_request_exception = False
    with connection.execute_wrapper(refuse):
        yield


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_page_shows_outage_and_retry_time(signed_in: Any, away: None, path: str):
    answer = signed_in.get(path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert "can&#x27;t reach its database" in answer.text or "can't reach its database" in answer.text
    assert "10.1.2.3" not in answer.text


@pytest.mark.django_db
def test_outage_logs_one_line_without_traceback(client: Any, away: None, lines: Lines):
    for _ in range(20):
        client.get("/companies/")
    (line,) = lines.of("django.request")
    assert line["message"].startswith("Service Unavailable: ")
    assert "Connection refused" in line["message"]
    assert "exception" not in line
    assert len(lines.of("muster.requests")) == 20


def test_repeated_outage_is_logged_once_a_minute(lines: Lines):
    log = logging.getLogger("rosters.site.heartbeats")
    error = OperationalError("gone\n\tIs the server running?")
    for beat in range(13):
        record = log.makeRecord(log.name, logging.WARNING, "", 0, "the worker's beat was not noted: %s", (error,), None)
        record.created = 1_000.0 + 5 * beat
        log.handle(record)
    assert [line["message"] for line in lines.of(log.name)] == [
        "the worker's beat was not noted: gone Is the server running?",
        "the worker's beat was not noted: gone Is the server running? (and 11 more of this, left out)",
    ]


def test_unreachable_broker_is_logged_in_one_line_a_minute(lines: Lines):
    log = logging.getLogger("celery.beat")
    for tick in range(4):
        try:
            try:
                raise kombu.exceptions.OperationalError("Error 111 connecting to 127.0.0.1:6379. Connection refused.")
            except kombu.exceptions.OperationalError as error:
                raise SchedulingError(f"Couldn't apply scheduled task close-rounds: {error}") from error
        except SchedulingError as error:
            stack = (error, traceback.format_stack())
            record = log.makeRecord(log.name, logging.ERROR, "", 0, "Message Error: %s\n%s", stack, sys.exc_info())
            record.created = 1_000.0 + 20 * tick
            log.handle(record)
    first, second = lines.of(log.name)
    refused = "Couldn't apply scheduled task close-rounds: Error 111 connecting to 127.0.0.1:6379. Connection refused."
    assert first["message"] == f"Message Error: {refused}"
    assert second["message"] == f"Message Error: {refused} (and 2 more of this, left out)"
    assert "exception" not in first


@pytest.mark.django_db
def test_too_large_request_is_logged_without_traceback(client: Any, settings: Any, lines: Lines):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    client.raise_request_exception = False
    answer = client.post("/accounts/login/", "x" * 2000, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400
    (line,) = lines.of("django.security.RequestDataTooBig")
    assert "exception" not in line


@pytest.mark.django_db
@pytest.mark.skipif(DATABASE == "sqlite", reason="SQLite keeps no plans")
def test_connection_that_breaks_is_reported_as_such(monkeypatch: pytest.MonkeyPatch):
    wrapper = connections["default"]
    wrapper.ensure_connection()
    kept = wrapper.connection

    def break_off() -> Any:
        wrapper.connection = None
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(wrapper, "cursor", break_off)
    try:
        with pytest.raises(OperationalError, match="server closed the connection"):
            wrapper.planned_cursor()
    finally:
        wrapper.connection = kept


def test_other_error_keeps_its_traceback(lines: Lines):
    try:
        raise ValueError("ours")
    except ValueError:
        logging.getLogger("here").exception("it broke")
    (line,) = lines.of("here")
    assert "Traceback" in line["exception"]


@pytest.mark.django_db
def test_query_error_does_not_count_as_outage():
    with pytest.raises(DatabaseError) as raised, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM there_is_no_such_table")
    assert not is_database_unavailable(raised.value)


@pytest.mark.slow
@pytest.mark.any_database
def test_missing_server_counts_as_outage(site_env: dict[str, str], tmp_path: Path):
    code = (
        "import django; django.setup()\n"
        "from django.db import connection, Error\n"
        "from rosters.database.transactions import is_database_unavailable\n"
        "try: connection.ensure_connection()\n"
        "except Error as error: print(is_database_unavailable(error))"
    )
    for url in (f"postgres://muster@127.0.0.1:1/{uuid.uuid4().hex}", f"sqlite:///{tmp_path}/no/such/folder.sqlite3"):
        env = site_env | {"MUSTER_DATABASE_URL": url, "MUSTER_VAR": str(tmp_path), "PATH": os.environ["PATH"]}
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)
        assert done.stdout == "True\n", done.stderr
