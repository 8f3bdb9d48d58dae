"""Every ruling names a test that is there."""

import re
from pathlib import Path

import pytest

from systems import BATTLES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


@pytest.mark.parametrize("slug", BATTLES)
def test_every_ruling_names_a_test_that_pins_it(slug):
    package = slug.replace("-", "_")
    page, folder = ROOT / "systems" / package / "rulings.md", HERE / package / "battle"
    entries = re.split(r"\n(?=\*\*\d+\. )", page.read_text(encoding="utf-8"))[1:]
    assert entries
    for entry in entries:
        named = re.findall(r"`((?:tests/[\w/]+/)?test_\w+\.py)::(test_\w+)`", entry)
        assert named, f"this ruling names no test: {entry.splitlines()[0]}"
        for file, test in named:
            path = ROOT / file if file.startswith("tests/") else folder / file
            assert f"def {test}(" in path.read_text(encoding="utf-8"), f"{file} has no {test}"
