"""Settings that contradict each other are refused before anybody is let in; what machines ask a site first."""

import pytest
from django.conf import settings as live
from django.urls import reverse

from config.checks import doors

SOUND = {
    "PROXIES": 1,
    "HTTPS": True,
    "ALLOWED_HOSTS": ["muster.example"],
    "CSRF_TRUSTED_ORIGINS": ["https://muster.example"],
    "EMAIL_LOCAL_OUTBOX": False,
    "ACCOUNT_EMAIL_VERIFICATION": "mandatory",
}


def said(settings, **changed):
    for name, value in {**SOUND, **changed}.items():
        setattr(settings, name, value)
    return [message.id for message in doors(None)]


def test_a_sound_site_is_told_nothing(settings):
    assert said(settings) == []


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"DEBUG": True}, "muster.E009"),
        ({"PROXIES": -1}, "muster.E001"),
        ({"PROXIES": 0}, "muster.E002"),
        ({"HTTPS": False}, "muster.E003"),
        ({"ALLOWED_HOSTS": ["muster.example", "*"]}, "muster.E004"),
        ({"ALLOWED_HOSTS": ["localhost", "[::1]"], "CSRF_TRUSTED_ORIGINS": []}, "muster.E005"),
        ({"CSRF_TRUSTED_ORIGINS": ["https://other.example:8443"]}, "muster.E006"),
        ({"CSRF_TRUSTED_ORIGINS": ["http://muster.example"]}, "muster.E007"),
        ({"EMAIL_LOCAL_OUTBOX": True}, "muster.E008"),
        ({"ACCOUNT_EMAIL_VERIFICATION": "optional"}, "muster.W001"),
    ],
)
def test_a_contradiction_is_told_with_what_to_set(settings, changed, told):
    assert said(settings, **changed) == [told]
    assert doors(None)[0].hint


def test_the_example_of_the_settings_is_sound():
    example = (live.BASE_DIR / "deploy" / "muster.env.example").read_text()
    assert "\nMUSTER_PROXIES=1\n" in example
    assert "\nMUSTER_HTTPS=1\n" in example


def test_the_documented_proxies_say_what_muster_reads():
    docs = (live.BASE_DIR / "docs" / "running.md").read_text().partition("## Behind a proxy")[2]
    for word in ("X-Forwarded-For", "X-Forwarded-Proto", "proxy_set_header Host", "MUSTER_PROXIES", "reverse_proxy"):
        assert word in docs


def test_robots_are_told_where_there_is_nothing_for_them(client):
    answer = client.get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    assert answer.content.decode().splitlines()[0] == "User-agent: *"
    assert "Disallow: /accounts/" in answer.content.decode()


def test_who_finds_a_hole_is_told_whom_to_tell(client, settings):
    settings.SECURITY_CONTACTS = ["mailto:door@muster.example"]
    lines = dict(line.split(": ", 1) for line in client.get(reverse("security-txt")).content.decode().splitlines())
    assert lines["Contact"] == "mailto:door@muster.example"
    assert lines["Canonical"] == "http://testserver/.well-known/security.txt"
    assert lines["Expires"].endswith("T00:00:00Z")


@pytest.mark.django_db
def test_where_nobody_is_named_there_is_no_such_page(client):
    assert client.get("/.well-known/security.txt").status_code == 404
