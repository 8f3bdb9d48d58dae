"""The Celery application. Tasks live in each app's `tasks.py` and take ids only."""

import os
import threading
import time
from collections.abc import Sequence

from celery import Celery
from celery.signals import beat_embedded_init, worker_process_init
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TRANSPORT_ALIASES["files"] = "config.file_queue:Transport"  # files://, the broker of the embedded set-up

app = Celery("muster")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def begin_soon(name: str, args: Sequence[object], *_rest: object, **_options: object) -> dict[str, str] | None:
    """A count that nobody has begun is told beside the battles, past the slices of long ones that wait their turn."""
    return {"queue": "battles"} if name.startswith("battles.tasks.forecast_") and len(args) == 1 else None


@worker_process_init.connect
@beat_embedded_init.connect
def end_with_worker(**_kwargs: object) -> None:
    """A process of a worker that was killed ends too, instead of working on for nobody."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="end-with-worker").start()
