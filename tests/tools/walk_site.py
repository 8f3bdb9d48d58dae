"""A site set up as in docs/running.md on this machine: its clone, units, proxies and visitors."""

from __future__ import annotations

import contextlib
import getpass
import gzip
import http.client
import json
import os
import re
import shutil
import signal
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import TypedDict
from urllib.parse import urlencode

from deploy.processes import MARK, ends_with_parent, kill_processes
from deploy.supervisor import ROOT
from tests.services import free_port


class Table(TypedDict):
    """The number of rows, the digest of all of them, and the highest ID ever given."""

    count: int
    digest: str
    last: int | None


Tables = dict[str, Table]  # by name

HOST = "muster.example"
PAGE = ROOT / "docs" / "running.md"
# Parts of the page's configurations that depend on the machine.
IN_NGINX = (
    "listen 80",
    "listen [::]:80",
    "listen 443 ssl",
    "listen [::]:443 ssl",
    "/etc/letsencrypt/live/muster.example/",
    "127.0.0.1:8000",
)
IN_CADDY = ("127.0.0.1:8000",)


def documented(intro: str) -> str:
    """Return the code block of the page that follows these words."""
    _, found, rest = PAGE.read_text(encoding="utf-8").partition(intro)
    assert found, f"docs/running.md doesn't contain {intro!r}"
    return rest.split("```")[1].strip("\n")


def put_in(text: str, values: dict[str, str]) -> str:
    """Return the text with each of these replaced; all of them must occur."""
    for name, value in values.items():
        assert name in text, f"{name!r} is not in the page's configuration"
        text = text.replace(name, value)
    return text


def nginx_conf(folder: Path, *, plain: int, tls: int, web: int) -> str:
    """Return the page's nginx configuration, with ports and a certificate of this machine."""
    values = (
        f"listen 127.0.0.1:{plain}",
        f"listen [::1]:{plain}",
        f"listen 127.0.0.1:{tls} ssl",
        f"listen [::1]:{tls} ssl",
        f"{folder}/",
        f"127.0.0.1:{web}",
    )
    paths = " ".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    servers = put_in(documented("### nginx\n"), dict(zip(IN_NGINX, values, strict=True)))
    user = f"user {getpass.getuser()};\n" if os.geteuid() == 0 else ""  # its workers write into that folder
    top = f"{user}daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;\nevents {{}}\n"
    return f"{top}http {{\naccess_log off; {paths}\n{servers}\n}}\n"


def caddy_conf(folder: Path, *, plain: int, tls: int, web: int) -> str:
    """Return the page's Caddy configuration, with self-made certificates."""
    options = (
        f"admin off\nlocal_certs\nskip_install_trust\nstorage file_system {folder}/caddy\n"
        f"default_bind 127.0.0.1\nhttp_port {plain}\nhttps_port {tls}"
    )
    site = put_in(documented("### Caddy\n"), {IN_CADDY[0]: f"127.0.0.1:{web}"})
    return f"{{\n{options}\n}}\n{site}\n"


class Mails(socketserver.StreamRequestHandler):
    """A mail server that accepts and keeps everything."""

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


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]  # names in lower case
    cookies: tuple[str, ...]
    raw: bytes

    @property
    def text(self) -> str:
        packed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.raw) if packed else self.raw).decode(errors="replace")


