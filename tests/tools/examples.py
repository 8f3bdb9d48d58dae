"""Worked examples and exact chances of rulebooks, and their tests: `python -m tests.tools.examples` writes the lists."""

import re
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
DOCS = TESTS.parent / "docs" / "rulings"


@dataclass(frozen=True)
class Book:
    """The examples for one game. Tests in its system's folder may name them without the prefix."""

    name: str
    package: str
    prefix: str
    examples: tuple[str, ...]
    list: Path


BOOKS = (
    Book(
        "Meks & Mercs",
        "meks_and_mercs",
        "MM",
        (*(f"X{number:02}" for number in range(1, 46)), *(f"P{number:02}" for number in range(1, 22))),
        DOCS / "meks-and-mercs-examples.md",
    ),
)
HEAD = """# Tested examples: {name}

The worked examples (X) and exact chances (P, E) of the rules, and the test for each one. `python -m tests.tools.examples` writes this page.

| example | tests, under `tests/` |
|---|---|
"""


def examples_worked(book: Book) -> dict[str, list[str]]:
    """Return the tests of each example: `def test_x10_...` in its system's folder, or `def test_...:  # MM-X10`."""
    found: dict[str, list[str]] = {f"{book.prefix}-{example}": [] for example in book.examples}
    kinds = "".join(sorted({example[0] for example in book.examples}))
    for path in sorted(TESTS.rglob("test_*.py")):
        is_own = book.package in path.parts
        for name, comment in re.findall(
            r"^def (test_\w+)\(.*?\)(?: -> None)?:(.*)$", path.read_text(encoding="utf-8"), re.M
        ):
            named = re.match(rf"test((?:_[{kinds.lower()}]\d\d)+)_", name) if is_own else None
            numbers = [f"{book.prefix}-{part.upper()}" for part in named[1].split("_")[1:]] if named else []
            for example in {*numbers, *re.findall(rf"{book.prefix}-[{kinds}]\d\d", comment)}:
                found[example].append(f"{path.relative_to(TESTS)}::{name}")
    return found


def list_text(book: Book) -> str:
    """Return the exact text of the list."""
    rows = (
        f"| {example} | {', '.join(f'`{test}`' for test in tests)} |\n"
        for example, tests in examples_worked(book).items()
    )
    return HEAD.format(name=book.name) + "".join(rows)


if __name__ == "__main__":
    for book in BOOKS:
        book.list.write_text(list_text(book), encoding="utf-8")
