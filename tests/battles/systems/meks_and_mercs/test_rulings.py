"""Every ruling names a test that is there."""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
RULINGS = HERE.parents[3] / "docs" / "rulings" / "meks-and-mercs.md"


def test_every_ruling_names_a_test_that_pins_it():
    entries = re.split(r"\n(?=\*\*\d+\. )", RULINGS.read_text(encoding="utf-8"))[1:]
    assert entries
    for entry in entries:
        named = re.findall(r"`((?:tests/[\w/]+/)?test_\w+\.py)::(test_\w+)`", entry)
        assert named, f"this ruling names no test: {entry.splitlines()[0]}"
        for file, test in named:
            path = HERE.parents[3] / file if file.startswith("tests/") else HERE / file
            assert f"def {test}(" in path.read_text(encoding="utf-8"), f"{file} has no {test}"
