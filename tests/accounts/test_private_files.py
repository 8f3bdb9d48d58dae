"""Files and folders are readable by their owner only, and personal pages aren't cached."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from deploy.staging import close_to_others
from tests.builders import a_company, a_player, a_token

from .builders import add_second_factor, reauthenticate


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def start(var: Path, code: str = "") -> None:
    """Start a process of Muster in this folder with the umask 022."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("MUSTER_")}
    env |= {"MUSTER_VAR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings"}
    code = f"import os; os.umask(0o022); import django; django.setup(); {code}"
    subprocess.run([sys.executable, "-c", code], env=env, check=True)


def test_data_folder_and_new_files_are_private(tmp_path):
    var = tmp_path / "var"
    write = (
        "from django.core.mail import send_mail; send_mail('a', 'b', 'c@d', ['e@f']);"
        "from django.core.files.storage import default_storage as kept; from django.core.files.base import ContentFile;"
        "kept.save('prints/one.pdf', ContentFile(b'%PDF'));"
        "from django.db import connection; connection.ensure_connection()"
    )
    start(var, write)
    written = [var, *var.rglob("*")]
    assert {"muster.sqlite3", "one.pdf", "outbox", "secret-key"} <= {path.name for path in written}
    assert list((var / "outbox").glob("*.log"))
    assert {path.name for path in written if mode(path) & 0o077} == set()


@pytest.mark.slow
def test_existing_folder_is_made_private_at_start(tmp_path):
    tmp_path.chmod(0o755)
    start(tmp_path)
    assert mode(tmp_path) == 0o700


def test_preparing_makes_existing_files_private(tmp_path):
    old = tmp_path / "files" / "prints"
    old.mkdir(parents=True)
    (old / "one.pdf").write_bytes(b"")
    (old / "one.pdf").chmod(0o644)
    (tmp_path / "run.sh").touch()
    (tmp_path / "run.sh").chmod(0o755)
    for folder in (tmp_path, tmp_path / "files", old):
        folder.chmod(0o755)
    assert close_to_others(tmp_path) == 5
    assert (mode(old), mode(old / "one.pdf"), mode(tmp_path / "run.sh")) == (0o700, 0o600, 0o700)
    assert close_to_others(tmp_path) == 0


def test_targets_of_symbolic_links_stay_unchanged(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    elsewhere.chmod(0o755)
    var = tmp_path / "var"
    var.mkdir(mode=0o700)
    (var / "compiled").symlink_to(elsewhere)
    close_to_others(var)
    assert mode(elsewhere) == 0o755


@pytest.mark.parametrize("unit", sorted((Path(__file__).parents[2] / "deploy").glob("*.service")), ids=lambda p: p.name)
def test_every_service_unit_has_a_private_umask(unit):
    assert "UMask=0077" in unit.read_text().splitlines()


# --- caches -----------------------------------------------------------------------------------------------------------

OWN_PAGES = (
    "rosters:profile", "rosters:my_data", "usersessions_list", "account_email", "account_change_password",
    "mfa_index", "mfa_view_recovery_codes", "mfa_download_recovery_codes", "mfa_generate_recovery_codes",
)  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("name", OWN_PAGES)
def test_account_pages_are_not_cached(client, name):
    kim = a_player("kim")
    add_second_factor(kim)
    client.force_login(kim)
    reauthenticate(client)
    answer = client.get(reverse(name))
    assert answer.status_code == 200
    assert {"no-store", "private"} <= set(answer["Cache-Control"].split(", "))


@pytest.mark.django_db
def test_responses_to_players_are_private(client):
    kim = a_player("kim")
    own = a_company(kim)
    client.force_login(kim)
    token_client = Client(headers={"Authorization": f"Token {a_token(kim, 'read')}"})
    path, api = reverse("rosters:company", args=[own.pk]), reverse("api-company", args=[own.pk])
    headers = [caller.get(url)["Cache-Control"] for caller, url in ((client, path), (client, api), (token_client, api))]
    assert headers == ["private"] * 3
    assert not Client().get("/").has_header("Cache-Control")


@pytest.mark.django_db
def test_signing_out_clears_the_browser_cache(client):
    client.force_login(a_player("kim"))
    assert client.post(reverse("account_logout"))["Clear-Site-Data"] == '"cache"'
