"""Test the uses of private interfaces with the newest Django, WeasyPrint and numba: `make canary`.

A separate environment in var/canary/ is made from scratch with the newest Python on this machine (or PYTHON): first the
pinned packages, then the newest releases of these three, whatever other packages require. Each library's tests run
separately; those of Django on SQLite. Exits with 1 if any failed. The pins don't change.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "var" / "canary"
PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11")
TESTS = {  # by library: the modules that use its private interfaces, and their tests
    "django": (
        "rosters/database/queries.py",
        ("tests/rosters/test_precompiled_queries.py",),
    ),
    "weasyprint": (
        "rosters/paper/weasyprint_inside.py",
        ("tests/rosters/paper/test_weasyprint_inside.py", "tests/rosters/paper/test_drawing.py"),
    ),
    "numba": (
        "systems/engine/compiler.py, runner.py",
        ("tests/systems/engine/test_runner.py", "tests/battles/test_compiled_memory.py"),
    ),
}
SUMMARY = re.compile(r"^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in .*$", re.MULTILINE)


def newest_python() -> str:
    """Return the Python to use: PYTHON, or the newest on this machine that runs."""
    for name in (os.environ.get("PYTHON", ""), *PYTHONS):
        if name and shutil.which(name) and not subprocess.run([name, "-c", ""], capture_output=True).returncode:
            return name
    return sys.executable


def make_environment(python: str) -> Path:
    """Make the environment with the newest releases of the three libraries; return its Python."""
    subprocess.run([python, "-m", "venv", "--clear", FOLDER], check=True)
    own = FOLDER / "bin" / "python"
    pip = [own, "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    install(*pip, "-r", ROOT / "requirements-dev.txt")
    install(*pip, "--upgrade", *TESTS)  # pip warns if another package requires an older one, and installs it anyway
    return own


def install(*command: str | Path) -> None:
    """Run pip; show its output only if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise SystemExit(f"{done.stdout}\ncanary: the packages could not be installed, see above")


def pinned(library: str) -> str:
    """Return the version in requirements.txt."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return next(line.partition("==")[2] for line in lines if line.startswith(f"{library}=="))


def installed(python: Path, library: str) -> str:
    asks = "import sys; from importlib.metadata import version; print(version(sys.argv[1]))"
    return subprocess.run([python, "-c", asks, library], capture_output=True, text=True, check=True).stdout.strip()


def run_tests(python: Path, library: str) -> tuple[bool, str]:
    """Run a library's tests; return whether they passed, and pytest's summary."""
    _, tests = TESTS[library]
    command = [
        python,
        "-m",
        "pytest",
        "-o",
        "addopts=--strict-markers -m 'not proof'",
        "-p",
        "no:cacheprovider",
        *tests,
    ]
    # SQLite needs no server, but skips tests that use no database
    database = "sqlite" if library == "django" else "postgres"
    environment = os.environ | {"MUSTER_TEST_DATABASE": database}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    log = FOLDER / f"{library}.log"
    log.write_text(done.stdout + done.stderr, encoding="utf-8")
    found = SUMMARY.findall(done.stdout)
    summary = found[-1] if found else "did not start"
    return done.returncode == 0, summary if done.returncode == 0 else f"{summary}; see {log.relative_to(ROOT)}"


def main() -> int:
    name = newest_python()
    print(f"canary: making var/canary with {name}, which takes a minute or two ...", flush=True)
    python = make_environment(name)
    asks = "import platform; print(platform.python_version())"
    version = subprocess.run([python, "-c", asks], capture_output=True, text=True, check=True).stdout.strip()
    print(f"canary: Python {version}")
    all_passed = True
    for library, (inside, _) in TESTS.items():
        has_passed, summary = run_tests(python, library)
        all_passed &= has_passed
        before, now = pinned(library), installed(python, library)
        which = f"{now}, the pinned one" if now == before else f"{now}, pinned {before}"
        print(f"canary: {'ok    ' if has_passed else 'FAILED'} {library} {which}: {summary} ({inside})", flush=True)
    return 0 if all_passed else 1


if __name__ == "__main__":
    raise SystemExit(main())
