"""WSGI entry point of the site with the bare page, for gunicorn."""

import os

from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
settings.ROOT_URLCONF = "benchmarks.bare"
settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}

from config.wsgi import application  # noqa: E402 - what is set above is read as it starts

__all__ = ["application"]
