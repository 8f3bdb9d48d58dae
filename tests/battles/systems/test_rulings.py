"""Every ruling names a test that is there."""

import re
from pathlib import Path

import pytest

from battles.systems import SYSTEMS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_ruling_names_a_test_that_pins_it(slug):
    page, folder = ROOT / "docs" / "rulings" / f"{slug}.md", HERE / slug.replace("-", "_")
    entries = re.split(r"\n(?=\*\*\d+\. )", page.read_text(encoding="utf-8"))[1:]
    assert entries
    for entry in entries:
        named = re.findall(r"`((?:tests/[\w/]+/)?test_\w+\.py)::(test_\w+)`", entry)
        assert named, f"this ruling names no test: {entry.splitlines()[0]}"
        for file, test in named:
            path = ROOT / file if file.startswith("tests/") else folder / file
            assert f"def {test}(" in path.read_text(encoding="utf-8"), f"{file} has no {test}"
