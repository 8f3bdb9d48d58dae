"""docs/occasions.md, from the list of occasions. `python -m tests.tools.occasions` rewrites it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from campaigns.notifications.event_classes import CATEGORIES, EventType
from campaigns.notifications.event_types import EVENT_TYPES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "occasions.md"
HEAD = """# Occasions

What comes about in clubs and campaigns that somebody is told of. This page is written by `python -m tests.tools.occasions` from the one list that inbox, mail
and webhooks go by (`campaigns/notifications/event_types.py`).

A word in braces stands for a fact: `{campaign}` is the campaign's name, and what ends in `_at` is a time, told in the reader's zone. Who did the thing himself is
not told of it, nor who has left the club since. "Aloud" is what a club's webhooks say; occasions without it are between Muster and the reader alone.

**Ways.** Everything stands in the inbox. Of each category a player chooses mail at once, or a digest, or neither; and, beside that, whether his devices show
it as a notice. Both are off until he chooses. A browser is added by a press on "How you hear of things", and asks for leave itself; ten of a player at most,
and signing out ends it there. A notice is encrypted for that browser alone (RFC 8291) and signed with the site's own key (RFC 8292), both by libraries; that
key, and the addresses and keys of browsers, lie in the database under the key for sealed dice, so backups carry them and a dump alone sends nothing. It goes
by the guard that webhooks go by: https, and to no machine of an inside network. A push service that is away is tried again for a day; 404 and 410 drop the
browser. An address that the push service changes is told to the site by the worker, as long as its reader is signed in there; a browser that he stopped stays
stopped. A letter that was read, or whose reader left the club meanwhile, is not shown. Sent a second time, because an answer was lost, it takes the place of
the first on the screen. Code: `campaigns/pushes/`, `static/js/push.js`, and the worker.
"""


def occasions_page() -> str:
    """The whole page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield HEAD
    for category in CATEGORIES:
        yield f"## {category.name}\n\n{category.about.capitalize()}.\n"
        yield "| occasion | when | who is told | words | aloud |\n|---|---|---|---|---|"
        yield from (_row(each) for each in EVENT_TYPES.values() if each.category == category.slug)
        yield ""


def _row(each: EventType) -> str:
    aloud = each.aloud or "-"
    return f"| `{each.slug}` | {each.when} | {each.to} | **{each.title}.** {each.says} | {aloud} |"


if __name__ == "__main__":
    PAGE.write_text(occasions_page(), encoding="utf-8")
