"""Write docs/occasions.md from the list of event types: `python -m tests.tools.event_types`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from campaigns.notifications.event_classes import CATEGORIES, EventType
from campaigns.notifications.event_types import EVENT_TYPES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "occasions.md"
HEAD = """# Notification events

The events in clubs and campaigns that Muster notifies players of. `python -m tests.tools.event_types` writes this page from the list that notifications, mails
and webhooks use (`campaigns/notifications/event_types.py`).

A word in braces stands for a fact: `{campaign}` is the campaign's name, and a fact ending in `_at` is a time, shown in the reader's time zone. Players aren't
notified of what they did themselves, nor of a club that they have left. A club's webhooks send the webhook text; events without one go to the player only.

## Channels

- **Page.** Every notification is on the notifications page.
- **Mail.** For each category, players choose mail at once, a digest or neither. It is off by default.
- **Push.** For each category, players choose whether their devices show a push notification. It is off by default. Players add browsers in the notification
  settings, ten at most; the browser asks for permission. Signing out removes the browser.

## Push notifications

- Each is encrypted for one browser (RFC 8291) and signed with the site's key (RFC 8292), both by libraries.
- The site's key, and the addresses and keys of browsers, are encrypted in the database with the key for sealed dice. Backups contain them; a database dump
  alone can't send anything.
- The same guard as for webhooks applies: https only, and no address in an internal network.
- If a push service doesn't respond, Muster tries again for a day. After a 404 or 410 it removes the browser.
- If the push service changes a browser's address, the service worker tells the site, as long as the player is signed in there. A browser that the player has
  stopped stays stopped.
- A notification that has been read, or whose reader has left the club, isn't shown. One that is sent twice, because a response was lost, replaces the first on
  the screen.

Code: `campaigns/notifications/web_push.py`, `static/js/push.js`, and the service worker.
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
