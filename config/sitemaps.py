"""What search engines are told there is: pages that everybody may read, and nothing of anybody else's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from django.contrib.sitemaps import Sitemap
from django.urls import reverse

from battles.models import Battle
from campaigns.models import Campaign, Club, Gazette
from rosters.models import Company, Visibility
from rosters.site.jobs import JobStatus
from systems import ROSTERS

LATEST = 2_000  # of a kind: more than that nobody looks for
OPEN = {"is_public": True, "club__is_public": True}
if TYPE_CHECKING:
    Addresses = Sitemap[str]
else:
    Addresses = Sitemap


class Pages(Addresses):
    """The pages that a function finds."""

    def __init__(self, found: Callable[[], Sequence[str]]) -> None:
        self._found = found

    def items(self) -> Sequence[str]:
        return self._found()

    def location(self, item: str) -> str:
        return item


def _own() -> Sequence[str]:
    """What is there without anybody's doing."""
    listed = ("battles:battles", "rosters:companies", "rosters:designs", "rosters:scenarios", "campaigns:clubs")
    names = ("home", "battles:quick", "rosters:lab", "api-docs", *listed)
    designs = [
        reverse("rosters:design_published", args=[system, slug])
        for system, rules in ROSTERS.items()
        for slug in rules.published
    ]
    return [reverse(name) for name in names] + [reverse("rosters:rules", args=[slug]) for slug in ROSTERS] + designs


def _companies() -> Sequence[str]:
    rows = Company.objects.filter(visibility=Visibility.PUBLIC, disbanded_at=None).order_by("-pk")
    return [reverse("rosters:company", args=[pk]) for pk in rows.values_list("pk", flat=True)[:LATEST]]


def _clubs() -> Sequence[str]:
    rows = Club.objects.filter(is_public=True).order_by("-pk")
    return [reverse("campaigns:club", args=[slug]) for slug in rows.values_list("slug", flat=True)[:LATEST]]


def _campaigns() -> Sequence[str]:
    """Campaigns with their standings, and their gazettes."""
    rows = Campaign.objects.filter(**OPEN).exclude(state="draft").order_by("-pk").values_list("pk", flat=True)
    found = [reverse(f"campaigns:{page}", args=[pk]) for pk in rows[:LATEST] for page in ("campaign", "standings")]
    shown = {f"round__campaign__{name}": value for name, value in OPEN.items()}
    told = Gazette.objects.filter(**shown).order_by("-round").values_list("round__campaign", "round__number")
    return found + [reverse("campaigns:gazette", args=each) for each in told.distinct()[:LATEST]]


def _battles() -> Sequence[str]:
    rows = Battle.objects.filter(visibility=Visibility.PUBLIC, status=JobStatus.DONE).order_by("-pk")
    return [reverse("battles:battle", args=[key]) for key in rows.values_list("key", flat=True)[:LATEST]]


SITEMAPS = {
    found.__name__.removeprefix("_"): Pages(found) for found in (_own, _companies, _clubs, _campaigns, _battles)
}
