"""Headers and tabs of pages, the newest gazette, the banner of waiting tasks, and the offer to restore a club.

Waiting tasks take one query a request.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django import template
from django.http import HttpRequest
from django.template import Context
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from campaigns import policy
from campaigns.archive.selectors import has_players
from campaigns.gazette.selectors import GazetteRow, gazette_rows
from campaigns.home import NextMatch
from campaigns.models import Campaign, CampaignPairingMethod, CampaignState, Club, Role, Season, TerritoryMap
from campaigns.notifications.open_tasks import WaitingItem, WaitingRow, list_waiting, waiting_and_unread
from campaigns.scoring import season_scoring
from rosters.models import Player
from rosters.templatetags.fragments import piece

register = template.Library()
MENU = (  # name, the route it leads to, and how addresses below it begin; the longest that fits decides
    ("Play", "battles:tables", ("/table/", "/battles/", "/odds/", "/by-hand/", "/dice/", "/try/")),
    ("Companies", "rosters:companies", ("/companies/", "/print/")),
    ("Clubs", "campaigns:clubs", ("/clubs/", "/campaigns/", "/seasons/", "/matches/")),
    (
        "Workshop",
        "rosters:designs",
        ("/designs/", "/scenarios/", "/odds/matrix/", "/odds/trial/", "/odds/build/"),
    ),
    ("Rules", "rosters:rules", ("/rules/",)),
)
CUP_WAYS = (CampaignPairingMethod.KNOCK_OUT, CampaignPairingMethod.GROUPS)
STATES_BEFORE_RUNNING = (CampaignState.DRAFT, CampaignState.MUSTERING)


@register.simple_tag(takes_context=True)
def menu(context: Context) -> list[tuple[str, str, str]]:
    """Return the entries of the menu: name, address, and the value of `aria-current`."""
    request = context.get("request")
    path = request.path if request else ""
    fits = {name: max((len(each) for each in begins if path.startswith(each)), default=0) for name, _, begins in MENU}
    longest = max(fits.values())
    return [
        (name, url := reverse(route), "page" if path == url else "true" if longest and fits[name] == longest else "")
        for name, route, _ in MENU
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignHead:
    """The content of the header of a campaign's pages."""

    pk: int
    name: str
    club: str  # its slug
    club_name: str
    state: str
    state_name: str
    points: int
    pace_days: int
    is_hidden: bool
    has_run: bool
    has_map: bool
    has_cup: bool
    is_war: bool
    has_friendlies: bool
    can_run: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubHead:
    """The content of the header of a club's pages; the role is the reader's."""

    slug: str
    name: str
    place: str
    founded_at: datetime
    is_public: bool
    role: Role | None


@register.simple_tag
def campaign_head(campaign: Campaign, *, can_run: bool, tab: str) -> SafeString:
    """Return the campaign's name and state with links to its pages; `can_run` is about the reader."""
    has_begun = campaign.state not in STATES_BEFORE_RUNNING
    head = CampaignHead(
        pk=campaign.pk,
        name=campaign.name,
        club=campaign.club.slug,
        club_name=campaign.club.name,
        state=campaign.state,
        state_name=campaign.get_state_display(),
        points=campaign.points,
        pace_days=campaign.pace_days,
        is_hidden=not policy.is_open_to_all(campaign),
        has_run=has_begun,
        has_map=campaign.map_kind != TerritoryMap.NONE,
        has_cup=campaign.pairing in CUP_WAYS or getattr(campaign, "cup", None) is not None,
        is_war=campaign.pairing == CampaignPairingMethod.STORYLINE,
        has_friendlies=bool(campaign.friendlies) and has_begun,
        can_run=bool(can_run),
    )
    return piece("campaigns/_campaign_head.html", head=head, tab=tab)


@register.simple_tag
def club_head(club: Club, *, role: Role | None, tab: str) -> SafeString:
    """Return the club's name and the reader's role with links to its pages."""
    head = ClubHead(
        slug=club.slug,
        name=club.name,
        place=club.place,
        founded_at=club.founded_at,
        is_public=club.is_public,
        role=role or None,
    )
    return piece("campaigns/_club_head.html", head=head, tab=tab)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonHead:
    """The content of the header of a season's pages."""

    pk: int
    name: str
    club: str  # its slug
    club_name: str
    state: str
    state_name: str
    worth: str  # points for a win, a draw and a loss
    agree_days: int
    can_run: bool


@register.simple_tag
def season_head(season: Season, *, can_run: bool, tab: str) -> SafeString:
    """Return the season's name and state with links to its pages; `can_run` is about the reader."""
    scoring = season_scoring(season)
    head = SeasonHead(
        pk=season.pk,
        name=season.name,
        club=season.club.slug,
        club_name=season.club.name,
        state=season.state,
        state_name=season.get_state_display(),
        worth=f"{scoring.win}, {scoring.draw}, {scoring.loss}",
        agree_days=season.agree_days,
        can_run=bool(can_run),
    )
    return piece("campaigns/_season_head.html", head=head, tab=tab)


MAX_SHOWN = 8  # the rest is folded
REQUEST_ATTRIBUTE = "waiting"  # attribute of the request that caches the result


@register.simple_tag
def newest_gazette(campaign: Campaign) -> GazetteRow | None:
    """Return the campaign's newest gazette, if it has one."""
    return next(iter(gazette_rows(campaign, most=1)), None)


@register.simple_tag(takes_context=True)
def waiting_count(context: Context) -> int:
    """Return the number of the reader's open tasks; 0 for a visitor."""
    return len(_rows(context.get("request")))


@register.simple_tag(takes_context=True)
def unread_count(context: Context) -> int:
    """Return how many notifications the reader has not read; 0 for a visitor."""
    return _waiting_and_unread(context.get("request"))[1]


@register.inclusion_tag("campaigns/_open_tasks.html", takes_context=True)
def waiting_banner(
    context: Context, campaign: Campaign | None = None, matches: Sequence[NextMatch] = ()
) -> dict[str, object]:
    """Return the reader's open tasks, everywhere or in one campaign, without those of matches shown beside it."""
    beside = {match.key for match in matches}
    items = [
        item
        for item in list_waiting(_rows(context.get("request")))
        if (campaign is None or item.campaign == campaign.pk) and item.match not in beside
    ]
    return {"items": items[:MAX_SHOWN], "more": items[MAX_SHOWN:]}


@register.simple_tag(takes_context=True)
def tasks_of_match(context: Context, match: UUID) -> list[WaitingItem]:
    """Return the reader's open tasks in the match with that key."""
    return [item for item in list_waiting(_rows(context.get("request"))) if item.match == match]


def _rows(request: HttpRequest | None) -> tuple[tuple[WaitingRow, str], ...]:
    return _waiting_and_unread(request)[0]


def _waiting_and_unread(request: HttpRequest | None) -> tuple[tuple[tuple[WaitingRow, str], ...], int]:
    """Return the waiting rows and unread count, queried once a request by the header of the page."""
    reader = getattr(request, "user", None)
    if not isinstance(reader, Player):
        return (), 0
    if not hasattr(request, REQUEST_ATTRIBUTE):
        setattr(request, REQUEST_ATTRIBUTE, waiting_and_unread(reader))
    kept: tuple[tuple[tuple[WaitingRow, str], ...], int] = getattr(request, REQUEST_ATTRIBUTE)
    return kept


@register.simple_tag
def restore_offered() -> SafeString:
    """Return the offer to restore a club from an archive if nobody has signed up to the site yet; else nothing."""
    return mark_safe("") if has_players() else mark_safe(render_to_string("campaigns/_restore_offered.html"))
