"""Prepares the database, static files, compiled rules and the demo club in one process. A second run changes nothing.

--serve    first checks that the port is free, so that a clash is reported before any work is done. Compiling the rules
           is left to the workers, so that no page waits for it.
--no-demo  leaves out the demo club, for sites of real clubs.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command, get_commands
from django.db import connection

from deploy.staging import close_to_others, undo_interrupted_restore

READYING = int.from_bytes(b"Muster")  # key of the advisory lock that is held while the database is prepared
LIMITS = ("idle_in_transaction_session_timeout", "lock_timeout", "statement_timeout")  # a site may set them for pages


def main(arguments: list[str]) -> None:
    """Prepare everything; SystemExit with a sentence if the port is taken."""
    if "--serve" in arguments:
        refuse_taken_port(os.environ.get("MUSTER_BIND") or "127.0.0.1", os.environ.get("MUSTER_PORT") or "8000")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("MUSTER_LOG_LEVEL", "WARNING")
    try:
        django.setup()
    except ImproperlyConfigured as error:
        sys.exit(f"muster: {error}")
    undo_interrupted_restore(settings.VAR_DIR)
    close_to_others(settings.VAR_DIR)
    with one_at_a_time():
        call_command("migrate", interactive=False, verbosity=0)
        collect_static()
    commands = get_commands()
    if "publish_odds" in commands:
        call_command("publish_odds", verbosity=0)
    if "publish_examples" in commands:
        call_command("publish_examples", verbosity=0)
    if "warm_rules" in commands and "--serve" not in arguments:  # workers do it while pages are served
        call_command("warm_rules")
    if "demo" in commands and "--no-demo" not in arguments and settings.DEMO:
        call_command("demo", "--if-empty", *([] if settings.CSRF_TRUSTED_ORIGINS else [f"--base-url={_own_url()}"]))


def _own_url() -> str:
    """Return the site's address for a browser on this machine."""
    host = (os.environ.get("MUSTER_BIND") or "127.0.0.1").strip("[]")
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{os.environ.get('MUSTER_PORT') or '8000'}"


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let only one machine at a time prepare a shared PostgreSQL; the others wait, and then find nothing to do."""
    if connection.vendor != "postgresql":
        yield
        return
    # A transaction on a separate connection holds the lock; it ends with this process, even through a connection pool.
    with contextlib.closing(connection.copy()) as holder:
        holder.set_autocommit(False)
        with holder.cursor() as cursor:
            for limit in LIMITS:
                cursor.execute(f"SET LOCAL {limit} = 0")
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [READYING])
        yield


def refuse_taken_port(host: str, port: str) -> None:
    """Exit if the port is taken or not allowed."""
    if not port.isdigit() or not 0 < int(port) < 65536:
        sys.exit(f"muster: {port!r} is no port; it takes a number from 1 to 65535, e.g. make run PORT=8001")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), int(port)))
        except OSError as error:
            sys.exit(
                f"muster: can't listen on {host}, port {port}: {error.strerror}. If Muster runs there already, open it; "
                f"otherwise stop the other program or take another port: make run PORT={int(port) % 65535 + 1}"
            )


def collect_static() -> None:
    """Collect and compress static files if any of them, or the set of packages, has changed."""
    digest = hashlib.sha256((settings.BASE_DIR / "requirements.txt").read_bytes())
    for folder in map(Path, settings.STATICFILES_DIRS):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                stat = path.stat()
                digest.update(f"{path.relative_to(folder)} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    stamp = settings.STATIC_ROOT / ".collected"
    if not stamp.exists() or stamp.read_text() != digest.hexdigest():
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        stamp.write_text(digest.hexdigest())


if __name__ == "__main__":
    main(sys.argv[1:])
