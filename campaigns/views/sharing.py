"""Feeds, calendars, pictures, a badge and a table of a campaign, for readers and pages elsewhere."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from csp.decorators import csp_replace
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Rss201rev2Feed
from django.utils.text import slugify
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import conditional_page, require_GET

from campaigns import policy
from campaigns.gazette.selectors import GazetteRow, editions_of, gazette_rows, gazette_sheet
from campaigns.icalendar import fixtures_calendar
from campaigns.models import Campaign
from campaigns.policy import is_open_to_all
from campaigns.shortcuts import CAMPAIGN, campaign_or_404
from campaigns.standings.selectors import standings
from rosters.open_graph import MAX_ROWS, SIGNAL, PreviewImage, PreviewRow, badge_response, preview_response
from systems.text import pluralize, printable_text

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


def embed_codes(request: HttpRequest, campaign: Campaign) -> list[tuple[str, str]]:
    """Return the code that shows the standings on another page; nothing for campaigns that aren't open to all."""
    if not _is_public(campaign):
        return []
    page, badge, frame = (
        request.build_absolute_uri(reverse(f"campaigns:{name}", args=[campaign.pk]))
        for name in ("standings", "standings_badge", "standings_embed")
    )
    return [
        ("the table, in a frame", f'<iframe src="{frame}" title="Standings" width="480" height="320"></iframe>'),
        ("a badge, in HTML", f'<a href="{page}"><img src="{badge}" alt="Standings" height="24"></a>'),
        ("a badge, in Markdown", f"[![Standings]({badge})]({page})"),
    ]


@require_GET
def standings_picture(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Return a picture of the top of the table."""
    campaign = campaign_or_404(request, pk)
    plate = PreviewImage(
        kicker=f"Standings · {campaign.club.name}",
        title=campaign.name,
        rows=tuple(
            PreviewRow(f"{each.row.place}. {each.row.name}", str(each.row.points), each.colour, each.row.place == 1)
            for each in standings(campaign)[:MAX_ROWS]
        ),
        foot=str(campaign.get_state_display()),
    )
    return preview_response(request, plate, is_public=_is_public(campaign))


@require_GET
def gazette_picture(request: HttpRequest, pk: int, number: int) -> HttpResponseBase:
    """Return a picture of a round's front page: its headline and results."""
    campaign = campaign_or_404(request, pk)
    editions = editions_of(campaign, number)
    if not editions:
        raise Http404("No such gazette")
    sheet = gazette_sheet(editions[0])
    plate = PreviewImage(
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
    return preview_response(request, plate, is_public=_is_public(campaign))


@require_GET
def standings_badge(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a badge with the leader of the campaign."""
    campaign = campaign_or_404(request, pk)
    first = next((each for each in standings(campaign) if each.row.played), None)
    status = f"led by {first.row.name}, {pluralize(first.row.points, 'points')}" if first else "nobody leads yet"
    return badge_response(campaign.name, status, SIGNAL, is_public=_is_public(campaign))


@xframe_options_exempt
@require_GET
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # typed for views without arguments
def standings_embed(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the table alone, for a frame on a club's own page; only for campaigns that are open to all."""
    campaign = campaign_or_404(request, pk)
    if not _is_public(campaign):
        raise Http404("No such campaign")
    context = {
        "campaign": campaign,
        "rows": standings(campaign),
    }
    response = render(request, "campaigns/standings_embed.html", context)
    response["Cache-Control"] = "public, max-age=60"
    return response


def _is_public(campaign: Campaign) -> bool:
    """Return whether non-members can see the campaign as it is; only organisers see a draft."""
    return campaign.state != "draft" and is_open_to_all(campaign)
