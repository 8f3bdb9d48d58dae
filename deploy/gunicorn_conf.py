"""The web server's configuration: a few processes with threads, because pages mostly wait for the database."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from gunicorn.workers.base import Worker

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # the command `gunicorn` doesn't look there

from deploy.processes import is_small_machine  # noqa: E402

host, port = os.environ.get("MUSTER_BIND") or "127.0.0.1", os.environ.get("MUSTER_PORT") or "8000"
processes = os.environ.get("MUSTER_WEB_PROCESSES") or ("1" if is_small_machine() else "2")
for name, value in {"MUSTER_PORT": port, "MUSTER_WEB_PROCESSES": processes}.items():
    if not value.isdigit() or int(value) < 1:
        raise SystemExit(f"muster: {name} must be a whole number above 0, not {value!r}.")
bind = f"[{host}]:{port}" if ":" in host and not host.startswith("[") else f"{host}:{port}"
workers = int(processes)
threads = 4
worker_class = "gthread"
timeout = 60
graceful_timeout = 5
loglevel = "warning"
control_socket_disable = True  # unused, and its file would be outside MUSTER_VAR
forwarder_headers = ""  # no request header may set a path prefix: Muster is not served below a path

# The folder in which the processes of this server collect their metrics (config/monitoring.py). Each server has its
# own, so that counts of an older process with the same ID are not included.
if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="muster-metrics-")


def when_ready(_server: object) -> None:
    print(f"Muster is open at http://{bind.replace('0.0.0.0', '127.0.0.1')}/ (press Ctrl-C to stop)", flush=True)


def child_exit(_server: object, worker: Worker) -> None:
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)


def on_exit(_server: object) -> None:
    shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
