"""The web server: a few processes with threads, since a page is short and mostly waits for the database."""

import os

bind = f"{os.environ.get('MUSTER_BIND', '127.0.0.1')}:{os.environ.get('MUSTER_PORT', '8000')}"
workers = int(os.environ.get("MUSTER_WEB_PROCESSES", "2"))
threads = 4
worker_class = "gthread"
timeout = 60
graceful_timeout = 5
loglevel = "warning"


def when_ready(server):
    print(f"Muster is open at http://{bind.replace('0.0.0.0', '127.0.0.1')}/ (Ctrl-C closes it)", flush=True)
