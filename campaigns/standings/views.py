"""The standings on other pages: a picture, a badge, and a table for a frame."""

from __future__ import annotations

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET

from campaigns.models import Campaign
from campaigns.policy import can_anyone_see_campaign
from campaigns.shortcuts import campaign_or_404
from campaigns.standings.selectors import standings
from rosters.open_graph import MAX_ROWS, SIGNAL, PreviewImage, PreviewRow, badge_response, preview_response
from systems.text import pluralize


def embed_codes(request: HttpRequest, campaign: Campaign) -> list[tuple[str, str]]:
    """Return the code that shows the standings on another page; nothing for campaigns that aren't open to all."""
    if not can_anyone_see_campaign(campaign):
        return []
    page, badge, frame = (
        request.build_absolute_uri(reverse(f"campaigns:{name}", args=[campaign.pk]))
        for name in ("standings", "standings_badge", "standings_embed")
    )
    return [
        ("standings (HTML frame)", f'<iframe src="{frame}" title="Standings" width="480" height="320"></iframe>'),
        ("badge (HTML)", f'<a href="{page}"><img src="{badge}" alt="Standings" height="24"></a>'),
        ("badge (Markdown)", f"[![Standings]({badge})]({page})"),
    ]


@require_GET
def standings_picture(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Return a picture of the top of the table."""
    campaign = campaign_or_404(request, pk)
    image = PreviewImage(
        kicker=f"Standings · {campaign.club.name}",
        title=campaign.name,
        rows=tuple(
            PreviewRow(f"{each.row.place}. {each.row.name}", str(each.row.points), each.colour, each.row.place == 1)
            for each in standings(campaign)[:MAX_ROWS]
        ),
        foot=str(campaign.get_state_display()),
    )
    return preview_response(request, image, is_public=can_anyone_see_campaign(campaign))


@require_GET
def standings_badge(request: HttpRequest, pk: int) -> HttpResponse:
    """Return a badge with the leader of the campaign."""
    campaign = campaign_or_404(request, pk)
    first = next((each for each in standings(campaign) if each.row.played), None)
    status = f"led by {first.row.name}, {pluralize(first.row.points, 'points')}" if first else "no leader yet"
    return badge_response(campaign.name, status, SIGNAL, is_public=can_anyone_see_campaign(campaign))


@xframe_options_exempt
@require_GET
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # typed for views without arguments
def standings_embed(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the table alone, for a frame on a club's own page; only for campaigns that are open to all."""
    campaign = campaign_or_404(request, pk)
    if not can_anyone_see_campaign(campaign):
        raise Http404("No such campaign")
    context = {
        "campaign": campaign,
        "rows": standings(campaign),
    }
    response = render(request, "campaigns/standings_embed.html", context)
    response["Cache-Control"] = "public, max-age=60"
    return response
