"""System checks of contradictory settings, and the files robots.txt and security.txt."""

import os
import re
import secrets
import subprocess
import sys

import pytest
from django.conf import settings as live
from django.urls import reverse

from rosters.accounts.checks import check_settings

VALID = {
    "PROXIES": 1,
    "HTTPS": True,
    "ALLOWED_HOSTS": ["muster.test"],
    "CSRF_TRUSTED_ORIGINS": ["https://muster.test"],
    "EMAIL_LOCAL_OUTBOX": False,
    "ACCOUNT_EMAIL_VERIFICATION": "mandatory",
    "EMAIL_HOST": "mail.test",
}


def check_ids(settings, **changed):
    for name, value in {**VALID, **changed}.items():
        setattr(settings, name, value)
    return [message.id for message in check_settings(None)]


def test_valid_settings_pass_all_checks(settings):
    assert check_ids(settings) == []


def test_domain_with_its_subdomains_passes_the_checks(settings):
    origins = ["https://muster.test", "https://club.muster.test", "https://*.muster.test"]
    assert check_ids(settings, ALLOWED_HOSTS=[".muster.test"], CSRF_TRUSTED_ORIGINS=origins) == []


@pytest.mark.parametrize(
    ("changed", "check_id"),
    [
        ({"DEBUG": True}, "muster.E009"),
        ({"PROXIES": -1}, "muster.E001"),
        ({"PROXIES": 0}, "muster.E002"),
        ({"HTTPS": False}, "muster.E003"),
        ({"ALLOWED_HOSTS": ["muster.test", "*"]}, "muster.E004"),
        ({"ALLOWED_HOSTS": ["localhost", "[::1]"], "CSRF_TRUSTED_ORIGINS": []}, "muster.E005"),
        ({"CSRF_TRUSTED_ORIGINS": ["https://other.test:8443"]}, "muster.E006"),
        ({"CSRF_TRUSTED_ORIGINS": ["http://muster.test"]}, "muster.E007"),
        ({"EMAIL_LOCAL_OUTBOX": True}, "muster.E008"),
        ({"ACCOUNT_EMAIL_VERIFICATION": "optional"}, "muster.W001"),
    ],
)
def test_contradictory_settings_are_reported_with_a_hint(settings, changed, check_id):
    assert check_ids(settings, **changed) == [check_id]
    assert check_settings(None)[0].hint


@pytest.mark.slow
@pytest.mark.parametrize("name", ["muster.env.example", "compose.env.example"])
def test_example_settings_pass_with_own_host_names_and_passwords(name, tmp_path):
    text = (live.BASE_DIR / "deploy" / name).read_text()
    result = run_check(tmp_path, _settings(text))
    assert re.findall(r"muster\.[EW]\d+", result.stderr) == ["muster.E010"]
    settings = re.findall(r"MUSTER_[A-Z_]+", result.stderr.partition("muster.E010")[2].partition("still")[0])
    assert settings == [
        f"MUSTER_{each}" for each in ("ALLOWED_HOSTS", "CSRF_ORIGINS", "EMAIL_FROM", "EMAIL_URL", "DATABASE_URL")
    ]
    result = run_check(tmp_path, _settings(text.replace(".example", ".test").replace(":password@", ":sesame@")))
    assert (result.returncode, result.stderr) == (0, "")


def _settings(text):
    return dict(line.split("=", 1) for line in text.splitlines() if line.startswith("MUSTER_"))


@pytest.mark.slow
def test_check_command_reports_contradictory_settings(tmp_path):
    result = run_check(tmp_path, {"MUSTER_HTTPS": "1", "MUSTER_ALLOWED_HOSTS": "muster.test"})
    assert result.returncode == 1
    assert sorted(set(re.findall(r"muster\.[EW]\d+", result.stderr))) == ["muster.E002", "muster.E008", "muster.W001"]


def run_check(var, environment):
    """Run `manage.py check --deploy` in this environment, with valid keys added."""
    keys = {"MUSTER_SECRET_KEY": secrets.token_urlsafe(50), "MUSTER_DICE_KEY": secrets.token_urlsafe(32)}
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_", "DJANGO_"))}
    env |= {**environment, **keys, "MUSTER_VAR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings"}
    check = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "INFO"]
    return subprocess.run(check, cwd=live.BASE_DIR, env=env, capture_output=True, text=True)


@pytest.mark.parametrize("origin", ["https://play.muster.test", "https://*.muster.test"])
def test_trusted_origins_must_be_allowed_hosts(settings, origin):
    assert check_ids(settings, ALLOWED_HOSTS=[".muster.test"], CSRF_TRUSTED_ORIGINS=[origin]) == []
    assert check_ids(settings, ALLOWED_HOSTS=["muster.test"], CSRF_TRUSTED_ORIGINS=[origin]) == ["muster.E006"]


def test_docs_name_every_proxy_header_and_setting():
    docs = (live.BASE_DIR / "docs" / "running.md").read_text().partition("## Behind a proxy")[2]
    for word in ("X-Forwarded-For", "X-Forwarded-Proto", "proxy_set_header Host", "MUSTER_PROXIES", "reverse_proxy"):
        assert word in docs


def test_robots_txt_excludes_account_pages(client):
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    assert answer.content.decode().splitlines()[0] == "User-agent: *"
    assert "Disallow: /accounts/" in answer.content.decode()


def test_security_txt_names_the_contact(client, settings):
    settings.SECURITY_CONTACTS = ["mailto:door@muster.example"]
    lines = dict(line.split(": ", 1) for line in client.get(reverse("security-txt")).content.decode().splitlines())
    assert lines["Contact"] == "mailto:door@muster.example"
    assert lines["Canonical"] == "http://testserver/.well-known/security.txt"
    assert lines["Expires"].endswith("T00:00:00Z")


@pytest.mark.django_db
def test_security_txt_is_missing_without_a_contact(client):
    assert client.get("/.well-known/security.txt").status_code == 404
