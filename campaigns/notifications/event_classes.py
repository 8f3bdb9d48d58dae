"""The classes of event types and their categories, and the list of categories."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """Event types that share one notification setting."""

    slug: str
    name: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventType:
    """A type of event in clubs and campaigns."""

    slug: str
    category: str
    title: str  # of a mail, and in the list
    when: str  # for readers of the docs
    to: str  # who is notified, likewise
    says: str  # the sentence for a reader
    aloud: str = ""  # the sentence for the club's webhooks; empty: not sent to them
    aloud_title: str = ""  # where `title` suits only the reader
    do: str = "Open"  # text of its link
    route: str  # the page that it leads to
    place: tuple[str, ...] = ()  # the facts in the page's address
    to_strangers: bool = False  # also notifies players who aren't members of the club


CATEGORIES = (
    Category(slug="matches", name="Your matches", about="opponents, lists, reports and dates"),
    Category(slug="results", name="Results", about="results of your matches, closed rounds, gazettes"),
    Category(slug="campaigns", name="Campaigns", about="rounds, deadlines, starts and finishes"),
    Category(slug="companies", name="Your companies", about="promotions, changes made by others, sign-ups"),
    Category(slug="clubs", name="Clubs", about="invitations, answers to your requests, your role"),
    Category(slug="organising", name="Organising", about="decisions for organisers and arbiters"),
)

MATCH, ROUND, CAMPAIGN = "campaigns:match", "campaigns:round", "campaigns:campaign"
FORCES = "campaigns:match_forces"


def public_title(occasion: EventType) -> str:
    """Return the title for readers who aren't addressed personally."""
    return occasion.aloud_title or occasion.title


CATEGORY_BY_SLUG: dict[str, Category] = {each.slug: each for each in CATEGORIES}
