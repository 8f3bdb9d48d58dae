"""The top of a running campaign's overview: the table with form and movement, the map, upcoming matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campaigns.campaign.selectors import EnrolmentRow
from campaigns.maps.drawing import MapDrawing, map_drawing
from campaigns.models import Campaign, TerritoryMap
from campaigns.policy import Reader
from campaigns.rounds.selectors import FixtureRow, contested_territories, open_fixtures
from campaigns.standings.selectors import (
    DecidedMatch,
    Entrant,
    Form,
    counted_matches,
    form_of,
    rank_entrants,
    ranked_names,
    territories,
)
from rosters.models import Visibility

TABLE_SHOWN, FIXTURES_SHOWN = 8, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderRow:
    """A company in the table."""

    place: int
    moved: int  # places gained (positive) or lost since the round before
    company: int
    name: str
    colour: str
    emblem: str
    player: str
    points: int
    form: tuple[Form, ...]  # newest last
    is_open: bool  # whether its page is public


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewPage:
    """Everything the overview leads with."""

    table: tuple[LeaderRow, ...]
    companies: int  # in the whole table
    fixtures: tuple[FixtureRow, ...]  # of the open rounds
    more_fixtures: int
    drawing: MapDrawing | None
    contested: Mapping[str, FixtureRow]  # by the name of the territory that an open match is played for

    @property
    def contested_names(self) -> tuple[str, ...]:
        return tuple(self.contested)

    @property
    def contests(self) -> tuple[tuple[str, FixtureRow], ...]:
        return tuple(self.contested.items())


def leading(campaign: Campaign, reader: Reader, asked: Sequence[EnrolmentRow]) -> OverviewPage:
    """Return what the overview leads with, for all companies that ever asked to take part; three queries."""
    enrolments = {each.id: _entrant(each) for each in asked}
    matches = counted_matches(campaign)
    fixtures = open_fixtures(campaign, reader)
    names = ranked_names(enrolments, matches)
    places = (
        territories(campaign, matches=matches, enrolments=enrolments) if campaign.map_kind != TerritoryMap.NONE else ()
    )
    return OverviewPage(
        table=_table(campaign, enrolments, names, matches),
        companies=len(names),
        fixtures=fixtures[:FIXTURES_SHOWN],
        more_fixtures=max(0, len(fixtures) - FIXTURES_SHOWN),
        drawing=map_drawing(campaign.map_kind, places) if places else None,
        contested=contested_territories(fixtures),
    )


def _entrant(row: EnrolmentRow) -> Entrant:
    return Entrant(
        id=row.id,
        state=row.state,
        company=row.company,
        name=row.name,
        colour=row.colour,
        emblem=row.emblem,
        player=row.player,
        visibility=row.visibility,
    )


def _table(
    campaign: Campaign, enrolments: Mapping[int, Entrant], names: Mapping[int, str], matches: Sequence[DecidedMatch]
) -> tuple[LeaderRow, ...]:
    """Return the top rows of the table."""
    rows, was = rank_entrants(campaign, names, matches)
    return tuple(
        LeaderRow(
            place=row.place,
            moved=was[row.entrant] - row.place if was else 0,
            company=enrolments[row.entrant].company,
            name=row.name,
            colour=enrolments[row.entrant].colour,
            emblem=enrolments[row.entrant].emblem,
            player=enrolments[row.entrant].player,
            points=row.points,
            form=form_of(row.entrant, matches),
            is_open=enrolments[row.entrant].visibility == Visibility.PUBLIC,
        )
        for row in rows[:TABLE_SHOWN]
    )
