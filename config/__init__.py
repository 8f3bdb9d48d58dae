"""The project: settings, URLs, the Celery application."""

import gc

from config.celery import app as celery_app

# what is loaded stands to the end; to look it through every 700 things takes a tenth of a start (servers and workers look
# for what can go more seldom too, as long as they live)
gc.set_threshold(20_000, 10, 20)

__all__ = ["celery_app"]
