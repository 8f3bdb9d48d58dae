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


def test_sealed_dice_roll_again_after_a_restore_where_their_key_was_lost(
    site_env: dict[str, str], settings, tmp_path: Path
):
    from django.db import connection

    from battles.services.dice import dice_seal, dice_secret

    dice = dice_seal()
    secret, key = dice_secret(dice), settings.VAR_DIR / "dice-key"
    kept = key.read_text()
    archive = run(
        site_env, f"from pathlib import Path; from deploy import backup; print(backup.save(Path({str(tmp_path)!r})))"
    )
    connection.close()
    try:
        key.write_text("the-key-of-another-machine-0123456789")
        run(site_env, f"from pathlib import Path; from deploy import backup; backup.restore(Path({archive!r}))")
        assert key.stat().st_mode & 0o777 == 0o600
        assert key.read_text().split() == [*kept.split(), "the-key-of-another-machine-0123456789"]
        asked = (
            "import django; django.setup(); from battles.models import SealedDice; "
            f"from battles.services.dice import dice_secret; print(dice_secret(SealedDice.objects.get(pk={dice.pk})))"
        )
        assert run(site_env, asked) == secret
    finally:
        key.write_text(kept)


def test_the_keys_of_the_environment_are_in_the_archive_and_not_in_the_dump(site_env: dict[str, str], tmp_path: Path):
    env = {**site_env, "MUSTER_DICE_KEY": "k" * 40}
    archive = run(
        env, f"from pathlib import Path; from deploy import backup; print(backup.save(Path({str(tmp_path)!r})))"
    )
    with tarfile.open(archive) as tar:
        assert tar.extractfile("dice-key").read().decode().split()[0] == "k" * 40
        (dump,) = [member for member in tar if member.name.startswith("database.")]
        assert b"k" * 40 not in tar.extractfile(dump).read()


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
