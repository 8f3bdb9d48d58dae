"""The project: settings, URLs, the Celery application."""

import gc

from config.celery import app as celery_app

# Loaded modules stay in memory until the process ends, so collecting garbage every 700 objects (the default) only
# costs time: a tenth of the start-up. Servers and workers also collect less often while they run.
gc.set_threshold(20_000, 10, 20)

__all__ = ["celery_app"]
