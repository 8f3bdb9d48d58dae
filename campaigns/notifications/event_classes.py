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
    do: str = "Look at it"  # text of its link
    route: str  # the page that it leads to
    place: tuple[str, ...] = ()  # the facts in the page's address
    to_strangers: bool = False  # also notifies players who aren't members of the club


CATEGORIES = (
    Category(slug="matches", name="Your matches", about="who you meet, and what waits for you: force, report, answer"),
    Category(slug="results", name="Results", about="how your matches ended, rounds that closed, gazettes"),
    Category(slug="campaigns", name="Campaigns", about="rounds that open, deadlines, beginnings and ends"),
    Category(slug="companies", name="Your companies", about="pilots who rose, changes made by others, enrolments"),
    Category(slug="clubs", name="Clubs", about="seats offered to you, answers to your requests, your role"),
    Category(slug="organising", name="Organising", about="what organisers and arbiters have to decide"),
)

MATCH, ROUND, CAMPAIGN = "campaigns:match", "campaigns:round", "campaigns:campaign"
FORCES = "campaigns:match_forces"


def public_title(occasion: EventType) -> str:
    """Return the title for readers who aren't addressed personally."""
    return occasion.aloud_title or occasion.title


CATEGORY_BY_SLUG: dict[str, Category] = {each.slug: each for each in CATEGORIES}
