"""Read a restored club as its pages do, to find anything they couldn't read before it is committed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from campaigns.arcs.selectors import arc_page
from campaigns.closing.selectors import closing_of
from campaigns.cups.selectors import cup_of, cup_sheet
from campaigns.fame.selectors import club_fame, club_match_history, club_medals
from campaigns.friendlies.selectors import friendly_rows
from campaigns.gazette.selectors import gazette_sheet
from campaigns.handicaps.selectors import handicap_sheet
from campaigns.income.selectors import paid_rounds
from campaigns.insights.selectors import club_insights
from campaigns.maps.selectors import map_sheet
from campaigns.matches.selectors import match_page
from campaigns.models import Campaign, Club, Gazette, Match, Round
from campaigns.ratings.selectors import club_ratings
from campaigns.rounds.selectors import round_sheets
from campaigns.seasons.selectors import season_page
from campaigns.standings.selectors import standings
from rosters.models import Company, Player
from rosters.selectors import company_sheet

Reading = tuple[str, Callable[[], object]]
HANDICAP_RELATED = ("round__campaign", "handicap", "attacker__company__owner", "defender__company__owner")
READ_ERRORS = (LookupError, ArithmeticError, TypeError, ValueError, AttributeError, AssertionError)


def unreadable_parts(club: Club, reader: Player) -> Iterator[str]:
    """Yield the parts of the club that its pages can't read, and why."""
    for what, read in _readings(club, reader):
        try:
            read()
        except READ_ERRORS as error:
            yield f"{what} can't be read: {type(error).__name__} {' '.join(str(error).split())[:100]}"


def _readings(club: Club, reader: Player) -> Iterator[Reading]:
    for campaign in club.campaigns.order_by("pk"):
        yield from _campaign_readings(campaign, reader)
    for season in club.seasons.order_by("pk"):
        yield f"season {season}", partial(season_page, season, reader, with_planned=True)
    for company in Company.objects.filter(enrolments__campaign__club=club).distinct().order_by("pk"):
        yield f"company {company}", partial(company_sheet, company)
    yield "the ratings", partial(club_ratings, club.pk)
    yield "the insights", partial(club_insights, club, reader)
    yield "the hall of fame", partial(_fame, club, reader)


def _fame(club: Club, reader: Player) -> None:
    chronicle = club_match_history(club, reader)
    club_fame(chronicle)
    club_medals(chronicle)


def _campaign_readings(campaign: Campaign, reader: Player) -> Iterator[Reading]:
    yield f"the table of {campaign}", partial(standings, campaign)
    yield f"the map of {campaign}", partial(map_sheet, campaign)
    yield f"the rounds of {campaign}", partial(round_sheets, campaign, reader, with_planned=True)
    yield f"the war of {campaign}", partial(arc_page, campaign, with_planned=True)
    if (cup := cup_of(campaign)) is not None:
        yield f"the cup of {campaign}", partial(cup_sheet, campaign, cup, with_planned=True)
    yield f"what territories of {campaign} paid", partial(paid_rounds, campaign)
    yield f"the friendly games of {campaign}", partial(friendly_rows, campaign)
    for row in Round.objects.filter(campaign=campaign):
        yield f"the closing of {row} of {campaign}", partial(closing_of, row)
    for gazette in Gazette.objects.filter(round__campaign=campaign).select_related("round__campaign__club"):
        yield f"the gazette of {gazette.round} of {campaign}", partial(gazette_sheet, gazette)
    matches = Match.objects.filter(round__campaign=campaign).order_by("pk")
    for match in matches.iterator(chunk_size=100):
        yield f"match {match.number} of {match.round} of {campaign}", partial(match_page, match, reader)
    for match in matches.filter(handicap__isnull=False).select_related(*HANDICAP_RELATED):
        for side in filter(None, (match.attacker, match.defender)):  # they see more of it than others
            read = partial(handicap_sheet, match, side.company.owner, is_open=True)
            yield f"the handicap of match {match.number} of {match.round} of {campaign}", read
