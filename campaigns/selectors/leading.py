"""What the overview of a running campaign leads with: the table with form and movement, the map, what is played next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from campaigns.models import Campaign, TerritoryMap
from campaigns.policy import Reader
from campaigns.selectors.campaigns import EnrolmentRow
from campaigns.selectors.map import MapDrawing, map_drawing
from campaigns.selectors.rounds import FixtureRow, open_fixtures
from campaigns.selectors.standings import (
    Counted,
    Entrant,
    counted_matches,
    in_the_table,
    score_of,
    territories,
    winner_of,
    worth_of,
)
from campaigns.standings import Score, Tally
from rosters.models import Visibility
from systems import season_rules

FORM = 5  # matches
TABLE_SHOWN, FIXTURES_SHOWN = 8, 6
WORDS = {"W": "won", "D": "drew", "L": "lost", "B": "bye"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How a company came out of one match."""

    letter: str
    word: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Leader:
    """A company in the table."""

    place: int
    moved: int  # places won (positive) or lost since the round before
    company: int
    name: str
    colour: str
    emblem: str
    player: str
    points: int
    form: tuple[Form, ...]  # the newest last
    is_open: bool  # whether its page is everybody's


@dataclass(frozen=True, slots=True, kw_only=True)
class Leading:
    """All of it."""

    table: tuple[Leader, ...]
    companies: int  # in the whole table
    fixtures: tuple[FixtureRow, ...]  # of the open rounds
    more_fixtures: int
    drawing: MapDrawing | None
    contested: Mapping[str, FixtureRow]  # by the name of the territory that an open match is fought for

    @property
    def contested_names(self) -> tuple[str, ...]:
        return tuple(self.contested)

    @property
    def contests(self) -> tuple[tuple[str, FixtureRow], ...]:
        return tuple(self.contested.items())


def leading(campaign: Campaign, reader: Reader, asked: Sequence[EnrolmentRow]) -> Leading:
    """What the overview leads with, of all who ever asked to take part; three queries."""
    enrolments = {each.id: _entrant(each) for each in asked}
    matches = counted_matches(campaign)
    fixtures = open_fixtures(campaign, reader)
    names = in_the_table(enrolments, matches)
    places = (
        territories(campaign, matches=matches, enrolments=enrolments) if campaign.map_kind != TerritoryMap.NONE else ()
    )
    contested = {each.territory: each for each in fixtures if each.territory and each.defender and each.is_open}
    return Leading(
        table=_table(campaign, enrolments, names, matches),
        companies=len(names),
        fixtures=fixtures[:FIXTURES_SHOWN],
        more_fixtures=max(0, len(fixtures) - FIXTURES_SHOWN),
        drawing=map_drawing(campaign.map_kind, places) if places else None,
        contested=contested,
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
    campaign: Campaign, enrolments: Mapping[int, Entrant], names: Mapping[int, str], matches: Sequence[Counted]
) -> tuple[Leader, ...]:
    """The head of the table."""
    last = max((match.round for match in matches), default=0)
    shares, ties = season_rules(campaign.system).shares_places, campaign.tie_breakers
    tally = Tally(names, worth_of(campaign))
    tally.count(_scores(match for match in matches if match.round < last))
    was = {row.entrant: row.place for row in tally.table(ties, shares_places=shares)}
    tally.count(_scores(match for match in matches if match.round == last))
    has_moved = any(match.round < last for match in matches)
    return tuple(
        Leader(
            place=row.place,
            moved=was[row.entrant] - row.place if has_moved else 0,
            company=enrolments[row.entrant].company,
            name=row.name,
            colour=enrolments[row.entrant].colour,
            emblem=enrolments[row.entrant].emblem,
            player=enrolments[row.entrant].player,
            points=row.points,
            form=_form(row.entrant, matches),
            is_open=enrolments[row.entrant].visibility == Visibility.PUBLIC,
        )
        for row in tally.table(ties, shares_places=shares)[:TABLE_SHOWN]
    )


def _scores(matches: Iterable[Counted]) -> Iterator[Score]:
    return (score for match in matches if (score := score_of(match)) is not None)


def _form(entrant: int, matches: Sequence[Counted]) -> tuple[Form, ...]:
    own = [match for match in matches if entrant in (match.attacker_id, match.defender_id)][-FORM:]
    return tuple(_formed(entrant, match) for match in own)


def _formed(entrant: int, match: Counted) -> Form:
    won = winner_of(match)
    letter = "B" if match.defender_id is None else "D" if won is None else "W" if won == entrant else "L"
    return Form(letter=letter, word=WORDS[letter], round=match.round)
