"""The project: make targets, production settings, migrations, messages on a bare machine."""

from __future__ import annotations

import os
import re
import shutil
import socket
import string
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from deploy import prepare

ROOT = Path(__file__).resolve().parent.parent
TARGETS = {"help", "setup", "proof", "run", "worker", "test", "test-all", "lint", "types", "imports", "templates", "layout", "check", "bench", "memory", "replays", "schemas", "words", "canary", "wheel", "release", "backup", "restore", "manage", "upgrade", "rollback"}  # fmt: skip
PRODUCTION = {
    "MUSTER_HTTPS": "1",
    "MUSTER_SECRET_KEY": string.ascii_letters + string.digits,
    "MUSTER_ALLOWED_HOSTS": "muster.test",
    "MUSTER_PROXIES": "1",
    "MUSTER_EMAIL_URL": "smtp+tls://user:sesame@mail.test:587",
    "MUSTER_EMAIL_VERIFICATION": "mandatory",
}


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", "-s", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)


def test_make_help_lists_every_target():
    documented = set(re.findall(r"^  make ([a-z-]+) +\S", make("help").stdout, re.MULTILINE))
    (phony,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert documented == set(phony.split()) == TARGETS


def test_make_alone_prints_the_help():
    assert make().stdout == make("help").stdout


def test_push_check_runs_the_tests_of_the_readme():
    assert re.search(r"^exec make .*\bcheck\b", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert "make test" in (ROOT / "README.md").read_text()


def manage(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, capture_output=True, text=True)


def test_no_test_measures_time():
    waiting = {"tests/services.py", "tests/tools/gallery.py"}  # waiting for servers, and a report
    waiting |= {"tests/tools/walk_production.py"}  # its duration
    waiting |= {"tests/test_soak.py", "tests/tools/soak_jobs.py", "tests/tools/soak_site.py"}  # duration of a soak
    waiting |= {"tests/tools/memory.py"}  # waiting for jobs
    waiting |= {"tests/test_kill_run.py", "tests/test_retention.py"}  # duration of a run, and age of files
    waiting |= {"tests/tools/api_fuzz.py", "tests/tools/form_fuzz.py"}  # reports
    waiting |= {"tests/tools/bare_debian.py", "tests/tools/mutate.py"}  # duration on a bare machine, and of each break
    waiting |= {"tests/tools/published_odds.py"}  # duration of a matrix, shown on its page
    clocks = re.compile(r"\b(process_time|perf_counter|monotonic|time\.time|timeit)\b")
    files = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
    timed = {str(path.relative_to(ROOT)) for path in files if clocks.search(path.read_text(encoding="utf-8"))}
    assert timed == waiting, "count steps or queries instead: a busy machine is slow"


@pytest.mark.any_database
def test_production_settings_pass_djangos_deployment_checks(site_env: dict[str, str]):
    done = manage(site_env | PRODUCTION, "check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.any_database
def test_deployment_checks_notice_a_site_without_https(site_env: dict[str, str]):
    done = manage(site_env | PRODUCTION | {"MUSTER_HTTPS": "0"}, "check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 1
    assert "SECURE_HSTS_SECONDS" in done.stderr


def test_settings_md_lists_every_setting():
    sources = [*ROOT.glob("config/*.py"), *ROOT.glob("deploy/*"), *ROOT.glob("*/*.py"), *ROOT.glob("*/engine/*.py")]
    text = "".join(path.read_text() for path in {*sources} if path.is_file() and path.parent.name != "tests")
    used = set(re.findall(r"\bMUSTER_[A-Z_]+[A-Z]\b", text))
    documented = set(re.findall(r"^\| `(MUSTER_\w+)` \|", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE))
    assert len(used) > 10
    assert used == documented


def test_every_pinned_library_is_in_the_dependencies_page():
    files = [ROOT / "requirements.txt", ROOT / "requirements-dev.txt"]
    pinned = [line.split("==")[0] for file in files for line in file.read_text().splitlines() if "==" in line]
    page = (ROOT / "docs" / "decisions" / "dependencies.md").read_text()
    assert re.findall(r"^\| ([a-z][\w\[\]-]+) \|", page.replace("| library |", ""), re.MULTILINE) == pinned


def test_every_library_is_pinned_to_one_version():
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    assert len(lines) > 10
    assert [line for line in lines if not re.fullmatch(r"[\w.\[\]-]+==[\w.]+", line)] == []


def test_no_folder_of_tests_is_skipped(pytestconfig: pytest.Config):
    passed_over = pytestconfig.getini("norecursedirs")
    files = [path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py")]
    folders = {name for path in files for name in path.parent.parts}
    assert "build" in folders
    assert not [name for name in folders if any(fnmatch(name, pattern) for pattern in passed_over)]


def test_debug_is_off_by_default(settings):
    assert settings.DEBUG is False


@pytest.mark.django_db
def test_no_model_change_lacks_its_migration():
    from django.core.management import call_command

    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_secret_key_is_made_once_and_readable_by_its_owner_only(tmp_path: Path):
    env = {"PATH": os.environ["PATH"], "MUSTER_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    show = [sys.executable, "-c", "from django.conf import settings; print(settings.SECRET_KEY)"]
    first, second = (subprocess.run(show, cwd=ROOT, env=env, capture_output=True, text=True).stdout for _ in range(2))
    assert len(first.strip()) >= 50
    assert first == second
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0


# --- starting ---


def test_used_port_is_refused_before_any_work():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(SystemExit, match=rf"port {port}: .* make run PORT="):
            prepare.refuse_taken_port("127.0.0.1", str(port))


@pytest.mark.parametrize("port", ["http", "0", "70000", "-1"])
def test_bad_port_is_refused(port: str):
    with pytest.raises(SystemExit, match="is no port"):
        prepare.refuse_taken_port("127.0.0.1", port)


def bare_machine(folder: Path, *commands: str) -> dict[str, str]:
    """Return the environment of a machine with these commands and little else."""
    for name in ("sh", "dirname", "id", "cat", "cksum", "grep", "ls", *commands):
        (folder / name).symlink_to(shutil.which(name) or pytest.skip(f"no {name} here"))
    return {"PATH": str(folder), "VENV": str(folder / "venv")}


def script(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def bootstrap(env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["deploy/bootstrap.sh", "run"], cwd=ROOT, env=env, capture_output=True, text=True)


def test_old_python_is_refused_with_its_version(tmp_path: Path):
    env = bare_machine(tmp_path)
    script(tmp_path, "python3", '[ "$1" = --version ] && echo "Python 3.9.2" && exit; exit 1')
    done = bootstrap(env)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer; this machine has Python 3.9.2" in done.stderr


def test_machine_without_root_gets_the_exact_command(tmp_path: Path):
    env = bare_machine(tmp_path)
    # Python is new enough, but there is no venv and there are no libraries.
    script(tmp_path, "python3", "case $* in *version_info*) exit 0;; *) exit 1;; esac")
    script(tmp_path, "apt-get", "exit 99")
    (tmp_path / "id").unlink()
    script(tmp_path, "id", "echo 1000")
    done = bootstrap(env)
    assert done.returncode == 1
    wanted = "python3-venv libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
    assert f"sudo sh -c 'apt-get update && apt-get install --no-install-recommends {wanted}'" in done.stderr


def test_bootstrap_first_lists_packages_and_reasons(tmp_path: Path):
    env = bare_machine(tmp_path)
    script(tmp_path, "python3", "case $* in *version_info*|*ensurepip*) exit 0;; *) exit 1;; esac")
    done = bootstrap(env)
    assert "libpango-1.0-0: sets the text of cards and sheets" in done.stdout
    assert "python3-venv" not in done.stdout
    assert "this machine has no apt" in done.stderr


def test_linked_environment_is_never_recreated(tmp_path: Path):
    there, kept = tmp_path / "muster", tmp_path / "kept"
    (there / "deploy").mkdir(parents=True)
    kept.mkdir()
    (kept / "precious").write_text("somebody's")
    for name in ("deploy/bootstrap.sh", "requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / name, there / name)
    (there / ".venv").symlink_to(kept)
    env = {"PATH": os.environ["PATH"], "MUSTER_SKIP_PACKAGES": "1"}
    done = subprocess.run([there / "deploy/bootstrap.sh", "run"], env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert (
        f".venv is a link, so Muster doesn't install packages into it. Use it as it is: make ... VENV={kept}"
        in done.stderr
    )
    assert [path.name for path in kept.iterdir()] == ["precious"]


# --- readable layout ---

WIDTH = 120
UNBREAKABLE = {"static/css/components.css": 1}  # a selector's list, which no formatter breaks


def laid_out() -> list[Path]:
    folders = [ROOT / "templates", *ROOT.glob("systems/*/templates"), ROOT / "static" / "css", ROOT / "static" / "js"]
    return [path for folder in folders for path in folder.rglob("*.*")]


def test_no_template_style_or_script_line_is_too_long():
    assert len(laid_out()) > 200
    lines = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").splitlines() for path in laid_out()}
    long = {name: sum(len(line) > WIDTH for line in of) for name, of in lines.items()}
    assert {name: count for name, count in long.items() if count} == UNBREAKABLE


def test_no_template_attribute_holds_an_if_chain():
    attribute = re.compile(r'\b[\w:-]+="((?:\{%.*?%\}|\{\{.*?\}\}|[^"])*)"', re.DOTALL)
    ladders = [
        f"{path.relative_to(ROOT)}: {value}"
        for path in laid_out()
        if path.suffix == ".html"
        for value in attribute.findall(path.read_text(encoding="utf-8"))
        if "{% elif" in value or value.count("{% if") > 1
    ]
    assert ladders == []
