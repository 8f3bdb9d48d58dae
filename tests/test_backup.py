"""A backup holds what can't be made again, and comes back as it was."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from deploy import backup

ROOT = Path(__file__).resolve().parent.parent


def run(env: dict[str, str], code: str) -> str:
    """What a process of its own says: restoring replaces the database under its connections."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_backup_comes_back_as_it_was(site_env: dict[str, str], settings, tmp_path: Path):
    from django.db import connection

    player = get_user_model().objects.create_user("quartermaster", password="x")
    sheet = settings.VAR_DIR / "files" / "sheet.pdf"
    sheet.write_bytes(b"as printed")
    saving = f"from pathlib import Path; from deploy import backup; print(backup.save(Path({str(tmp_path)!r})))"
    archive = run(site_env, saving)
    assert Path(archive).stat().st_mode & 0o077 == 0

    player.delete()
    sheet.write_bytes(b"spoilt")
    connection.close()
    run(site_env, f"from pathlib import Path; from deploy import backup; backup.restore(Path({archive!r}))")
    assert get_user_model().objects.filter(username="quartermaster").exists()
    assert sheet.read_bytes() == b"as printed"
    sheet.unlink()


def test_a_file_that_is_no_backup_is_refused(tmp_path: Path):
    (tmp_path / "letter.txt").write_text("Dear quartermaster")
    with pytest.raises(SystemExit, match=r"can't read the archive .*letter\.txt"):
        backup.restore(tmp_path / "letter.txt")


@pytest.mark.parametrize("name", ["../secret-key", "/etc/passwd", "files/../../x", "letter.txt"])
def test_an_archive_that_would_write_elsewhere_is_refused(tmp_path: Path, name: str):
    with tarfile.open(tmp_path / "forged.tar.gz", "w:gz") as tar:
        tar.addfile(tarfile.TarInfo(name))
    with pytest.raises(SystemExit, match="does not belong in a backup"):
        backup.restore(tmp_path / "forged.tar.gz")


def test_a_backup_of_the_other_kind_of_database_is_refused(tmp_path: Path):
    with pytest.raises(SystemExit, match="another kind of database"):
        backup.load({"ENGINE": "django.db.backends.postgresql", "NAME": "muster"}, tmp_path)
