"""docs/occasions.md, from the list of occasions. `python -m tests.tools.occasions` rewrites it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from campaigns.occasions.declared import CATEGORIES, OCCASIONS, Occasion

PAGE = Path(__file__).resolve().parents[2] / "docs" / "occasions.md"
HEAD = """# Occasions

What comes about in clubs and campaigns that somebody is told of. This page is written by `python -m tests.tools.occasions` from the one list that inbox, mail
and webhooks go by (`campaigns/occasions/declared.py`).

A word in braces stands for a fact: `{campaign}` is the campaign's name, and what ends in `_at` is a time, told in the reader's zone. Who did the thing himself is
not told of it, nor who has left the club since. "Aloud" is what a club's webhooks say; occasions without it are between Muster and the reader alone.
"""


def occasions_page() -> str:
    """The whole page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield HEAD
    for category in CATEGORIES:
        yield f"## {category.name}\n\n{category.about.capitalize()}.\n"
        yield "| occasion | when | who is told | words | aloud |\n|---|---|---|---|---|"
        yield from (_row(each) for each in OCCASIONS.values() if each.category == category.slug)
        yield ""


def _row(each: Occasion) -> str:
    aloud = each.aloud or "-"
    return f"| `{each.slug}` | {each.when} | {each.to} | **{each.title}.** {each.says} | {aloud} |"


if __name__ == "__main__":
    PAGE.write_text(occasions_page(), encoding="utf-8")
