"""The Celery application. Tasks live in each app's `tasks.py` and take ids only."""

import os
from collections.abc import Sequence

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TRANSPORT_ALIASES["files"] = "config.file_queue:Transport"  # files://, the broker of the embedded set-up

app = Celery("muster")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def begin_soon(name: str, args: Sequence[object], *_rest: object, **_options: object) -> dict[str, str] | None:
    """A count that nobody has begun is told beside the battles, past the slices of long ones that wait their turn."""
    return {"queue": "battles"} if name.startswith("battles.tasks.forecast_") and len(args) == 1 else None
