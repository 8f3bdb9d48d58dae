"""The log: one line per request with an ID that its jobs share, and no secrets."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.http import Http404, HttpResponse
from django.urls import path

from battles.models import Battle
from battles.services.battles import battle_queue
from config.celery import app
from config.logs import JsonLines, Traced
from rosters.site import log_context
from tests.accounts.builders import reauthenticate
from tests.battles.builders import duel
from tests.builders import a_player
from tests.log_lines import Lines
from tests.services import Worker, wait_until

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.django_db
def test_request_line_has_id_route_and_player_number(client: Any, lines: Lines):
    kim = a_player("kim-of-the-hills")
    client.force_login(kim)
    answer = client.get("/profile/?token=abc")
    (line,) = lines.of("muster.requests")
    assert {name: line[name] for name in ("method", "route", "status", "player")} == {
        "method": "GET", "route": "rosters:profile", "status": 200, "player": kim.pk,
    }  # fmt: skip
    assert isinstance(line["ms"], int)
    assert line["request_id"] == answer["X-Request-ID"]
    assert log_context.is_request_id(answer["X-Request-ID"])
    assert "kim" not in lines.text.getvalue()
    assert "abc" not in lines.text.getvalue()


@pytest.mark.django_db
def test_each_request_has_its_own_id(client: Any):
    first, second = client.get("/"), client.get("/")
    assert first["X-Request-ID"] != second["X-Request-ID"]


@pytest.mark.parametrize(
    ("proxies", "request_id", "is_taken"),
    [
        (1, "0f6cbd4e-2a35-4d0e", True),
        (0, "0f6cbd4e-2a35-4d0e", False),
        (1, "short", False),
        (1, "x" * 65, False),
        (1, "two words of it", False),
        (1, 'a"line\tof{json}', False),
    ],
)
@pytest.mark.django_db
def test_request_id_is_accepted_only_from_our_proxy(
    client: Any, settings: Any, proxies: int, request_id: str, is_taken: bool
):
    settings.PROXIES = proxies
    answer = client.get("/", headers={"x-request-id": request_id})
    assert (answer["X-Request-ID"] == request_id) is is_taken


@pytest.mark.django_db
def test_refused_host_and_redirect_are_logged(client: Any, settings: Any, lines: Lines):
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["muster.example"], True
    client.get("/", headers={"host": "evil.example"})
    client.get("/", headers={"host": "muster.example"})
    assert [line["status"] for line in lines.of("muster.requests")] == [400, 301]


@pytest.mark.django_db
def test_health_checks_are_not_logged(client: Any, lines: Lines):
    client.get("/healthz")
    assert lines.text.getvalue() == ""


def test_text_line_ends_with_request_and_job():
    record = logging.LogRecord("muster", logging.INFO, "", 0, "done", None, None)
    with log_context.of_request("0123456789abcdef"), log_context.of_job("battle-7"):
        Traced().filter(record)
    assert record.belongs_to == " [0123456789abcdef] [battle-7]"
    Traced().filter(record)
    assert record.belongs_to == ""


def test_json_record_is_one_line():
    record = logging.LogRecord("muster", logging.INFO, "", 0, 'a "word"\nand %s', ("another",), None)
    assert json.loads(JsonLines().format(record))["message"] == 'a "word"\nand another'
    assert "\n" not in JsonLines().format(record)


@pytest.mark.slow
def test_log_format_setting_accepts_lines_and_json_only(tmp_path: Path):
    def run_with_format(log_format: str) -> subprocess.CompletedProcess[str]:
        code = (  # the first steps of django.setup()
            "import logging; from django.conf import settings; from django.utils.log import configure_logging;"
            "configure_logging(settings.LOGGING_CONFIG, settings.LOGGING);"
            "logging.getLogger('here').warning('so it is')"
        )
        env = {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "MUSTER_VAR": str(tmp_path),
            "MUSTER_LOG_FORMAT": log_format,
        }
        return subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)

    assert run_with_format("lines").stderr.endswith("WARNING here so it is\n")
    assert json.loads(run_with_format("json").stderr)["message"] == "so it is"
    assert "MUSTER_LOG_FORMAT must be one of lines, json" in run_with_format("xml").stderr


# --- jobs ---


@pytest.mark.any_database
def test_job_line_names_its_request(start_worker: Callable[..., Worker], lines: Lines):
    worker = start_worker(env={"MUSTER_LOG_FORMAT": "json", "MUSTER_LOG_LEVEL": "INFO"})
    with log_context.of_request("asked-for-by-kim"):
        battle = battle_queue(setup=duel(), seed=1, actor=a_player())
    wait_until(lambda: Battle.objects.get(pk=battle.pk).is_over, "the battle")
    wait_until(lambda: f"Battle {battle.pk}: " in worker.output(), "its line")
    app.send_task("celery.backend_cleanup", queue="battles")  # not part of a request
    wait_until(lambda: worker.output().count(" succeeded in ") >= 2, "its end, and that of another task")
    output = [json.loads(line) for line in worker.output().splitlines() if line.startswith("{")]
    (done,) = [line for line in output if line["message"].startswith(f"Battle {battle.pk}: ")]
    assert (done["request_id"], done["job"]) == ("asked-for-by-kim", f"battle-{battle.pk}")
    begun = [line for line in output if "battle_resolve" in line["message"] and "succeeded" in line["message"]]
    assert {line.get("request_id") for line in begun} - {None} == {"asked-for-by-kim"}  # None: sent by a sweep
    others = [line for line in output if " succeeded in " in line["message"] and line not in begun]
    assert others
    assert {line.get("request_id") for line in others} == {None}
    assert "Task battles.tasks.sweep_lapsed" not in worker.output()  # successful timers aren't logged


# --- secrets ---


def _missing(request: Any, key: str) -> HttpResponse:
    raise Http404


def _broken(request: Any, key: str) -> HttpResponse:
    raise RuntimeError("on purpose")


class Urls:
    urlpatterns = [path("join/<str:key>/", _missing, name="join"), path("broken/<str:key>/", _broken, name="broken")]


@pytest.mark.parametrize("route", ["join", "broken"])
@pytest.mark.django_db
def test_failed_request_is_logged_by_route_not_path(client: Any, settings: Any, lines: Lines, route: str):
    settings.ROOT_URLCONF = Urls
    client.raise_request_exception = False
    client.get(f"/{route}/the-secret-code/")
    (line,) = lines.of("django.request")
    assert line["message"].endswith(f": {route}")
    assert "the-secret-code" not in lines.text.getvalue()


@pytest.mark.parametrize(
    "more", ["\u201d", "\nan entry", "\\", "\u00e9"], ids=["quotation mark", "new line", "backslash", "accent"]
)
@pytest.mark.django_db
def test_log_of_a_miscopied_link_has_no_secret(client: Any, lines: Lines, more: str):
    client.get(quote(f"/clubs/join/the-secret-code{more}"))
    (line,) = lines.of("django.request")
    assert line["message"] == "Not Found: -"


@pytest.mark.django_db
def test_log_of_a_refused_form_has_no_referrer(settings: Any, lines: Lines):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.post("/profile/", headers={"referer": "https://elsewhere.example/join/the-secret-code/"}, secure=True)
    assert lines.of("django.security.csrf")
    assert "the-secret-code" not in lines.text.getvalue()


@pytest.mark.django_db
def test_log_has_no_password_or_token(client: Any, lines: Lines):
    """tests/permissions/test_permissions.py checks secrets in addresses and responses."""
    kim = a_player("kim")
    kim.set_password("a-secret-of-kim")
    kim.save()
    for password in ("a-wrong-guess", "a-secret-of-kim"):
        client.post("/accounts/login/", {"login": "kim", "password": password})
    reauthenticate(client, "a-secret-of-kim")
    token = client.post("/profile/tokens/", {"name": "Bot", "days": 30}).context["token"]
    client.get("/api/v1/companies/", headers={"authorization": f"Token {token}"})
    client.get("/api/v1/companies/", headers={"authorization": "Token no-such-token-of-anybody"})
    log_text = lines.text.getvalue()
    assert len(lines.of("muster.requests")) >= 6
    secrets = {"a-wrong-guess", "a-secret-of-kim", token, "no-such-token-of-anybody"}
    assert [secret for secret in secrets if secret in log_text] == []
