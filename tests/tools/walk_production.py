"""Follow docs/running.md on this machine: PostgreSQL, Redis, web server, workers and timer behind nginx and Caddy, with
TLS.

    python -m tests.tools.walk_production [--from VERSION]

Start with an older version (the one before the last, or VERSION), upgrade it, check it, and roll back. Print the result
of each step, and exit with 1 at the first that differs from the page. Everything is in a temporary folder and listens
on 127.0.0.1. Needs nginx and openssl; Caddy is checked if it is installed. Uncommitted changes are included, but not
files that git doesn't know.
"""

from __future__ import annotations

import base64
import hmac
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

from tests import services
from tests.services import answers, free_port, wait_until
from tests.tools.walk_site import (
    HOST,
    Answer,
    Fields,
    Mails,
    Site,
    Tables,
    Unit,
    Visitor,
    caddy_conf,
    nginx_conf,
    program,
)

STARTED = time.monotonic()
PATIENCE = 600.0  # seconds; the machine may be busy
PASSWORD = "a-long-secret-7"
ALL = ("worker", "print", "beat")


def report_check(what: str, is_so: bool, detail: object = "") -> None:
    print(
        f"{time.monotonic() - STARTED:4.0f} s {'ok ' if is_so else 'NOT'} {what}{f': {detail}' if detail != '' else ''}",
        flush=True,
    )
    if not is_so:
        raise SystemExit(1)


def walk(site: Site) -> None:
    archive, before = upgrade_older_version(site)
    check_settings(site)
    site.certificate()
    plain, tls = free_port(), free_port()
    conf = site.folder / "nginx.conf"
    conf.write_text(nginx_conf(site.folder, plain=plain, tls=tls, web=site.web))
    nginx = (program("nginx") or "nginx", "-c", str(conf))
    subprocess.run([*nginx, "-t"], check=True, capture_output=True)
    with site.running("web"), site.process("nginx", *nginx):
        wait_until(lambda: answers(site.web) and answers(tls), "web server and nginx", PATIENCE)
        check_health_without_workers(site)
        with site.running(*ALL):
            wait_until(lambda: local(site).ask("/readyz").status == 200, "workers", PATIENCE)
            report_check("/readyz with workers", True, local(site).ask("/readyz").text)
            print("-- behind nginx")
            check_proxy(site, plain, tls)
            kim = sign_up(site, tls)
            check_forwarded_addresses(tls, "127.0.0.4", "127.0.0.5")
            check_operator(site, tls)
            check_metrics_and_logs(site, kim)
            check_prints(site, kim)
            check_kills(site, tls)
            check_private_files(site)
            if caddy := program("caddy"):
                print("-- behind Caddy")
                check_caddy(site, caddy)
            else:
                print("--  Caddy is not installed, so its configuration was not checked")
    check_archives(site)
    check_rollback(site, archive, before)


def local(site: Site) -> Visitor:
    """Return a visitor on this machine who bypasses the proxy."""
    return Visitor(site.web, tls=False, host="127.0.0.1")


# --- before the site opens --------------------------------------------------------------------------------------------


def upgrade_older_version(site: Site) -> tuple[Path, Tables]:
    """Upgrade an older version with a user; return the archive for the rollback, and the tables before."""
    site.write_settings()
    site.python("-m", "deploy.prepare", "--no-demo")
    site.python("manage.py", "createsuperuser", "--noinput", "--username=op", "--email=op@muster.example",
                DJANGO_SUPERUSER_PASSWORD=PASSWORD)  # fmt: skip
    before = site.tables()
    old = site.run("git", "log", "-1", "--format=%h %ad", "--date=short").strip()
    script = site.folder / "upgrade.sh"  # the older version may not have it
    site.run("git", "remote", "set-head", "origin", "--auto")
    script.write_text(site.run("git", "show", f"{site.newest}:deploy/upgrade.sh"))
    output = site.operate("sh", str(script), "to", site.newest)
    named = re.search(r"The way back: make rollback FILE=(\S+)", output)
    report_check(
        f"an upgrade from {old} makes a backup first and names the rollback", bool(named), named and Path(named[1]).name
    )
    assert named
    report_check(
        "the operator still exists after the upgrade", people(site) == 1 and (site.var / "staticfiles").exists()
    )
    return Path(named[1]), before


def people(site: Site) -> int:
    """Return the number of players in the site's database."""
    return site.tables()["rosters_player"]["count"]


