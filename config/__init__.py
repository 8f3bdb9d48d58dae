"""The project: settings, URLs, the Celery application."""

import gc

from config.celery import app as celery_app

# What is loaded stays until the end; the default, a collection every 700 objects, takes a tenth of the start. (Servers
# and workers also look for garbage less often while they run.)
gc.set_threshold(20_000, 10, 20)

__all__ = ["celery_app"]
