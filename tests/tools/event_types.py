"""Write docs/occasions.md from the list of event types: `python -m tests.tools.event_types`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from campaigns.notifications.event_classes import CATEGORIES, EventType
from campaigns.notifications.event_types import EVENT_TYPES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "occasions.md"
HEAD = """# Notifications and webhook events

Every event that Muster notifies players about or sends to webhooks. `python -m tests.tools.event_types` writes this page from
`campaigns/notifications/event_types.py`.

- Muster fills in the words in braces: `{campaign}` becomes the campaign's name. Words that end in `_at` become times in the reader's time zone.
- A club's [webhooks](webhooks.md) send the webhook text. Events without one only go to the player.
- Players aren't notified of what they did themselves, or of anything in a club they've left.

## Channels

| channel | who gets it |
|---|---|
| the notifications page | everyone, always |
| mail | players who choose it for a category: immediately, or in a digest |
| push | players who choose it for a category, on up to ten browsers. They add a browser in the notification settings. Signing out removes it |

## Push notifications

- Each message is encrypted for one browser (RFC 8291) and signed with the site's key (RFC 8292).
- The site's key and the browsers' addresses are encrypted in the database with `MUSTER_DICE_KEY`. Backups contain all of these; a database dump alone isn't enough to send anything.
- Like webhooks, push messages only go to https addresses outside internal networks.
- If a push service doesn't answer, Muster tries again for a day. After a 404 or 410 it removes the browser.
- If a push service changes a browser's address, the service worker tells the site. This only works if the player is signed in there and hasn't removed the browser.
- A notification isn't shown if it has been read, or if its reader has left the club. If one arrives twice, the second replaces the first.

The code is in `campaigns/notifications/web_push.py`, `static/js/push.js` and the service worker.
"""


def occasions_page() -> str:
    """Return the whole page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield HEAD
    for category in CATEGORIES:
        yield f"## {category.name}\n\n{category.about.capitalize()}.\n"
        yield "| event | when | who is notified | text | webhook text |\n|---|---|---|---|---|"
        yield from (_row(each) for each in EVENT_TYPES.values() if each.category == category.slug)
        yield ""


def _row(each: EventType) -> str:
    aloud = each.aloud or "-"
    return f"| `{each.slug}` | {each.when} | {each.to} | **{each.title}.** {each.says} | {aloud} |"


if __name__ == "__main__":
    PAGE.write_text(occasions_page(), encoding="utf-8")
