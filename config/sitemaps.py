"""Sitemaps for search engines. They list only pages that everybody may read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from django.contrib.sitemaps import Sitemap
from django.urls import reverse

from battles.models import Battle
from campaigns.models import Campaign, Club, Gazette
from rosters.jobs import JobStatus
from rosters.models import Company, Visibility
from systems import ROSTERS

LATEST = 2_000  # the newest pages of each kind; the sitemap has no more
OPEN = {"is_public": True, "club__is_public": True}
OF_A_GAME = ("rosters:rules", "campaigns:balance")
Address = tuple[str, *tuple[object, ...]]  # the name of its route, and its arguments
if TYPE_CHECKING:
    Addresses = Sitemap[Address]
else:
    Addresses = Sitemap


class Pages(Addresses):
    """A sitemap of the addresses that a function returns."""

    limit = 300  # addresses per file

    def __init__(self, found: Callable[[], Sequence[Address]]) -> None:
        self._found = found

    def items(self) -> Sequence[Address]:
        return self._found()

    def location(self, item: Address) -> str:
        name, *args = item
        return reverse(name, args=args)


def _own() -> Sequence[Address]:
    """Return the pages that every site has."""
    lists = ("battles:battles", "rosters:companies", "rosters:designs", "rosters:scenarios", "campaigns:clubs")
    names = ("home", "battles:quick-battle", "rosters:lab", "api-docs", *lists)
    designs = [
        ("rosters:design_published", system, slug) for system, rules in ROSTERS.items() for slug in rules.published
    ]
    return [(name,) for name in names] + [(name, slug) for name in OF_A_GAME for slug in ROSTERS] + designs


def _companies() -> Sequence[Address]:
    rows = Company.objects.filter(visibility=Visibility.PUBLIC, disbanded_at=None).order_by("-pk")
    return [("rosters:company", pk) for pk in rows.values_list("pk", flat=True)[:LATEST]]


def _clubs() -> Sequence[Address]:
    rows = Club.objects.filter(is_public=True).order_by("-pk")
    return [("campaigns:club", slug) for slug in rows.values_list("slug", flat=True)[:LATEST]]


def _campaigns() -> Sequence[Address]:
    """Return the pages of public campaigns: campaign, standings and gazettes."""
    rows = Campaign.objects.filter(**OPEN).exclude(state="draft").order_by("-pk").values_list("pk", flat=True)
    found = [(f"campaigns:{page}", pk) for pk in rows[:LATEST] for page in ("campaign", "standings")]
    open_rounds = {f"round__campaign__{name}": value for name, value in OPEN.items()}
    gazettes = Gazette.objects.filter(**open_rounds).order_by("-round").values_list("round__campaign", "round__number")
    return found + [("campaigns:gazette", *each) for each in gazettes.distinct()[:LATEST]]


def _battles() -> Sequence[Address]:
    rows = Battle.objects.filter(visibility=Visibility.PUBLIC, status=JobStatus.DONE).order_by("-pk")
    return [("battles:battle", key) for key in rows.values_list("key", flat=True)[:LATEST]]


SITEMAPS = {
    found.__name__.removeprefix("_"): Pages(found) for found in (_own, _companies, _clubs, _campaigns, _battles)
}
