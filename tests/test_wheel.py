"""The wheel of `systems`: its dependencies, and its commands without the rest of Muster."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "docs" / "examples"
BREACH = EXAMPLES / "scenarios" / "breach.json"
PROJECT = tomllib.loads((ROOT / "systems" / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pins() -> dict[str, str]:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines)


def number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_wheel_accepts_the_versions_of_the_site():
    assert [each.split(">=")[0] for each in PROJECT["dependencies"]] == ["numba", "numpy", "pydantic"]
    for each in PROJECT["dependencies"]:
        name, _, bounds = each.partition(">=")
        least, _, below = bounds.partition(",<")
        assert number(least) <= number(pins()[name]) < number(below), name


@pytest.mark.slow
def test_systems_import_only_dependencies_of_the_wheel():
    imports_all = (
        "import importlib, pkgutil, sys, systems\n"
        "for name in ('django', 'fontTools', 'celery', 'rest_framework', 'weasyprint'): sys.modules[name] = None\n"
        "for each in pkgutil.walk_packages(systems.__path__, 'systems.'):\n"
        "    if not each.name.endswith('__main__'): importlib.import_module(each.name)\n"
        "print(len(systems.GAMES), systems.BROKEN)"
    )
    done = subprocess.run([sys.executable, "-c", imports_all], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("5 {}\n", "")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, ROOT / "systems"], check=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.mark.proof
def test_wheel_holds_all_of_systems_and_nothing_else(wheel: Path):
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert wheel.name == f"muster_systems-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = {
        f"systems/{path.relative_to(ROOT / 'systems')}" for path in (ROOT / "systems").rglob("*") if path.is_file()
    }
    expected = {name for name in files if name.endswith((".py", ".toml", "rulings.md", "/LICENCE"))}
    assert held == expected - {"systems/pyproject.toml"} | {"systems/LICENSE"}


@pytest.mark.proof
def test_four_commands_work_without_django(wheel: Path, tmp_path: Path):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", wheel], check=True)
    kept = {
        name: value for name, value in os.environ.items() if name != "PYTHONPATH" and not name.startswith("MUSTER_")
    }
    environment = kept | {"HOME": str(tmp_path), "XDG_CACHE_HOME": ""}

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [python, "-m", "systems", *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)

    result = subprocess.run([python, "-c", "import django"], cwd=tmp_path, env=environment, capture_output=True)
    assert result.returncode == 1

    for path in sorted(next(folder.glob("*.json")) for folder in EXAMPLES.iterdir()):
        done = run("check", path)
        assert (done.returncode, done.stderr, json.loads(done.stdout)["legal"]) == (0, "", True), path

    record = tmp_path / "record.jsonl"
    record.write_text(run("resolve", BREACH, "--seed", "3").stdout, encoding="utf-8")
    here = subprocess.run(
        [sys.executable, "-m", "systems", "resolve", str(BREACH), "--seed", "3"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert record.read_text(encoding="utf-8") == here.stdout
    assert run("verify", record).stdout.startswith("same\n")

    compiled, plain = (
        json.loads(run("forecast", BREACH, "--battles", "200", *more).stdout) for more in ((), ("--plain",))
    )
    assert compiled | {"seconds": 0} == plain | {"seconds": 0}
    assert list((tmp_path / ".cache" / "muster" / "compiled").glob("muster_rules_meks_and_mercs_*.py"))

    refused = run("resolve", "nowhere.json")
    assert (refused.returncode, refused.stderr) == (2, "'nowhere.json': No such file or directory\n")