class Fields(HTMLParser):
    """The values that a browser would send for each form on a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[dict[str, str]] = [{}]
        self.choosing = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        name, kind, value = (
            attributes.get("name") or "",
            attributes.get("type") or "text",
            attributes.get("value") or "",
        )
        if tag == "form":
            self.forms.append({})
        elif tag == "select":
            self.choosing = name
        elif tag == "option" and ("selected" in attributes or self.choosing not in self.forms[-1]):
            self.forms[-1][self.choosing] = value
        elif tag == "input" and name and (kind not in ("checkbox", "radio", "submit") or "checked" in attributes):
            self.forms[-1][name] = value or ("on" if kind == "checkbox" else "")

    def form_with(self, name: str) -> dict[str, str]:
        return next(form for form in self.forms if name in form)


class Visitor:
    """Somebody at a port of the site, with their own address and cookies."""

    def __init__(self, port: int, *, tls: bool = True, address: str = "127.0.0.1", host: str = HOST) -> None:
        self.port, self.tls, self.address, self.host = port, tls, address, host
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, form: dict[str, str] | None = None, body: bytes | None = None, **headers: str) -> Answer:
        """Send a GET, or a POST of a form or of bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=180, source_address=(self.address, 0))
        connection.connect()
        if self.tls:
            trusting = ssl._create_unverified_context()
            connection.sock = trusting.wrap_socket(connection.sock, server_hostname=self.host)
        sent = {"Host": self.host, "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form is not None:
            sent |= {"Content-Type": "application/x-www-form-urlencoded", "Referer": f"https://{self.host}/"}
            body = urlencode(form | {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")}).encode()
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        with contextlib.closing(connection):
            connection.request("GET" if body is None else "POST", path, body, sent)
            answer = connection.getresponse()
            cookies = tuple(answer.headers.get_all("Set-Cookie") or ())
            for cookie in cookies:
                name, _, value = cookie.split(";")[0].partition("=")
                self.cookies[name] = value
            response_headers = {name.lower(): value for name, value in answer.headers.items()}
            return Answer(answer.status, response_headers, cookies, answer.read())


class Unit:
    """A unit of the site, run as by systemd: started, restarted however it ends, and stopped with all its processes."""

    def __init__(self, site: Site, name: str) -> None:
        self.name, self.site, self.starts = name, site, 0
        unit_file = (site.app / "deploy" / f"muster-{name}.service").read_text()
        lines = [line.split("=", 1) for line in unit_file.splitlines() if "=" in line and not line.startswith("#")]
        self.commands = [self._command(value) for key, value in lines if key in ("ExecStartPre", "ExecStart")]
        own = dict(value.split("=", 1) for key, value in lines if key == "Environment")
        self.mark = f"{site.folder}/{name}."
        self.environment = site.environment | own | {MARK: self.mark}
        settings = dict(lines)
        self.restarts, self.pause = settings["Restart"] == "always", float(settings["RestartSec"])
        self.process: subprocess.Popen[bytes] | None = None
        self.told_to_stop = threading.Event()
        self.thread = threading.Thread(target=self._keep, daemon=True)

    @staticmethod
    def _command(line: str) -> list[str]:
        program, *options = line.replace("%%", "%").split()
        return [str(Path(sys.executable).parent / Path(program).name), *options]

    def _keep(self) -> None:
        while not self.told_to_stop.is_set():
            self.starts += 1
            for command in self.commands:
                with (self.site.folder / f"{self.name}.log").open("ab") as log:
                    self.process = subprocess.Popen(
                        command, cwd=self.site.app, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                        preexec_fn=ends_with_parent(),
                    )  # fmt: skip
                if self.process.wait() or self.told_to_stop.is_set():
                    break
            kill_processes(self.mark)  # the rest of its control group
            if not self.restarts:
                return
            self.told_to_stop.wait(self.pause)

    def start(self) -> None:
        self.thread.start()

    def kill(self) -> None:
        """Kill its main process with SIGKILL."""
        assert self.process
        self.process.send_signal(signal.SIGKILL)

    def stop(self) -> None:
        self.told_to_stop.set()
        if self.process:
            self.process.terminate()
        self.thread.join(100)


class Site:
    """The folder of a site, its clone of Muster, its settings, and its processes."""

    def __init__(self, folder: Path, postgres: str, redis: str, version: str) -> None:
        self.folder, self.app, self.var = folder, folder / "app", folder / "var"
        self.web = free_port()
        self.mail = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mails)
        threading.Thread(target=self.mail.serve_forever, daemon=True).start()
        self.newest = self._clone(version)
        self.var.mkdir()
        (ROOT / "var" / "compiled").mkdir(parents=True, exist_ok=True)
        (self.var / "compiled").symlink_to(ROOT / "var" / "compiled")  # slow to build
        self.settings_file = folder / "muster.env"
        lines = (ROOT / "deploy" / "muster.env.example").read_text().splitlines()
        self.settings = dict(line.split("=", 1) for line in lines if re.match("[A-Z]", line)) | {
            "MUSTER_SECRET_KEY": "a-secret-of-this-walk-alone-and-of-no-other-place-0123456789",
            "MUSTER_DICE_KEY": "a-key-of-this-walk-alone-and-of-no-other-place-0123",
            "MUSTER_DATABASE_URL": f"{postgres}/muster",
            "MUSTER_REDIS_URL": redis,
            "MUSTER_EMAIL_URL": f"smtp://127.0.0.1:{self.mail.server_address[1]}",
            "MUSTER_METRICS_TOKEN": "a-token-of-this-walk",
            "MUSTER_SECURITY_CONTACT": "door@muster.example",
            "MUSTER_LOG_FORMAT": "json",
            "MUSTER_VAR": str(self.var),
            "MUSTER_PORT": str(self.web),
        }
        self.units: dict[str, Unit] = {}

    def _clone(self, version: str) -> str:
        """Clone that version; return the newest commit, which is the present state of this folder."""

        def git(*words: str, folder: Path = ROOT) -> str:
            return subprocess.run(
                ["git", *words], cwd=folder, check=True, capture_output=True, text=True
            ).stdout.strip()

        newest = git("stash", "create") or git("rev-parse", "HEAD")
        git("clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(self.app))
        git("checkout", "--quiet", "-B", "here", git("rev-parse", version), folder=self.app)
        return newest

    @property
    def environment(self) -> dict[str, str]:
        """The environment as systemd would give it to a unit."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_", "DJANGO_"))}
        return kept | self.settings

    def write_settings(self) -> None:
        self.settings_file.write_text("".join(f"{name}={value}\n" for name, value in self.settings.items()))
        self.settings_file.chmod(0o600)

    def run(self, *command: str, fails: bool = False, **settings: str) -> str:
        """Return the output of a command in the clone, with the site's settings and these."""
        done = subprocess.run(
            list(command), cwd=self.app, env=self.environment | settings, capture_output=True, text=True
        )
        if bool(done.returncode) is not fails:
            raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def python(self, *words: str, fails: bool = False, **settings: str) -> str:
        return self.run(sys.executable, *words, fails=fails, **settings)

    def operate(self, *command: str, fails: bool = False) -> str:
        """Return the output of an operator's command, which reads the settings from their file."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MUSTER_", "DJANGO_"))}
        environment = kept | {"VENV": sys.prefix, "MUSTER_ENV_FILE": str(self.settings_file)}
        done = subprocess.run(list(command), cwd=self.app, env=environment, capture_output=True, text=True)
        if bool(done.returncode) is not fails:
            raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def make(self, *words: str, fails: bool = False) -> str:
        return self.operate("make", *words, fails=fails)

    @contextlib.contextmanager
    def running(self, *names: str):
        """Run these units inside the block."""
        started = [Unit(self, name) for name in names]
        self.units |= {unit.name: unit for unit in started}
        for unit in started:
            unit.start()
        try:
            yield
        finally:
            for unit in reversed(started):
                unit.stop()

    @contextlib.contextmanager
    def process(self, name: str, *command: str):
        """Run another server of the page inside the block."""
        environment = os.environ | {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)}
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=log, stderr=log, preexec_fn=ends_with_parent()
            )
        try:
            yield process
        finally:
            process.terminate()
            process.wait(30)

    def certificate(self) -> None:
        """Create a certificate where certbot would."""
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}"]
        files = ["-keyout", f"{self.folder}/privkey.pem", "-out", f"{self.folder}/fullchain.pem"]
        subprocess.run([*make, *files], check=True, capture_output=True)

    def tables(self) -> Tables:
        """Return the tables of the site's database, of any version, as read by the newest one."""
        folder = Path(tempfile.mkdtemp(dir=self.folder)) / "rows"
        code = f"import django; django.setup(); from deploy import database_dump; from pathlib import Path; database_dump.write_rows(Path({str(folder)!r}))"
        settings = self.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=settings, check=True)
        return dict(json.loads((folder / "manifest.json").read_text())["tables"])

    def log(self, name: str) -> str:
        path = self.folder / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""


def program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
