"""Some packages can be removed from the site, with their lines in the routes, the contracts, and the timers."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.settings import BASE_DIR

PACKAGES = {  # with pages that are gone without them
    "offline_pack": ("/tonight/",),
    "club_display": ("/clubs/none/wall/",),
    "club_nights": ("/clubs/none/evening/", "/api/v1/clubs/none/evening/"),
}
COPIED = ("config", "campaigns", "battles", "rosters", "systems", "templates", "static", "manage.py", "pyproject.toml")
LOOK = """
import django; django.setup()
from django.core.management import call_command
from django.conf import settings
settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
call_command("check"); call_command("migrate", verbosity=0)
from django.test import Client
from rosters.models import Player
from campaigns.clubs.services import club_create
player = Player.objects.create_user("ada", password="x")
club = club_create(by=player, name="Foxes")
client = Client(headers={"host": "localhost"}); client.force_login(player)
for path in ("/", f"/clubs/{club.slug}/", f"/clubs/{club.slug}/settings/", "/api/v1/clubs/", *GONE):
    print(path, client.get(path, follow=path not in GONE).status_code)
"""


@pytest.mark.slow
@pytest.mark.any_database
def test_site_runs_without_a_package(tmp_path: Path):
    for name in COPIED:
        source = BASE_DIR / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        else:
            shutil.copy(source, tmp_path / name)
    for package in PACKAGES:
        shutil.rmtree(tmp_path / "campaigns" / package)
        for routes in ("urls.py", "api_urls.py"):
            assert remove_lines(tmp_path / "campaigns" / routes, f'"campaigns.{package}.') <= 1
        remove_timers(tmp_path / "config" / "settings.py", f"campaigns.{package}.")
        assert len(re.findall(rf"\b{package}\b", (tmp_path / "pyproject.toml").read_text())) == 2  # in two contracts
    gone = [path for paths in PACKAGES.values() for path in paths]
    done = subprocess.run(
        [sys.executable, "-c", f"GONE = {gone!r}{LOOK}"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "config.settings", "MUSTER_VAR": str(tmp_path / "var")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines() if line.startswith("/"))
    assert {path: status for path, status in answers.items() if path in gone} == dict.fromkeys(gone, "404")
    assert {status for path, status in answers.items() if path not in gone} == {"200"}


def remove_lines(path: Path, text: str) -> int:
    """Remove the lines that contain the text, and return their number."""
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if text not in line))
    return sum(text in line for line in lines)


def remove_timers(path: Path, module: str) -> None:
    """Remove the timers whose task is in the module from the settings."""
    entry = rf'    "[\w-]+": {{\n        "task": "{re.escape(module)}[^}}]*}},\n    }},\n'
    path.write_text(re.sub(entry, "", path.read_text()))
