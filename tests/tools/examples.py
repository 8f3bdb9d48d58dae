"""Worked examples and exact chances of the ledger, and the tests that hold them. `python -m tests.tools.examples` rewrites the list."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
LIST = TESTS.parent / "docs" / "rulings" / "meks-and-mercs-examples.md"
EXAMPLES = [f"MM-X{number:02}" for number in range(1, 46)] + [f"MM-P{number:02}" for number in range(1, 22)]
HEAD = """# Worked examples and exact chances: Meks & Mercs

Every worked example (X) and every exact chance (P) of the rules ledger, and the tests that work it. Written by `python -m tests.tools.examples`.

| example | tests, under `tests/` |
|---|---|
"""


def examples_worked() -> dict[str, list[str]]:
    """Example -> the tests that say they work it: `def test_x10_...` or `def test_...:  # MM-X10`."""
    found: dict[str, list[str]] = {example: [] for example in EXAMPLES}
    for path in sorted(TESTS.rglob("test_*.py")):
        for name, comment in re.findall(
            r"^def (test_\w+)\(.*?\)(?: -> None)?:(.*)$", path.read_text(encoding="utf-8"), re.M
        ):
            named = re.match(r"test((?:_[xp]\d\d)+)_", name)
            numbers = [f"MM-{part.upper()}" for part in named[1].split("_")[1:]] if named else []
            for example in {*numbers, *re.findall(r"MM-[XP]\d\d", comment)}:
                found[example].append(f"{path.relative_to(TESTS)}::{name}")
    return found


def list_text() -> str:
    """The list, byte for byte."""
    rows = (
        f"| {example} | {', '.join(f'`{test}`' for test in tests)} |\n" for example, tests in examples_worked().items()
    )
    return HEAD + "".join(rows)


if __name__ == "__main__":
    LIST.write_text(list_text(), encoding="utf-8")
