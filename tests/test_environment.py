"""Unreadable settings are refused by name, in a sentence; the others are read correctly."""

import os
import subprocess
import sys

import pytest
from django.conf import settings as live
from django.core.exceptions import ImproperlyConfigured

from config.environment import DATABASES, Environment, refuse_path

MAILS = Environment.EMAIL_SCHEMES


@pytest.fixture
def env(monkeypatch):
    def given(value):
        monkeypatch.setenv("MUSTER_X", value)
        return Environment()

    return given


def refused(read):
    with pytest.raises(ImproperlyConfigured) as error:
        read()
    assert str(error.value).startswith("MUSTER_X")
    return str(error.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgres://muster:ab/c@1#x%@db/muster",
        "postgres://muster:12/c@db/muster",
        "postgres://muster:a#b@db/muster",
        "postgres://muster:a?b@db/muster",
        "postgres://muster:100%@db/muster",
        "postgres://muster:pass@db:port/muster",
        "postgres://[db/muster",
        "mysql://muster:pass@db/muster",
        "db/muster",
    ],
)
def test_unreadable_database_address_is_refused_without_its_password(env, url):
    reason = refused(lambda: env(url).address("MUSTER_X", DATABASES))
    assert "muster:" not in reason


@pytest.mark.parametrize(
    "url", ["smtp+tls://user:p@ss#1@mail.example:587", "mail.example", "smtp://", "smtp://u:p@:25"]
)
def test_unreadable_mail_server_address_is_refused(env, url):
    refused(lambda: env(url).address("MUSTER_X", MAILS))


@pytest.mark.parametrize(
    ("url", "password"),
    [
        ("postgres://muster:ab%2Fc%401%23x%25@db/muster", "ab/c@1#x%"),
        ("postgres://muster:plain@[::1]:5432/muster", "plain"),
        ("postgres:///muster?host=/run/postgresql", ""),
    ],
)
def test_address_with_quoted_characters_is_read(env, url, password):
    known = env(url)
    read = known.db_url_config(known.address("MUSTER_X", DATABASES))
    assert (read["PASSWORD"] or "", read["NAME"]) == (password, "muster")


@pytest.mark.parametrize(
    "url", ["smtp+tls://user:p%40ss@mail.example:587", "smtp://mail.example", "filemail:///var/mails"]
)
def test_mail_server_address_is_read(env, url):
    assert env(url).address("MUSTER_X", MAILS) == url


@pytest.mark.parametrize("value", ["one", "1.5", "1x"])
def test_bad_number_is_refused(env, value):
    assert "a whole number" in refused(lambda: env(value).int("MUSTER_X", default=0))


@pytest.mark.parametrize("value", ["ja", "2", "yess"])
def test_bad_switch_is_refused(env, value):
    assert "1 or 0" in refused(lambda: env(value).bool("MUSTER_X", default=False))


@pytest.mark.parametrize(("value", "read"), [("1", True), ("True", True), ("0", False), ("off", False), ("", True)])
def test_switch_is_read(env, value, read):
    assert env(value).bool("MUSTER_X", default=True) is read


def test_empty_setting_is_treated_as_missing(env):
    assert env(" ").int("MUSTER_X", default=7) == 7
    assert env("").str("MUSTER_X", default="x") == "x"
    assert env("").hosts("MUSTER_X", default=["localhost"]) == ["localhost"]


def test_unknown_choice_is_refused_with_the_known_ones(env):
    assert "open, invited, closed" in refused(
        lambda: env("shut").choice("MUSTER_X", ("open", "invited", "closed"), default="open")
    )


@pytest.mark.parametrize(
    "value", ["muster.example", "https://", "ftp://muster.example", "https://muster.example/muster"]
)
def test_bad_origin_is_refused(env, value):
    refused(lambda: env(value).origins("MUSTER_X"))


def test_origins_are_read_with_spaces_and_final_slash(env):
    assert env("https://a.example/, https://b.example:8443").origins("MUSTER_X") == [
        "https://a.example",
        "https://b.example:8443",
    ]


@pytest.mark.parametrize(
    "value", ["https://muster.example", "muster.example:8000", "muster.example/muster", "[::1]:80"]
)
def test_bad_host_is_refused(env, value):
    refused(lambda: env(value).hosts("MUSTER_X", default=[]))


def test_hosts_are_read_and_get_brackets(env):
    assert env("muster.example, ::1,[fe80::1],.club.example").hosts("MUSTER_X", default=[]) == [
        "muster.example",
        "[::1]",
        "[fe80::1]",
        ".club.example",
    ]


def test_value_with_a_leading_dollar_is_refused(env):
    refused(lambda: env("$ecret").str("MUSTER_X", default=""))


def test_path_below_a_host_is_refused():
    with pytest.raises(ImproperlyConfigured, match="can't be served below a path"):
        refuse_path("/muster")
    refuse_path("/")


def run(tmp_path, command, **environment):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_", "DJANGO_"))}
    env |= {"MUSTER_VAR": str(tmp_path), **environment}
    return subprocess.run([sys.executable, *command], cwd=live.BASE_DIR, env=env, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "environment"),
    [
        (["manage.py", "check"], {"MUSTER_PROXIES": "one"}),
        (["manage.py", "clear_old"], {"MUSTER_DATABASE_URL": "postgres://muster:a#b@db/muster"}),
        (["-m", "deploy.prepare", "--no-demo"], {"MUSTER_EMAIL_URL": "mail.example"}),
        (["manage.py", "check"], {"SCRIPT_NAME": "/muster"}),
        (["-m", "deploy.worker"], {"MUSTER_SIGN_UP": "maybe"}),
    ],
)
def test_commands_end_with_a_message_and_no_traceback(tmp_path, command, environment):
    output = run(tmp_path, command, **environment)
    (name,) = environment
    assert output.returncode == 1
    assert output.stderr.startswith(f"muster: {name} ")
    assert output.stderr.count("\n") == 1


HSTS = """
import os, runpy
for value in ("", "host", "subdomains", "preload", "off"):
    os.environ["MUSTER_HSTS"] = value
    settings = runpy.run_path("config/settings.py")
    print(value, *(settings[f"SECURE_HSTS_{name}"] for name in ("SECONDS", "INCLUDE_SUBDOMAINS", "PRELOAD")))
"""


def test_hsts_header_covers_this_host_alone_by_default(tmp_path):
    output = run(tmp_path, ["-c", HSTS], MUSTER_HTTPS="1")
    assert output.stdout.splitlines() == [
        " 31536000 False False",
        "host 31536000 False False",
        "subdomains 31536000 True False",
        "preload 31536000 True True",
        "off 0 False False",
    ], output.stderr


BIND = "import runpy; print(runpy.run_path('deploy/gunicorn_conf.py')['bind'])"


@pytest.mark.parametrize(
    ("host", "bind"),
    [
        ("::1", "[::1]:8000"),
        ("::", "[::]:8000"),
        ("[::1]", "[::1]:8000"),
        ("127.0.0.1", "127.0.0.1:8000"),
        ("", "127.0.0.1:8000"),
    ],
)
def test_web_server_listens_on_ipv4_and_ipv6(tmp_path, host, bind):
    assert run(tmp_path, ["-c", BIND], MUSTER_BIND=host).stdout.strip() == bind


@pytest.mark.parametrize("name", ["MUSTER_PORT", "MUSTER_WEB_PROCESSES"])
def test_web_server_refuses_a_bad_number(tmp_path, name):
    output = run(tmp_path, ["-c", BIND], **{name: "many"})
    assert output.stderr.strip() == f"muster: {name} must be a whole number above 0, not 'many'."
