"""docs/architecture.md lists the packages of each app on their floors."""

import re
import tomllib
from pathlib import Path

import pytest

from systems import PACKAGES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"


def floors_in_contracts(app):
    """Return the floors of the app's first `layers` contract, each a set of packages, top first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(each["layers"] for each in contracts if each.get("containers") == [app])
    return [set(re.findall(r"\w+", layer)) for layer in layers]


def floors_on_page(app):
    """Return the packages that each row of the app's table names, top first."""
    section = PAGE.read_text().split(f"\n## {app}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [set(re.findall(r"`(\w+)`", row)) for row in rows]


@pytest.mark.parametrize("app", ["campaigns", "battles", "rosters", "systems"])
def test_page_lists_every_package_on_its_floor(app):
    floors = floors_in_contracts(app)
    assert len(floors) > 5
    games = {package.rpartition(".")[2] for package in PACKAGES.values()}  # the page needn't name each
    floors, on_page = ([floor - games for floor in each] for each in (floors, floors_on_page(app)))
    assert on_page == floors, f"docs/architecture.md: the table of {app} differs from pyproject.toml"
