"""Walks docs/running.md on this machine: PostgreSQL, Redis, web server, workers and timer behind nginx with TLS of its own making.

    python -m tests.tools.walk_production

Says what each step showed and ends with 1 at the first that is not as the page says. Everything is in a folder of its own,
listens on 127.0.0.1 and ends with it. Needs nginx and openssl, which nothing else of Muster does.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deploy.supervisor import ROOT
from tests import services
from tests.services import answers, free_port, wait_until

HOST = "muster.example"
NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{tls} ssl; server_name muster.example;
    ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
    location / {{
      proxy_pass http://127.0.0.1:{web};
      proxy_set_header Host $host; proxy_set_header X-Forwarded-Proto https; proxy_set_header X-Forwarded-For $remote_addr;
    }}
  }}
}}
"""


class Mails(socketserver.StreamRequestHandler):
    """A mail server that takes everything and keeps it."""

    kept: list[str] = []

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline().decode():
            if line.upper().startswith("DATA"):
                self.wfile.write(b"354 go on\r\n")
                text = ""
                while (part := self.rfile.readline().decode()) not in (".\r\n", ""):
                    text += part
                self.kept.append(text)
            elif line.upper().startswith("QUIT"):
                self.wfile.write(b"221 bye\r\n")
                return
            self.wfile.write(b"250 so be it\r\n")


