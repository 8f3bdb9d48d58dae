"""Break the code on purpose, one place at a time, and list the breaks that no test notices.

`python -m tests.tools.mutate BREAKS.toml` works on a temporary copy of the tree. A break is a table:

    [[break]]
    file = "systems/meks_and_mercs/battle/rules/zone_combat.py"
    old = "face < 5"      # occurs once in the file
    new = "face < 4"
    tests = ["tests/systems/meks_and_mercs/battle/test_contact.py"]
"""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 600  # then a run counts as caught: the break has made something endless
OWN_PACKAGES = {"systems", "rosters", "battles", "campaigns", "config", "deploy", "benchmarks", "tests", "conftest"}
DATABASES = "test-databases"  # in var/: migrated once, copied by every run


@dataclass(frozen=True, slots=True)
class Break:
    """One change to the code, and the tests that should notice it."""

    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {_line(self.old)} -> {_line(self.new)}"


def read_breaks(path: Path) -> list[Break]:
    """Return the breaks in a file; raise ValueError if the old text of any doesn't occur exactly once."""
    found = [Break(**{**table, "tests": tuple(table["tests"])}) for table in tomllib.loads(path.read_text())["break"]]
    for each in found:
        if (ROOT / each.file).read_text(encoding="utf-8").count(each.old) != 1:
            raise ValueError(f"{each}: the old text doesn't occur exactly once in that file")
    return found


@contextmanager
def copy_of_the_tree() -> Iterator[Path]:
    """Yield a copy of the files that git knows, in their present state, with links to slow-to-build files."""
    with tempfile.TemporaryDirectory(prefix="muster-mutate-") as folder:
        copy = Path(folder)
        listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        for name in filter(None, listing.decode().split("\0")):
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
        (copy / "var").mkdir(exist_ok=True)
        (ROOT / "var" / DATABASES).mkdir(parents=True, exist_ok=True)
        (copy / "var" / DATABASES).symlink_to(ROOT / "var" / DATABASES)
        yield copy


def verdict(copy: Path, each: Break) -> str:
    """Return whether the tests notice the break: caught, survived or endless. The copy is restored."""
    path = copy / each.file
    whole = path.read_text(encoding="utf-8")
    _write(path, whole.replace(each.old, each.new))
    try:
        code = _tested(copy, each.tests)
    finally:
        _write(path, whole)
    return {0: "survived", 1: "caught", None: "caught (endless)"}.get(code, f"not asked: pytest ended with {code}")


def _write(path: Path, text: str) -> None:
    """Write the text and delete its bytecode: Python wouldn't notice a change of the same length within a second."""
    path.write_text(text, encoding="utf-8")
    if path.suffix == ".py":
        Path(cache_from_source(str(path))).unlink(missing_ok=True)


def _tested(copy: Path, tests: Sequence[str]) -> int | None:
    """Return pytest's exit code, or None if it was killed. It runs in a child, which shares the loaded libraries."""
    child = os.fork()
    if child == 0:
        signal.alarm(TIMEOUT)  # kills the child
        os.chdir(copy)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        sys.path[:] = [str(copy), *(place for place in sys.path if place and Path(place).resolve() != ROOT)]
        os.environ["MUSTER_VAR"] = str(copy / "var")
        for name in [name for name in sys.modules if name.partition(".")[0] in OWN_PACKAGES]:
            del sys.modules[name]
        os._exit(pytest.main(["-x", "-q", "-n", "0", "-p", "no:cacheprovider", *tests], plugins=[Uncompiled()]))
    _, status = os.waitpid(child, 0)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else None


class Uncompiled:
    """A plugin against compiling all rules in advance, because the cache lacks broken ones."""

    def pytest_collection_finish(self) -> None:
        odds = importlib.import_module("systems.simulation.odds")
        odds.is_warm = lambda slug: True  # type: ignore[attr-defined]


def read_libraries() -> None:
    """Import the libraries of a test session, so that every run has them already."""
    ask = "import pytest, sys; pytest.main(['--collect-only', '-q', 'tests/test_services.py']); print(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True)
    for name in done.stdout.splitlines()[-1].split():
        if name.partition(".")[0] not in OWN_PACKAGES:
            with suppress(Exception):  # modules that need Django's settings are imported by the run itself
                importlib.import_module(name)


def _line(text: str) -> str:
    return " ".join(text.split())


def main(arguments: Sequence[str]) -> int:
    """Print a line for each break; return 1 if any survived or couldn't be tested."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("breaks", type=Path)
    breaks = read_breaks(parser.parse_args(arguments).breaks)
    caught = 0
    read_libraries()
    with copy_of_the_tree() as copy:
        if _tested(copy, sorted({test for each in breaks for test in each.tests})) != 0:
            raise SystemExit("these tests fail without a break")
        for each in breaks:
            result = verdict(copy, each)
            caught += result.startswith("caught")
            sys.stdout.write(f"{result}: {each}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{caught} of {len(breaks)} were caught\n")
    return int(caught < len(breaks))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
