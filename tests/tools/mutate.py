"""Break the code on purpose, one place at a time, and list the breaks that no test notices.

`python -m tests.tools.mutate BREAKS.toml` works on a temporary copy of the tree. A break is a table:

    [[break]]
    file = "systems/meks_and_mercs/battle/rules/zone_combat.py"
    old = "face < 5"      # occurs once in the file
    new = "face < 4"
    tests = ["tests/systems/meks_and_mercs/battle/test_contact.py"]

Only tests of `make test` count. Those that noticed a break are run at the end without one, to show that they pass then.
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
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS_THAT_COUNT = "not slow and not proof"  # those of `make test`
TIMEOUT = 600  # then a run counts as caught: the break has made something endless
OWN_PACKAGES = {"systems", "rosters", "battles", "campaigns", "config", "deploy", "benchmarks", "tests", "conftest"}
DATABASES = "test-databases"  # in var/: migrated once, copied by every run
COMPILED = "compiled"  # in var/: the rules as machine code, in files named by their contents


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
        if (ROOT / "var" / COMPILED).is_dir():
            shutil.copytree(ROOT / "var" / COMPILED, copy / "var" / COMPILED)
        yield copy


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the tests noticed a break: caught, survived, endless or not asked."""

    text: str
    noticed_by: str  # the first test that failed; empty if none did

    def __str__(self) -> str:
        return f"{self.text} by {self.noticed_by}" if self.noticed_by else self.text


def verdict(copy: Path, each: Break) -> Verdict:
    """Return whether the tests notice the break. The copy is restored."""
    path = copy / each.file
    whole = path.read_text(encoding="utf-8")
    _write(path, whole.replace(each.old, each.new))
    try:
        code, failed = _tested(copy, each.tests)
    finally:
        _write(path, whole)
    texts = {0: "survived", 1: "caught", None: "caught (endless)"}
    return Verdict(texts.get(code, f"not asked: pytest ended with {code}"), failed if code == 1 else "")


def _write(path: Path, text: str) -> None:
    """Write the text and delete its bytecode: Python wouldn't notice a change of the same length within a second."""
    path.write_text(text, encoding="utf-8")
    if path.suffix == ".py":
        Path(cache_from_source(str(path))).unlink(missing_ok=True)


def _tested(copy: Path, tests: Sequence[str]) -> tuple[int | None, str]:
    """Return pytest's exit code, and the test that failed. The code is None after the timeout, negative after a crash.

    It runs in a child, which shares the loaded libraries.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(TIMEOUT)  # kills the child
        os.close(reading)
        os.chdir(copy)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        sys.path[:] = [str(copy), *(place for place in sys.path if place and Path(place).resolve() != ROOT)]
        os.environ["MUSTER_VAR"] = str(copy / "var")
        for name in [name for name in sys.modules if name.partition(".")[0] in OWN_PACKAGES]:
            del sys.modules[name]
        options = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", TESTS_THAT_COUNT]
        os._exit(pytest.main([*options, *tests], plugins=[Watching(writing)]))
    os.close(writing)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        failed = pipe.readline().strip()
    code = os.waitstatus_to_exitcode(status)
    return (None if code == -signal.SIGALRM else code), failed


class Watching:
    """A plugin that reports the failed tests, and compiles no rules in advance: the cache lacks broken ones."""

    def __init__(self, writing: int) -> None:
        self.writing = writing

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os.write(self.writing, f"{report.nodeid}\n".encode())

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            os.write(self.writing, f"{report.nodeid}\n".encode())

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
    noticed_by: set[str] = set()
    read_libraries()
    with copy_of_the_tree() as copy:
        for each in breaks:
            began = time.monotonic()
            result = verdict(copy, each)
            caught += result.text.startswith("caught")
            noticed_by |= {result.noticed_by} - {""}
            sys.stdout.write(f"{result}: {each} ({time.monotonic() - began:.0f} s)\n")
            sys.stdout.flush()
        if noticed_by and (failed := _tested(copy, sorted(noticed_by))[1]):
            raise SystemExit(f"this test fails without a break: {failed}")
    sys.stdout.write(f"{caught} of {len(breaks)} were caught\n")
    return int(caught < len(breaks))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
