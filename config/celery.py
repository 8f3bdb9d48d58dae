"""The Celery application. Tasks are in the `tasks.py` of an app or of a package in it, and take only IDs."""

import logging.config
import os
import threading
import time
from collections.abc import Sequence

from celery import Celery, Task
from celery.signals import (
    beat_embedded_init,
    before_task_publish,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_process_init,
)
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

from rosters.site import log_context

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

STARTED_AS = os.getpid()  # child processes are forked, so in them this is the worker's ID, even after it has ended
TRANSPORT_ALIASES["files"] = "config.file_queue:Transport"  # files://, the broker of the embedded set-up

app = Celery("muster")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()  # of the apps
app.autodiscover_tasks(
    lambda: [f"{path.parts[-3]}.{path.parts[-2]}" for path in settings.BASE_DIR.glob("*/*/tasks.py")]
)


def route_task(name: str, args: Sequence[object], *_rest: object, **_options: object) -> dict[str, str] | None:
    """Route a new forecast to the `battles` queue, past the waiting slices of long ones."""
    return {"queue": "battles"} if name.startswith("battles.tasks.forecast_") and len(args) == 1 else None


@worker_process_init.connect
@beat_embedded_init.connect
def end_with_worker(**_kwargs: object) -> None:
    """End a worker's child process when the worker has been killed."""

    def watch() -> None:
        while os.getppid() == STARTED_AS:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="end-with-worker").start()


# --- log: in the site's format, with the request that started a job ---------------------------------------------------

REQUEST = "muster_request"  # in the message's headers


@setup_logging.connect
def log_as_the_site_does(loglevel: int | None = None, **_kwargs: object) -> None:
    logging.config.dictConfig(settings.LOGGING)
    if loglevel:
        logging.getLogger().setLevel(loglevel)


@before_task_publish.connect
def attach_request_id(headers: dict[str, object] | None = None, **_kwargs: object) -> None:
    """Pass the request ID on to jobs that a job starts."""
    if headers is not None and (name := log_context.request_id.get()):
        headers[REQUEST] = name


@task_prerun.connect
def bind_request_id(task: Task, **_kwargs: object) -> None:
    if not task.request.is_eager:  # an eager task runs inside the request, which keeps its own ID
        log_context.request_id.set(getattr(task.request, REQUEST, None) or "")


@task_postrun.connect
def clear_request_id(task: Task, **_kwargs: object) -> None:
    if not task.request.is_eager:
        log_context.request_id.set("")