class Walk:
    """The set-up, and what its steps showed."""

    def __init__(self, folder: Path, postgres: str, redis: str) -> None:
        self.folder, self.web, self.tls = folder, free_port(), free_port()
        self.mail = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mails)
        threading.Thread(target=self.mail.serve_forever, daemon=True).start()
        (folder / "var").mkdir()
        (folder / "var" / "compiled").symlink_to(ROOT / "var" / "compiled")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_", "DJANGO_"))}
        self.environment = kept | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "MUSTER_HTTPS": "1",
            "MUSTER_ALLOWED_HOSTS": HOST,
            "MUSTER_CSRF_ORIGINS": f"https://{HOST}",
            "MUSTER_SECRET_KEY": "a-secret-of-this-walk-alone-and-of-no-other-place-0123456789",
            "MUSTER_DICE_KEY": "a-key-of-this-walk-alone-and-of-no-other-place-0123",
            "MUSTER_DATABASE_URL": f"{postgres}/muster",
            "MUSTER_REDIS_URL": redis,
            "MUSTER_EMAIL_URL": f"smtp://127.0.0.1:{self.mail.server_address[1]}",
            "MUSTER_EMAIL_VERIFICATION": "mandatory",
            "MUSTER_METRICS_TOKEN": "a-token-of-this-walk",
            "MUSTER_LOG_FORMAT": "json",
            "MUSTER_VAR": str(folder / "var"),
            "MUSTER_PORT": str(self.web),
        }
        self.cookies: dict[str, str] = {}

    # --- doing ---

    def run(self, *command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=self.environment, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    @contextlib.contextmanager
    def unit(self, name: str) -> Iterator[subprocess.Popen[bytes]]:
        """What the unit starts, with what it sets."""
        said = (ROOT / "deploy" / f"muster-{name}.service").read_text()
        (line,) = re.findall(r"^ExecStart=(.*)$", said, re.MULTILINE)
        program, *options = line.replace("%%", "%").split()
        command = [str(Path(sys.executable).parent / Path(program).name), *options]
        environment = self.environment | dict(re.findall(r"^Environment=(\w+)=(.*)$", said, re.MULTILINE))
        with self.process(name, command, environment) as process:
            yield process

    @contextlib.contextmanager
    def process(self, name: str, command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(90)

    def ask(
        self, path: str, form: dict[str, str] | None = None, *, plain: bool = False, **headers: str
    ) -> tuple[int, dict[str, str], str]:
        """Through the proxy with TLS, or straight to the web server; keeps cookies."""
        from urllib.parse import urlencode

        trusting = ssl._create_unverified_context()
        connection = (
            http.client.HTTPConnection("127.0.0.1", self.web, timeout=60) if plain
            else http.client.HTTPSConnection("127.0.0.1", self.tls, timeout=60, context=trusting)
        )  # fmt: skip
        sent = {} if plain else {"Host": HOST, "Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        if form is not None:
            form = form | {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")}
            sent |= {"Content-Type": "application/x-www-form-urlencoded", "Referer": f"https://{HOST}/"}
        connection.request("GET" if form is None else "POST", path, urlencode(form) if form else None, sent | headers)
        answer = connection.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, dict(answer.headers), answer.read().decode(errors="replace")


def shown(what: str, is_so: bool, told: Any = "") -> None:
    print(f"{'ok ' if is_so else 'NOT'} {what}{f': {told}' if told != '' else ''}", flush=True)
    if not is_so:
        raise SystemExit(1)


def steps(walk: Walk) -> None:
    folder = walk.folder
    said = walk.run("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    shown("`check --deploy` says nothing", "no issues" in said, said.strip())
    walk.run("-m", "deploy.prepare", "--no-demo")
    shown("the web unit's preparation migrates, collects and compiles", (folder / "var" / "staticfiles").exists())
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}"]
    subprocess.run(
        [*make, "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"], check=True, capture_output=True
    )
    conf = folder / "nginx.conf"
    conf.write_text(NGINX.format(folder=folder, tls=walk.tls, web=walk.web))
    proxy = walk.process("nginx", [shutil.which("nginx") or "/usr/sbin/nginx", "-c", str(conf)], walk.environment)
    with walk.unit("web"), proxy:
        wait_until(lambda: answers(walk.web) and answers(walk.tls), "web server and proxy", 120)
        status, _, body = walk.ask("/healthz", plain=True)
        shown("/healthz in plain HTTP by address", status == 200, body)
        status, _, body = walk.ask("/readyz", plain=True)
        shown("/readyz without workers", status == 503 and "no worker" in body, body)
        with walk.unit("worker"), walk.unit("print"), walk.unit("beat"):
            wait_until(lambda: walk.ask("/readyz", plain=True)[0] == 200, "workers", 180)
            shown("/readyz with workers", True, walk.ask("/readyz", plain=True)[2])
            visit(walk)
    archive_and_back(walk)


def visit(walk: Walk) -> None:
    status, headers, _ = walk.ask("/")
    shown("a page through TLS", status == 200, f"{status}, HSTS {headers.get('Strict-Transport-Security')}")
    status, headers, _ = walk.ask("/", plain=True, Host=HOST)
    shown("a page in plain HTTP is sent to TLS", status == 301, headers.get("Location"))
    shown("another host name is refused", walk.ask("/", plain=True)[0] == 400)
    walk.ask("/accounts/signup/")
    form = {
        "username": "kim",
        "email": "kim@muster.example",
        "password1": "a-long-secret-7",
        "password2": "a-long-secret-7",
    }
    status, _, _ = walk.ask("/accounts/signup/", form)
    wait_until(lambda: bool(Mails.kept), "the mail", 30)
    link = re.search(r"https://muster\.example(/\S+)", Mails.kept[-1])
    shown("a sign-up sends a mail with a link of this host", status == 302 and link is not None)
    assert link
    walk.ask(link[1])
    shown("the link confirms", walk.ask(link[1], {})[0] == 302)
    walk.ask("/accounts/login/")
    walk.ask("/accounts/login/", {"login": "kim", "password": "a wrong one"})
    status, _, _ = walk.ask("/accounts/login/", {"login": "kim", "password": "a-long-secret-7"})
    shown("a confirmed player signs in", status == 302)
    shown("his page", walk.ask("/profile/")[0] == 200)
    status, _, _ = walk.ask("/metrics")
    shown("/metrics through the proxy without a token", status == 404, status)
    _, _, text = walk.ask("/metrics", Authorization="Bearer a-token-of-this-walk")
    lines = [
        line for line in text.splitlines() if line.startswith(("muster_logins_refused_total", "muster_queue_workers"))
    ]
    shown("/metrics with the token", "muster_logins_refused_total 1.0" in text, "; ".join(lines))
    shown("/metrics on this machine", walk.ask("/metrics", plain=True)[0] == 200)
    lines = [json.loads(line) for line in (walk.folder / "web.log").read_text().splitlines() if line.startswith("{")]
    told = [line for line in lines if line["logger"] == "muster.requests" and line.get("player")]
    shown("a player's request has its line", bool(told), json.dumps(told[-1]) if told else "none")
    said = (walk.folder / "web.log").read_text()
    shown("no secret in the log", all(word not in said for word in ("a-long-secret-7", "kim", "a wrong one")))


def archive_and_back(walk: Walk) -> None:
    code = (
        f"from pathlib import Path; from deploy import backup; print(backup.save(Path({str(walk.folder / 'saved')!r})))"
    )
    archive = walk.run("-c", code).splitlines()[-1]
    shown("an archive", Path(archive).exists(), Path(archive).name)
    count = ("-c", "import django; django.setup(); from rosters.models import Player; print(Player.objects.count())")
    walk.run("-c", "import django; django.setup(); from rosters.models import Player; Player.objects.all().delete()")
    walk.run("-m", "deploy.backup", "restore", archive)
    shown("what was lost comes back with it", walk.run(*count).strip() == "1")
    walk.environment |= {"MUSTER_DATABASE_URL": f"sqlite:///{walk.folder}/one.sqlite3"}
    walk.run("-m", "deploy.backup", "restore", archive)
    shown("the same archive on SQLite", walk.run(*count).strip() == "1")


def main() -> None:
    with (
        services.postgres() as postgres,
        services.redis() as redis,
        tempfile.TemporaryDirectory(prefix="walk-") as name,
    ):
        import psycopg

        with psycopg.connect(f"{postgres}/postgres", autocommit=True) as server:
            server.execute("CREATE DATABASE muster")
        steps(Walk(Path(name), postgres, redis))
    print("all as docs/running.md says")


if __name__ == "__main__":
    main()
