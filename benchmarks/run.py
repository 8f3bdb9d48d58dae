"""Runs the benchmarks of `make bench`, and prints ratios to a reference that is measured in the same run."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from benchmarks import engine, paper  # noqa: E402 - Django must be set up first


def main() -> None:
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for title, measure in (("Battles", engine.run), ("Paper", paper.run)):
        print(f"\n{title}")
        for line in measure():
            print(f"  {line}")
    print("\nPages", flush=True)
    subprocess.run([sys.executable, "-m", "benchmarks.pages"], check=False)  # with a site and a database of its own


if __name__ == "__main__":
    main()