def check_settings(site: Site) -> None:
    check = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    output = site.python(*check, fails=True)
    codes = sorted(set(re.findall(r"muster\.[EW]\d+", output)))
    report_check("`check --deploy` reports the example's values", codes == ["muster.E010"], ", ".join(codes))
    own = {
        "MUSTER_ALLOWED_HOSTS": "muster.test",
        "MUSTER_CSRF_ORIGINS": "https://muster.test",
        "MUSTER_EMAIL_FROM": "muster@muster.test",
    }
    output = site.python(*check, **own)
    report_check("`check --deploy` accepts the site's own values", "no issues" in output, output.strip())
    contradictions = own | {"MUSTER_PROXIES": "0", "MUSTER_EMAIL_URL": "", "MUSTER_EMAIL_VERIFICATION": "none"}
    output = site.python(*check, fails=True, **contradictions)
    codes = sorted(set(re.findall(r"muster\.\w+", output)))
    report_check(
        "`check --deploy` reports contradictions",
        codes == ["muster.E002", "muster.E008", "muster.W001"],
        ", ".join(codes),
    )


def check_health_without_workers(site: Site) -> None:
    answer = local(site).ask("/healthz")
    report_check("/healthz in plain HTTP by address", answer.status == 200, answer.text)
    answer = local(site).ask("/readyz")
    report_check("/readyz without workers", answer.status == 503 and "no worker" in answer.text, answer.text)


# --- behind a proxy ---------------------------------------------------------------------------------------------------


