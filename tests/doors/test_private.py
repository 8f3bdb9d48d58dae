"""What Muster stores is its owner's: folders and files, new ones and those from before."""

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

from .builders import give_factor, prove


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def start(var: Path, code: str = "") -> None:
    """A process of Muster's in this folder, started by somebody with an open umask."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("MUSTER_")}
    env |= {"MUSTER_VAR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings"}
    code = f"import os; os.umask(0o022); import django; django.setup(); {code}"
    subprocess.run([sys.executable, "-c", code], env=env, check=True)


def test_the_folder_and_what_is_written_there_are_closed_to_others(tmp_path):
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


def test_a_folder_from_before_is_closed_when_muster_starts(tmp_path):
    tmp_path.chmod(0o755)
    start(tmp_path)
    assert mode(tmp_path) == 0o700


def test_files_from_before_are_closed_when_all_is_made_ready(tmp_path):
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


def test_what_a_link_leads_to_is_left_alone(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    elsewhere.chmod(0o755)
    var = tmp_path / "var"
    var.mkdir(mode=0o700)
    (var / "compiled").symlink_to(elsewhere)
    close_to_others(var)
    assert mode(elsewhere) == 0o755


@pytest.mark.parametrize("unit", sorted((Path(__file__).parents[2] / "deploy").glob("*.service")), ids=lambda p: p.name)
def test_every_unit_writes_for_its_owner_alone(unit):
    assert "UMask=0077" in unit.read_text().splitlines()


# --- caches -----------------------------------------------------------------------------------------------------------

OWN_PAGES = (
    "rosters:profile", "rosters:sign_ins", "rosters:my_data", "rosters:leave", "usersessions_list", "account_email", "account_change_password",
    "mfa_index", "mfa_view_recovery_codes", "mfa_download_recovery_codes", "mfa_generate_recovery_codes",
)  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("name", OWN_PAGES)
def test_a_page_of_the_account_is_kept_by_no_cache(client, name):
    kim = a_player("kim")
    give_factor(kim)
    client.force_login(kim)
    prove(client)
    answer = client.get(reverse(name))
    assert answer.status_code == 200
    assert {"no-store", "private"} <= set(answer["Cache-Control"].split(", "))


@pytest.mark.django_db
def test_what_a_player_sees_is_kept_by_no_cache_on_the_way(client):
    kim = a_player("kim")
    own = a_company(kim)
    client.force_login(kim)
    machine = Client(headers={"Authorization": f"Token {a_token(kim, 'read')}"})
    path, api = reverse("rosters:company", args=[own.pk]), reverse("api-company", args=[own.pk])
    told = [asker.get(asked)["Cache-Control"] for asker, asked in ((client, path), (client, api), (machine, api))]
    assert told == ["private"] * 3
    assert not Client().get("/").has_header("Cache-Control")


@pytest.mark.django_db
def test_signing_out_has_the_browser_drop_what_it_kept(client):
    client.force_login(a_player("kim"))
    assert client.post(reverse("account_logout"))["Clear-Site-Data"] == '"cache"'
