"""The feed of the gazettes, the calendar of the fixtures, and the picture of a front page."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.feedgenerator import Rss201rev2Feed
from django.utils.text import slugify
from django.views.decorators.http import conditional_page, require_GET

from campaigns import policy
from campaigns.gazette.selectors import GazetteRow, editions_of, gazette_rows, gazette_sheet
from campaigns.icalendar import fixtures_calendar
from campaigns.models import Campaign
from campaigns.shortcuts import CAMPAIGN, campaign_or_404
from rosters.open_graph import MAX_ROWS, PreviewImage, PreviewRow, preview_response
from systems.text import printable_text

MAX_ROUNDS = 30  # rounds in the feed
FeedItem = tuple[Campaign, GazetteRow]


class GazetteFeed(Feed):
    """The gazettes of a campaign as RSS, the newest round first."""

    feed_type = Rss201rev2Feed
    language = "en"
    item_guid_is_permalink = False

    def __call__(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return _private(super().__call__(request, *args, **kwargs))

    def get_object(self, request: HttpRequest, pk: int) -> Campaign:
        return _campaign(request, pk)

    def title(self, obj: Campaign) -> str:
        return printable_text(f"Gazette of {obj.name}")

    def description(self, obj: Campaign) -> str:
        return printable_text(f"What the rounds of {obj.name} came to. A campaign of {obj.club.name}.")

    def link(self, obj: Campaign) -> str:
        return reverse("campaigns:gazettes", args=[obj.pk])

    def items(self, obj: Campaign) -> list[FeedItem]:
        return [(obj, line) for line in gazette_rows(obj, most=MAX_ROUNDS)]

    def item_title(self, item: FeedItem) -> str:
        _, line = item
        edition = f", edition {line.edition}" if line.edition > 1 else ""
        return printable_text(f"Round {line.number}{edition}: {line.headline}")

    def item_description(self, item: FeedItem) -> str:
        return printable_text(item[1].lead)

    def item_link(self, item: FeedItem) -> str:
        campaign, line = item
        return reverse("campaigns:gazette", args=[campaign.pk, line.number])

    def item_guid(self, item: FeedItem) -> str:
        campaign, line = item
        return f"muster-gazette-{campaign.pk}-{line.number}-{line.edition}"

    def item_pubdate(self, item: FeedItem) -> datetime:
        return item[1].at


@require_GET
def feed(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the gazettes as RSS."""
    return GazetteFeed()(request, pk=pk)


@require_GET
@conditional_page
def calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the fixtures of the open rounds as iCalendar; `company` limits them to one company's."""
    campaign = _campaign(request, pk)
    company = _company(campaign, request.GET.get("company", ""))

    def match_url(key: UUID) -> str:
        return request.build_absolute_uri(reverse("campaigns:match", args=[key]))

    body = fixtures_calendar(campaign, company=company, match_url=match_url)
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{slugify(campaign.name) or "fixtures"}.ics"'
    return _private(response)


def _campaign(request: HttpRequest, pk: int) -> Campaign:
    """Return the campaign if the reader, or the member whose key is in the link, may see it."""
    campaign = CAMPAIGN.row(pk=pk)
    if campaign is None:
        raise Http404("No such campaign")
    holder = policy.holder_of_key(request.GET.get("key", ""), campaign.club)
    if not policy.can_see_campaign(holder or request.user, campaign):
        raise Http404("No such campaign")
    return campaign


def _company(campaign: Campaign, given: str) -> int | None:
    if not given:
        return None
    company = int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
    if not campaign.enrolments.filter(company=company).exists():
        raise Http404("No such company in this campaign")
    return company


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, max-age=300"
    return response


@require_GET
def gazette_picture(request: HttpRequest, pk: int, number: int) -> HttpResponseBase:
    """Return a picture of a round's front page: its headline and results."""
    campaign = campaign_or_404(request, pk)
    editions = editions_of(campaign, number)
    if not editions:
        raise Http404("No such gazette")
    sheet = gazette_sheet(editions[0])
    image = PreviewImage(
        kicker=f"{campaign.name} Gazette · Round {sheet.number}",
        title=sheet.headline,
        rows=tuple(
            PreviewRow(
                f"{line.attacker.name} against {line.defender.name}" if line.defender else line.attacker.name,
                line.word,
            )
            for line in sheet.content.results[: MAX_ROWS - 1]
        ),
        foot=campaign.club.name,
    )
    return preview_response(request, image, is_public=policy.can_anyone_see_campaign(campaign))
