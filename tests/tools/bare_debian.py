"""Run `make run` or `make test` on a bare Debian, in a chroot.

    python -m tests.tools.bare_debian 12 run
    python -m tests.tools.bare_debian 13 test

Needs root, debootstrap and a network. The chroot holds Debian's minimal system, its own Python, make and git, and a
clean clone of the current commit; uncommitted changes aren't tested. It has its own processes and mounts, which end
with the command. Its folder in var/bare/ is made from scratch each time. It shares this machine's network, so its
servers take free ports.

`run` prints the seconds until the first page responds and stops Muster with Ctrl-C; `test` prints the output of make
and the seconds it took. Exits with 0 on success.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.services import free_port

ROOT = Path(__file__).parents[2]
SUITES = {"12": "bookworm", "13": "trixie"}
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
FIRST_PAGE_TIMEOUT = 900.0  # seconds
STOP_TIMEOUT = 60.0  # seconds
ENTER = """
set -e
mount --make-rprivate /
mount -t proc proc "$0/proc"
mount --rbind /dev "$0/dev"
exec chroot "$0" /bin/sh -c "cd /root/muster && $1"
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", choices=sorted(SUITES), help="the release of Debian")
    parser.add_argument("command", choices=("run", "test"))
    given = parser.parse_args()
    if os.geteuid() or not shutil.which("debootstrap"):
        parser.error("needs root and Debian's package debootstrap")
    folder = ROOT / "var" / "bare" / SUITES[given.release]
    shutil.rmtree(folder, ignore_errors=True)
    make_chroot(folder, SUITES[given.release])
    return make_run(folder) if given.command == "run" else make_test(folder)


def make_chroot(folder: Path, suite: str) -> None:
    """Make a bare Debian with Python, make and git, and a clean clone in /root/muster."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{suite}.log").open("w") as log:
        given = ["debootstrap", "--variant=minbase", "--include=ca-certificates,git,make,python3", suite, str(folder)]
        subprocess.run(given, stdout=log, stderr=subprocess.STDOUT, check=True)
    for name in (
        CERTIFICATES,
        "etc/resolv.conf",
        "etc/hosts",
    ):  # it uses this machine's network and certificates
        shutil.copy(Path("/") / name, folder / name)
    subprocess.run(["git", "clone", "--quiet", "--no-local", str(ROOT), str(folder / "root/muster")], check=True)


def enter(folder: Path, command: str, **settings: str) -> subprocess.Popen[bytes]:
    """Start a command in the chroot's clone, in separate namespaces for processes and mounts."""
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", **pip, **settings}
    entered = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, str(folder), command]
    return subprocess.Popen(entered, env=env, stdin=subprocess.DEVNULL, start_new_session=True)


def make_run(folder: Path) -> int:
    port, began = free_port(), time.monotonic()
    process = enter(folder, "exec make run", MUSTER_PORT=str(port))
    try:
        while not answers(f"http://127.0.0.1:{port}/"):
            if process.poll() is not None:
                print(f"make run ended with {process.returncode} before its first page")
                return 1
            if time.monotonic() - began > FIRST_PAGE_TIMEOUT:
                print(f"no page after {FIRST_PAGE_TIMEOUT:.0f} s")
                return 1
            time.sleep(0.2)
        print(f"first page after {time.monotonic() - began:.0f} s", flush=True)
        os.killpg(process.pid, signal.SIGINT)
        process.wait(STOP_TIMEOUT)  # make exits with 2 after Ctrl-C
        print("stopped with Ctrl-C")
        return 0
    finally:
        process.kill()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def make_test(folder: Path) -> int:
    began = time.monotonic()
    process = enter(folder, "exec make test")
    try:
        code = process.wait()
    finally:
        process.kill()
    print(f"make test ended with {code} after {time.monotonic() - began:.0f} s")
    return code


if __name__ == "__main__":
    sys.exit(main())