def check_proxy(site: Site, plain: int, tls: int) -> None:
    """Check everything that is the same behind any proxy."""
    visitor = Visitor(tls)
    page = visitor.ask("/", Accept_Encoding="gzip", X_Request_ID="a-strangers-own-number")
    report_check("a page over TLS", page.status == 200, f"HSTS {page.headers.get('strict-transport-security')}")
    packed = page.headers.get("content-encoding") == "gzip"
    report_check("the page is compressed", packed, f"{len(page.raw)} of {len(page.text)} bytes")
    number = page.headers.get("x-request-id", "")
    report_check(
        "the request ID is the proxy's, not the visitor's", len(number) > 15 and "stranger" not in number, number
    )
    sheet = re.search(r'href="(/static/[^"]+\.css)"', page.text)
    assert sheet
    file = visitor.ask(sheet[1], Accept_Encoding="gzip")
    cached = file.headers.get("cache-control", "")
    report_check("a static file is compressed and cached forever",
          file.headers.get("content-encoding") == "gzip" and "immutable" in cached, cached)  # fmt: skip
    visitor.ask("/accounts/login/")
    answer = visitor.ask("/accounts/login/", {"login": "nobody", "password": "x"})
    cookies = (*visitor.ask("/accounts/login/").cookies, *answer.cookies)
    report_check("cookies are sent over TLS only", bool(cookies) and all("Secure" in cookie for cookie in cookies))
    to_tls = Visitor(plain, tls=False).ask("/clubs/?q=a")
    report_check("plain HTTP redirects to TLS", to_tls.status in (301, 308)
          and to_tls.headers["location"] == f"https://{HOST}/clubs/?q=a", to_tls.headers.get("location"))  # fmt: skip
    report_check("another host name is refused over TLS", is_refused(Visitor(tls, host="elsewhere.example")))
    report_check(
        "another host name is refused in plain HTTP", is_refused(Visitor(plain, tls=False, host="elsewhere.example"))
    )
    report_check("another host name is refused without the proxy", local(site).ask("/").status == 400)
    form = "application/x-www-form-urlencoded"
    report_check(
        "a form of 3 MB is refused", visitor.ask("/try/", body=b"x" * (3 << 20), Content_Type=form).status in (400, 403)
    )
    large = visitor.ask("/try/", body=b"x" * (6 << 20))
    report_check(
        "a body above the documented limit is refused", large.status in (413, 502), large.status
    )  # Caddy 2.6 doesn't send a 413
    upgrade = visitor.ask("/", Connection="Upgrade", Upgrade="websocket", Sec_WebSocket_Version="13",
                          Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==")  # fmt: skip
    report_check("a request for a websocket gets the page", upgrade.status == 200)
    report_check("robots.txt", "Disallow: /accounts/" in visitor.ask("/robots.txt").text)
    text = visitor.ask("/.well-known/security.txt").text
    report_check("security.txt", "mailto:door@muster.example" in text and f"https://{HOST}/" in text)
    for path in ("/outbox/", "/metrics"):
        report_check(f"{path} is hidden from visitors", visitor.ask(path).status == 404)
    figures = visitor.ask("/metrics", Authorization="Bearer a-token-of-this-walk")
    report_check(
        "/metrics with the token", figures.status == 200 and 'muster_queue_workers{queue="print"} 1.0' in figures.text
    )
    wrong = visitor.ask("/metrics", Authorization="Bearer a-token-of-nobody").status
    report_check("/metrics is refused with another token, and on this machine without the proxy", wrong == 401
          and local(site).ask("/metrics").status == 404)  # fmt: skip


def is_refused(visitor: Visitor) -> bool:
    """Return whether the proxy refuses the visitor, or responds without Muster."""
    try:
        answer = visitor.ask("/")
    except OSError:
        return True
    return "x-request-id" not in answer.headers or answer.status == 400


def check_caddy(site: Site, caddy: str) -> None:
    plain, tls = free_port(), free_port()
    conf = site.folder / "Caddyfile"
    conf.write_text(caddy_conf(site.folder, plain=plain, tls=tls, web=site.web))
    command = (caddy, "run", "--config", str(conf), "--adapter", "caddyfile")
    with site.process("caddy", *command):
        wait_until(lambda: answers(tls) and is_page(Visitor(tls)), "Caddy", PATIENCE)
        check_proxy(site, plain, tls)
        check_forwarded_addresses(tls, "127.0.0.14", "127.0.0.15")


def is_page(visitor: Visitor) -> bool:
    try:
        return visitor.ask("/").status == 200
    except OSError:
        return False


# --- players ----------------------------------------------------------------------------------------------------------


def sign_in(visitor: Visitor, name: str, password: str = PASSWORD, **headers: str) -> Answer:
    visitor.ask("/accounts/login/")
    return visitor.ask("/accounts/login/", {"login": name, "password": password}, **headers)


def sign_up(site: Site, tls: int) -> Visitor:
    kim = Visitor(tls)
    kim.ask("/accounts/signup/")
    form = {"username": "kim", "email": "kim@muster.example", "password1": PASSWORD, "password2": PASSWORD}
    answer = kim.ask("/accounts/signup/", form)
    wait_until(lambda: bool(Mails.kept), "the mail", PATIENCE)
    link = re.search(r"https://muster\.example(/\S+)", Mails.kept[-1])
    report_check("a sign-up sends a mail with a link to this host", answer.status == 302 and bool(link))
    assert link
    kim.ask(link[1])
    report_check("the link confirms the address", kim.ask(link[1], {}).status == 302)
    report_check("a confirmed player signs in", sign_in(kim, "kim").status == 302)
    report_check("the member's page", kim.ask("/profile/").status == 200)
    return kim


def check_forwarded_addresses(tls: int, guesser: str, other: str) -> None:
    """Check that wrong passwords are limited by the address that the proxy saw, not by a forged one."""
    statuses = [
        sign_in(Visitor(tls, address=guesser), "kim", f"wrong-{at}", X_Forwarded_For=f"203.0.113.{at}").status
        for at in range(6)
    ]
    report_check("wrong passwords are limited by the real address, not by a forged one",
          statuses == [200] * 5 + [429], statuses)  # fmt: skip
    report_check("another address is not limited", sign_in(Visitor(tls, address=other), "kim").status == 302)


def check_operator(site: Site, tls: int) -> None:
    """Check the admin for the first operator, made by createsuperuser."""
    op = Visitor(tls, address="127.0.0.6")
    answer = sign_in(op, "op")
    if answer.headers.get("location", "").startswith("/accounts/confirm-email"):
        link = re.search(r"https://muster\.example(/\S+)", Mails.kept[-1])
        assert link
        op.ask(link[1])
        op.ask(link[1], {})
        sign_in(op, "op")
    redirects = [op.ask("/admin/").headers.get("location", "")]
    redirects.append(op.ask(redirects[0]).headers.get("location", ""))
    report_check(
        "the admin redirects to the second factor", redirects[-1].startswith("/accounts/2fa/"), " -> ".join(redirects)
    )
    op.ask("/accounts/reauthenticate/")
    report_check(
        "the admin asks for the password again",
        op.ask("/accounts/reauthenticate/", {"password": PASSWORD}).status == 302,
    )
    page = op.ask("/accounts/2fa/totp/activate/").text
    key = re.search(r'class="factor__key">([A-Z2-7]+)<', page)
    assert key, page[:3000]
    answer = op.ask("/accounts/2fa/totp/activate/", {"code": code(key[1])})
    report_check("the second factor is set up with an app's code", answer.status == 302, answer.headers.get("location"))
    report_check("the second factor opens the admin", op.ask("/admin/").status == 200)
    again = Visitor(tls, address="127.0.0.7")
    answer = sign_in(again, "op")
    report_check("the password alone no longer signs the operator in",
          answer.headers.get("location", "").startswith("/accounts/2fa/authenticate/")
          and again.ask("/admin/").status == 302)  # fmt: skip


def code(secret: str) -> str:
    """Return the current code of an authenticator app (RFC 6238)."""
    counter = (int(time.time()) // 30).to_bytes(8)
    digest = hmac.digest(base64.b32decode(secret), counter, "sha1")
    at = digest[-1] & 15
    return f"{(int.from_bytes(digest[at : at + 4]) & 0x7FFFFFFF) % 1_000_000:06}"


# --- jobs, figures, lines ---------------------------------------------------------------------------------------------


def ask_for_battle(visitor: Visitor) -> tuple[str, str]:
    """Return the battle's page and the ID of the request."""
    visitor.ask("/")
    sides = {"a": "force:night-shift", "b": "force:archers-guild", "terrain": "plain"}
    doctrines = {"a_doctrine": "aggressive", "b_doctrine": "cautious", "do": "fight"}
    answer = visitor.ask("/try/", sides | doctrines)
    assert answer.status == 302, answer.text[:2000]
    return answer.headers["location"], answer.headers["x-request-id"]


def is_done(visitor: Visitor, battle: str) -> bool:
    return visitor.ask(f"{battle}record.jsonl").status == 200


def check_metrics_and_logs(site: Site, kim: Visitor) -> None:
    battle, number = ask_for_battle(kim)
    wait_until(lambda: is_done(kim, battle), "the battle", PATIENCE)
    text = kim.ask("/metrics", Authorization="Bearer a-token-of-this-walk").text
    figures = [
        line for line in text.splitlines() if re.match(r'muster_jobs(_ended_recently)?\{kind="Battle".*"done"', line)
    ]
    is_counted = len(figures) == 2 and all(line.endswith(" 1.0") for line in figures)
    report_check("/metrics counts the worker's battle", is_counted, "; ".join(figures))
    refused = re.search(r"^muster_logins_refused_total (\S+)", text, re.MULTILINE)
    report_check(
        "/metrics counts refused sign-ins of all web processes",
        bool(refused) and float(refused[1]) >= 6,
        refused and refused[1],
    )
    ours = {
        name: [line for line in log_lines(site, name) if line.get("request_id") == number] for name in ("web", "worker")
    }
    request_lines = [line for line in ours["web"] if line["logger"] == "muster.requests"]
    report_check("the request has one log line, with route and player but no path",
          [(line["route"], line["status"]) for line in request_lines] == [("battles:try", 302)] and bool(request_lines[0]["player"]),
          json.dumps(request_lines[0]))  # fmt: skip
    battle_lines = [line for line in ours["worker"] if line["message"].startswith("Battle ")]
    is_named = [line.get("job", "")[:7] for line in battle_lines] == ["battle-"]
    detail = json.dumps(battle_lines[0]) if battle_lines else "none"
    report_check("the worker's line has the request's ID and the job's name", is_named, detail)
    log_text = "".join(site.log(name) for name in ("web", *ALL))
    secrets = (PASSWORD, "kim", "wrong-1", "a-token-of", "a-secret-of", "a-key-of", battle)
    report_check("no secret in any log", [each for each in secrets if each in log_text] == [])


def log_lines(site: Site, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in site.log(name).splitlines() if line.startswith("{")]


def check_prints(site: Site, kim: Visitor) -> None:
    path = "/print/design/meks-and-mercs/wasp/"
    answer = kim.ask(path, Fields(kim.ask(path).text).form_with("products"))
    job = answer.headers.get("location", "")
    assert job, answer.text[:3000]
    wait_until(lambda: kim.ask(f"{job}file.pdf").status == 200, "the print", PATIENCE)
    file = kim.ask(f"{job}file.pdf", Accept_Encoding="gzip")
    report_check(
        "a print is drawn and sent uncompressed",
        file.raw.startswith(b"%PDF") and "content-encoding" not in file.headers,
    )


def check_private_files(site: Site) -> None:
    seen = [Path(root, name) for root, folders, files in os.walk(site.var) for name in (*folders, *files)]
    open_ones = [path for path in (site.var, *seen) if not path.is_symlink() and path.lstat().st_mode & 0o077]
    report_check(
        "no other user can read a file in MUSTER_VAR",
        len(seen) > 20 and not open_ones,
        f"{len(seen)} files and folders",
    )
    backups = list((site.app / "backups").glob("*.tar.gz"))
    report_check(
        "no other user can read a backup", bool(backups) and all(not path.stat().st_mode & 0o077 for path in backups)
    )


# --- kill -9 ----------------------------------------------------------------------------------------------------------


def check_kills(site: Site, tls: int) -> None:
    visitor = Visitor(tls, address="127.0.0.8")
    battles = [ask_for_battle(visitor)[0] for _ in range(3)]
    starts = site.units["worker"].starts
    site.units["worker"].kill()
    started = time.monotonic()
    wait_until(lambda: all(is_done(visitor, battle) for battle in battles), "the battles of a killed worker", PATIENCE)
    report_check("kill -9 of the worker's unit: it restarts, and every battle is simulated",
          site.units["worker"].starts > starts, f"{time.monotonic() - started:.0f} s")  # fmt: skip
    site.units["web"].kill()
    started = time.monotonic()
    wait_until(lambda: not is_page(visitor), "the end of the web server", PATIENCE)
    report_check("kill -9 of the web server: the proxy answers 502", visitor.ask("/").status == 502)
    wait_until(lambda: is_page(visitor), "the web server", PATIENCE)
    report_check("the web server restarts", True, f"{time.monotonic() - started:.0f} s")
    child = children(site.units["web"])[0]
    os.kill(child, 9)
    wait_until(
        lambda: len(children(site.units["web"])) == 2 and child not in children(site.units["web"]),
        "another process",
        PATIENCE,
    )
    report_check("kill -9 of a web process: another replaces it, and pages still open", is_page(visitor))
    site.units["beat"].kill()
    starts = site.units["beat"].starts
    wait_until(lambda: site.units["beat"].starts > starts, "the timer", PATIENCE)
    report_check("kill -9 of the timer: it restarts", True)


def children(unit: Unit) -> list[int]:
    pids = Path(f"/proc/{unit.process.pid}/task/{unit.process.pid}/children").read_text()
    return [int(pid) for pid in pids.split()]


# --- archives and rollback --------------------------------------------------------------------------------------------


def check_archives(site: Site) -> None:
    before = site.tables()
    archive = re.search(r"saved to (\S+)", site.make("backup"))
    report_check("make backup", bool(archive), archive and Path(archive[1]).name)
    assert archive
    output = site.make("restore", f"FILE={archive[1]}", fails=True)
    report_check("make restore asks before it replaces data", "REPLACE=yes" in output)
    lose = (
        "import django; django.setup(); from rosters.models import Player; Player.objects.get(username='kim').delete()"
    )
    site.python("-c", lose, DJANGO_SETTINGS_MODULE="config.settings")
    report_check("a player is deleted", people(site) == 1)
    site.make("restore", f"FILE={archive[1]}", "REPLACE=yes")
    report_check("make restore brings every row back", site.tables() == before, describe_tables(before))
    postgres = site.settings["MUSTER_DATABASE_URL"]
    site.settings["MUSTER_DATABASE_URL"] = f"sqlite:///{site.folder}/one.sqlite3"
    site.write_settings()
    site.make("restore", f"FILE={archive[1]}")
    report_check("make restore on SQLite brings every row back", site.tables() == before, describe_tables(before))
    output = site.python("manage.py", "reconcile").strip()
    report_check("on SQLite rows and ledger agree", output.endswith("rows and ledger agree"), output)
    site.settings["MUSTER_DATABASE_URL"] = postgres
    site.write_settings()


def describe_tables(tables: Tables) -> str:
    return f"{sum(table['count'] for table in tables.values())} rows of {len(tables)} tables"


def check_rollback(site: Site, archive: Path, before: Tables) -> None:
    old = archive.with_name(f"{archive.name}.version").read_text().strip()
    output = site.make("rollback", f"FILE={archive}").splitlines()
    is_back = site.run("git", "rev-parse", "HEAD").strip() == old
    detail = next(line for line in output if "muster: back at" in line)
    report_check("make rollback restores the archive's version", is_back, detail)
    report_check("make rollback restores every row", site.tables() == before, describe_tables(before))


def main(arguments: list[str]) -> None:
    version = arguments[arguments.index("--from") + 1] if "--from" in arguments else "HEAD^"
    with (
        services.postgres() as postgres,
        services.redis() as redis,
        tempfile.TemporaryDirectory(prefix="walk-") as name,
    ):
        with psycopg.connect(f"{postgres}/postgres", autocommit=True) as server:
            server.execute("CREATE DATABASE muster")
        walk(Site(Path(name), postgres, redis, version))
    print("all as docs/running.md says")


if __name__ == "__main__":
    main(sys.argv[1:])
