"""Upgrade and rollback make a backup first, and refuse anything that would lose data."""

from __future__ import annotations

import http.server
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services import free_port

ROOT = Path(__file__).resolve().parent.parent


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=Kim", "-c", "user.email=kim@muster.example")
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a clone of a small project with the same commands, whose programs record their calls.

    The original has a newer version.
    """
    there = tmp_path / "there"
    (there / "deploy").mkdir(parents=True)
    git(tmp_path, "init", "-q", "-b", "main", str(there))
    (there / "manage.py").write_text("")
    (there / "deploy" / "upgrade.sh").write_bytes((ROOT / "deploy" / "upgrade.sh").read_bytes())
    (there / "deploy" / "bootstrap.sh").write_text(
        '#!/bin/sh\necho bootstrap "$@" >>../asked\n[ ! -e ../offline ] || [ ! -e news ]\n'
    )
    (there / "deploy" / "muster-web.service").write_text("ExecStart=old\n")
    for script in there.glob("deploy/*.sh"):
        script.chmod(0o755)
    python = tmp_path / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = -c ]; then exec python3 "$@"; fi\n'
        'echo "$@" >>../asked\n'
        'if [ "$3" = save ]; then echo saved >backups.tar.gz; echo "muster: saved to $PWD/backups.tar.gz"; fi\n'
        'if [ "$2" = deploy.prepare ] && [ -e ../broken ]; then echo broken; exit 1; fi\n'
        'if [ "$3" = restore ] && [ -e ../broken ]; then exit 1; fi\n'
    )
    python.chmod(0o755)
    git(there, "add", "-A")
    git(there, "commit", "-qm", "The first")
    git(tmp_path, "clone", "-q", str(there), str(tmp_path / "here"))
    (there / "news").write_text("")
    (there / "deploy" / "muster-web.service").write_text("ExecStart=new\n")
    (there / "deploy" / "muster-backup.timer").write_text("")
    git(there, "add", "-A")
    git(there, "commit", "-qm", "The second")
    return tmp_path / "here"


def upgrade(
    clone: Path, *words: str, port: int = 1, settings: str = "/nowhere", **more: str
) -> subprocess.CompletedProcess[str]:
    env = {
        "PATH": f"{clone.parent}/bin:/usr/bin:/bin",
        "VENV": str(clone.parent / "venv"),
        "MUSTER_PORT": str(port),
        "MUSTER_ENV_FILE": settings,
        **more,
    }
    return subprocess.run(["deploy/upgrade.sh", *words], cwd=clone, env=env, capture_output=True, text=True)


def recorded_calls(clone: Path) -> list[str]:
    path = clone.parent / "asked"
    return path.read_text().splitlines() if path.exists() else []


def test_upgrade_saves_first_and_names_the_rollback(clone: Path):
    before = git(clone, "rev-parse", "HEAD")
    done = upgrade(clone, "to")
    assert done.returncode == 0, done.stderr
    assert recorded_calls(clone) == ["-m deploy.backup save", "bootstrap run", "-m deploy.prepare --no-demo --serve"]
    assert (clone / "news").exists()
    assert (clone / "backups.tar.gz.version").read_text().strip() == before
    assert f"make rollback FILE={clone / 'backups.tar.gz'}" in done.stdout


def test_rollback_saves_then_restores_archive_and_version(clone: Path):
    before = git(clone, "rev-parse", "HEAD")
    upgrade(clone, "to")
    (clone / "kept.tar.gz").write_text("")
    (clone / "kept.tar.gz.version").write_text(before)
    done = upgrade(clone, "back", "kept.tar.gz")
    assert done.returncode == 0, done.stderr
    assert recorded_calls(clone)[3:] == [
        "-m deploy.backup save", "-m deploy.backup restore kept.tar.gz --replace", "bootstrap run", "-m deploy.prepare --no-demo --serve",
    ]  # fmt: skip
    assert git(clone, "rev-parse", "HEAD") == before
    assert upgrade(clone, "to").returncode == 0  # and forward again


def test_failed_upgrade_names_the_rollback(clone: Path):
    (clone.parent / "broken").touch()
    done = upgrade(clone, "to")
    assert done.returncode == 1
    assert f"this went wrong, see above. The way back: make rollback FILE={clone / 'backups.tar.gz'}" in done.stderr


def test_version_without_its_packages_changes_nothing(clone: Path):
    before = git(clone, "rev-parse", "HEAD")
    (clone.parent / "offline").touch()
    done = upgrade(clone, "to")
    assert done.returncode == 1
    assert "this is the version from before again, and nothing was changed" in done.stderr
    assert git(clone, "rev-parse", "HEAD") == before
    assert recorded_calls(clone) == ["-m deploy.backup save", "bootstrap run", "bootstrap run"]
    (clone.parent / "offline").unlink()
    assert upgrade(clone, "to").returncode == 0


def test_next_upgrade_finishes_an_interrupted_one(clone: Path):
    (clone.parent / "broken").touch()
    assert upgrade(clone, "to").returncode == 1
    (clone.parent / "broken").unlink()
    done = upgrade(clone, "to")
    assert done.returncode == 0, done.stderr
    assert "was broken off, and is brought to its end" in done.stdout
    assert f"The way back: make rollback FILE={clone / 'backups.tar.gz'}" in done.stdout
    assert recorded_calls(clone)[3:] == ["bootstrap run", "-m deploy.prepare --no-demo --serve"]
    assert upgrade(clone, "to").stdout == "muster: this is the newest version already\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root stops and starts units")
def test_rollback_with_a_failed_restore_restarts_the_old_site(clone: Path):
    units(clone, "muster-web", "muster-worker", "muster-beat")
    upgrade(clone, "to")
    after = git(clone, "rev-parse", "HEAD")
    (clone.parent / "broken").touch()
    done = upgrade(clone, "back", "backups.tar.gz")
    assert done.returncode == 1
    assert "the archive could not be put back, see above; all is as it was" in done.stderr
    assert git(clone, "rev-parse", "HEAD") == after
    assert recorded_calls(clone)[-1] == "systemctl start muster-web muster-worker muster-beat"


def test_failed_rollback_prints_instructions(clone: Path):
    upgrade(clone, "to")
    (clone / "kept.tar.gz").write_text("")
    (clone / "kept.tar.gz.version").write_text(git(clone, "rev-parse", "HEAD^"))
    (clone / "news").write_text("of my own")
    git(clone, "update-index", "--assume-unchanged", "news")  # hides the change from git status
    done = upgrade(clone, "back", "kept.tar.gz")
    assert done.returncode == 1
    assert "Muster is stopped. Once it is fixed: make rollback FILE=kept.tar.gz again" in done.stderr


def units(clone: Path, *names: str, idle: str = "") -> None:
    """Create a systemd with these units that records its calls; `idle` is installed but neither enabled nor running."""
    (clone.parent / "bin").mkdir(exist_ok=True)
    program = clone.parent / "bin" / "systemctl"
    used = "|".join(f"{name}.service" for name in names)
    program.write_text(
        f'#!/bin/sh\nif [ "$1" = cat ]; then case $2 in {used or "-"}|{idle}.service) exit 0 ;; esac; exit 1; fi\n'
        f'if [ "$1" = is-enabled ]; then case $3 in {used or "-"}) exit 0 ;; esac; exit 1; fi\n'
        'if [ "$1" = is-active ]; then exit 3; fi\n'
        'if [ "$1" = show ]; then for unit; do :; done; echo "$PWD/../units/$unit"; exit; fi\necho systemctl "$@" >>../asked\n'
    )
    program.chmod(0o755)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root stops and starts units")
def test_units_stop_before_saving_and_start_at_the_end(clone: Path):
    units(clone, "muster-web", "muster-beat")
    done = upgrade(clone, "to")
    assert done.returncode == 0, done.stderr
    assert (recorded_calls(clone)[0], recorded_calls(clone)[-1]) == (
        "systemctl stop muster-web muster-beat", "systemctl start muster-web muster-beat",
    )  # fmt: skip


@pytest.mark.skipif(os.geteuid() != 0, reason="only root stops and starts units")
def test_disabled_unit_is_not_started(clone: Path):
    units(clone, "muster-web", "muster-worker", idle="muster-print")
    done = upgrade(clone, "to")
    assert done.returncode == 0, done.stderr
    assert recorded_calls(clone)[-1] == "systemctl start muster-web muster-worker"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root stops and starts units")
def test_running_disabled_unit_restarts_after_an_interrupted_upgrade(clone: Path):
    units(clone, "muster-web", idle="muster-print")
    program = clone.parent / "bin" / "systemctl"
    program.write_text(
        program.read_text().replace(
            "exit 3", 'test "$3" = muster-print.service && ! grep -q stop ../asked 2>/dev/null; exit'
        )
    )
    (clone.parent / "broken").touch()
    assert upgrade(clone, "to").returncode == 1
    (clone.parent / "broken").unlink()
    done = upgrade(clone, "to")
    assert done.returncode == 0, done.stderr
    assert recorded_calls(clone)[-1] == "systemctl start muster-web muster-print"
    assert not (clone / ".git" / "muster-upgrade-units").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root stops and starts units")
@pytest.mark.parametrize("setting", [{}, {"MUSTER_BIND": ""}])
def test_muster_running_beside_unused_units_is_not_upgraded(clone: Path, answering: int, setting: dict[str, str]):
    units(clone, idle="muster-web")
    done = upgrade(clone, "to", port=answering, **setting)
    assert "Muster is running; stop it first" in done.stderr
    assert not (clone / "news").exists()


@pytest.fixture
def unit(clone: Path) -> Path:
    """Return the installed web unit: the old version."""
    units(clone, "muster-web")
    path = clone.parent / "units" / "muster-web.service"
    path.parent.mkdir()
    path.write_text("ExecStart=old\n")
    return path


@pytest.mark.skipif(os.geteuid() != 0, reason="only root writes units")
def test_upgrade_updates_the_units_and_says_so(clone: Path, unit: Path):
    done = upgrade(clone, "to")
    assert done.returncode == 0, done.stderr
    assert unit.read_text() == "ExecStart=new\n"
    assert "muster: brought " in done.stdout
    assert recorded_calls(clone)[-2:] == ["systemctl daemon-reload", "systemctl start muster-web"]
    assert [path.name for path in unit.parent.iterdir()] == [unit.name]  # no unit is added


@pytest.mark.skipif(os.geteuid() != 0, reason="only root writes units")
def test_unit_changed_by_the_operator_is_kept_and_named(clone: Path, unit: Path):
    unit.write_text("ExecStart=my own\n")
    done = upgrade(clone, "to")
    assert unit.read_text() == "ExecStart=my own\n"
    assert "was changed here and was left alone. Compare: diff " in done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root writes units")
def test_outdated_units_are_updated_without_a_newer_version(clone: Path, unit: Path):
    git(clone, "reset", "--hard", "-q", "origin/main")
    git(clone, "pull", "-q")
    done = upgrade(clone, "to")
    assert done.returncode == 0, done.stderr
    assert unit.read_text() == "ExecStart=new\n"
    assert "systemctl restart muster-web.service" in done.stdout
    assert recorded_calls(clone) == ["systemctl daemon-reload"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root writes units")
def test_rollback_restores_the_older_units(clone: Path, unit: Path):
    before = git(clone, "rev-parse", "HEAD")
    upgrade(clone, "to")
    (clone / "kept.tar.gz").write_text("")
    (clone / "kept.tar.gz.version").write_text(before)
    done = upgrade(clone, "back", "kept.tar.gz")
    assert done.returncode == 0, done.stderr
    assert unit.read_text() == "ExecStart=old\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a command as another user")
def test_command_runs_as_the_owner_with_crons_path():
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "manage.py").write_text("")
        shutil.copy(ROOT / "deploy" / "upgrade.sh", name)
        shutil.chown(name, "nobody")
        done = subprocess.run(
            ["/bin/sh", "-c", f"cd {name} && sh upgrade.sh with id -un"],
            env={"HOME": "/root", "PATH": "/usr/bin:/bin", "MUSTER_ENV_FILE": "/nowhere"}, capture_output=True, text=True,
        )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "nobody\n", "")


def test_settings_are_read_like_systemd_does(clone: Path, tmp_path: Path):
    (tmp_path / "muster.env").write_text(
        "# MUSTER_HTTPS=1\n"
        "MUSTER_EMAIL_FROM=Muster <muster@muster.example>\n"
        'MUSTER_SECRET_KEY="$(rm) a\'b#c"\n'
        "MUSTER_DICE_KEY='in \"quotes\"' \n"
        "  MUSTER_SIGN_UP = open  \r\n"
        "MUSTER_METRICS_TOKEN="
    )
    output_lines = upgrade(clone, "with", "env", settings=str(tmp_path / "muster.env")).stdout.splitlines()
    ours = {
        line
        for line in output_lines
        if line.startswith("MUSTER_") and not line.startswith(("MUSTER_PORT", "MUSTER_ENV_FILE"))
    }
    assert ours == {
        "MUSTER_EMAIL_FROM=Muster <muster@muster.example>", "MUSTER_SECRET_KEY=$(rm) a'b#c", 'MUSTER_DICE_KEY=in "quotes"',
        "MUSTER_METRICS_TOKEN=", "MUSTER_SIGN_UP=open",
    }  # fmt: skip


def test_command_with_settings_keeps_its_exit_code(clone: Path):
    assert upgrade(clone, "with", "sh", "-c", "exit 3").returncode == 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a command as another user")
def test_unreadable_settings_are_refused():
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "manage.py").write_text("")
        shutil.copy(ROOT / "deploy" / "upgrade.sh", name)
        (Path(name) / "muster.env").write_text("MUSTER_HTTPS=1\n")
        (Path(name) / "muster.env").chmod(0o600)
        Path(name).chmod(0o755)
        done = subprocess.run(
            ["sh", "upgrade.sh", "with", "env"], cwd=name, env={"PATH": "/usr/bin:/bin", "MUSTER_ENV_FILE": "muster.env"},
            user="nobody", capture_output=True, text=True,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert "can't read the settings in muster.env; call this as root" in done.stderr


def test_newest_version_is_not_upgraded(clone: Path):
    upgrade(clone, "to")
    done = upgrade(clone, "to")
    assert (done.returncode, done.stdout) == (0, "muster: this is the newest version already\n")
    assert len(recorded_calls(clone)) == 3


def test_changed_files_are_not_overwritten(clone: Path):
    (clone / "manage.py").write_text("my own")
    done = upgrade(clone, "to")
    assert "files of Muster were changed here. Put them back first:\n M manage.py" in done.stderr
    assert recorded_calls(clone) == []


@pytest.fixture
def answering() -> Iterator[int]:
    """Return the port of a server that responds like Muster."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

    with http.server.HTTPServer(("127.0.0.1", free_port()), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_running_muster_without_a_unit_is_not_upgraded(clone: Path, answering: int):
    done = upgrade(clone, "to", port=answering)
    assert "Muster is running; stop it first" in done.stderr
    assert recorded_calls(clone) == []
    assert not (clone / "news").exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("to", "v99"), "there is no version v99"),
        (("back",), "which archive?"),
        (("back", "manage.py"), "manage.py.version is missing"),
        ((), "upgrade.sh to [VERSION], or: upgrade.sh back ARCHIVE"),
        (("with",), "upgrade.sh with COMMAND..."),
    ],
)
def test_missing_archive_or_version_is_refused_before_any_work(clone: Path, words: tuple[str, ...], reason: str):
    done = upgrade(clone, *words)
    assert done.returncode == 1
    assert reason in done.stderr
    assert recorded_calls(clone) == []
