"""The table of a campaign and its map, calculated from the decided matches; nothing of it is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db.models import QuerySet

from campaigns.models import Campaign, Enrolment, EnrolmentState, Match, MatchState, Outcome, Territory
from campaigns.scoring import campaign_scoring
from campaigns.standings.table import Score, TableRow, Tally, Winner
from rosters.database.queries import PreparedQuery, columns
from rosters.models import Visibility, player_display_name
from systems import season_rules

FORM = 5  # matches
WORDS = {"W": "won", "D": "drew", "L": "lost", "B": "bye"}
WON: Mapping[str, Winner] = {Outcome.ATTACKER: "attacker", Outcome.DEFENDER: "defender", Outcome.DRAW: "draw"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The result of one match for a company."""

    letter: str
    word: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """A row of the table, with the company's details for the page."""

    row: TableRow
    company: int
    colour: str
    emblem: str
    player: str
    territories: int
    is_in: bool
    is_open: bool  # whether its page is public
    moved: int = 0  # places gained (positive) or lost in the table's last round
    form: tuple[Form, ...] = ()  # newest last

    @property
    def has_withdrawn(self) -> bool:
        return not self.is_in


@dataclass(frozen=True, slots=True, kw_only=True)
class TerritoryRow:
    """A territory and its holder; at first nobody, unless it is somebody's home."""

    id: int
    position: int
    name: str
    holder: int | None = None  # enrolment
    holder_name: str = ""
    colour: str = ""
    emblem: str = ""  # of the holder
    since: int | None = None  # the round in which it was won; None: its home
    neighbours: tuple[int, ...] = ()  # positions, as the organiser set them; empty: by the shape of the map


class DecidedMatch(NamedTuple):
    """The part of a match that the table and the map need."""

    round: int
    attacker_id: int
    defender_id: int | None
    territory_id: int | None
    outcome: str
    figures: Mapping[str, Sequence[int]]
    state: str = ""


def scored_matches(campaign: Campaign, *, up_to: int | None = None) -> list[DecidedMatch]:
    """Return the matches that count, in playing order; up to a round, if given. One query."""
    return [match for match in MATCHES.rows(campaign=campaign.pk) if up_to is None or match.round <= up_to]


def _matches(campaign: int) -> QuerySet[Match, object]:
    rows = Match.objects.filter(round__campaign=campaign, state__in=MatchState.counting()).exclude(
        outcome=Outcome.UNKNOWN
    )
    return rows.order_by("round__number", "number").values_list(*columns(DecidedMatch, round="round__number"))


class Entrant(NamedTuple):
    """The part of an enrolment that the table and the map show."""

    id: int
    state: str
    company: int
    name: str
    colour: str
    emblem: str
    player: str
    visibility: str


def _enrolments(campaign: int) -> QuerySet[Enrolment, object]:
    rows = Enrolment.objects.filter(campaign=campaign).annotate(player=player_display_name("company__owner"))
    return rows.values_list(
        *columns(
            Entrant,
            id="pk",
            name="company__name",
            colour="company__colour",
            emblem="company__emblem",
            visibility="company__visibility",
        )
    )


MATCHES = PreparedQuery(_matches, DecidedMatch, campaign=int)
ENROLMENTS = PreparedQuery(_enrolments, Entrant, campaign=int)
PLACES = PreparedQuery(lambda campaign: Territory.objects.filter(campaign=campaign), campaign=int)


def enrolments_of(campaign: Campaign) -> dict[int, Entrant]:
    """Return all enrolments of the campaign, by ID."""
    return {each.id: each for each in ENROLMENTS.rows(campaign=campaign.pk)}


def score_of(match: DecidedMatch) -> Score | None:
    """Return the match as the table counts it; None if it counts for nobody."""
    return score_with_outcome(match, match.outcome, match.figures, is_forfeit=match.state == MatchState.FORFEITED)


def winner_of(match: DecidedMatch) -> int | None:
    """Return the enrolment that won; None for a draw."""
    if match.outcome == Outcome.ATTACKER:
        return match.attacker_id
    return match.defender_id if match.outcome == Outcome.DEFENDER else None


def score_with_outcome(
    match: Match | DecidedMatch, outcome: str, figures: Mapping[str, Sequence[int]], *, is_forfeit: bool = False
) -> Score | None:
    """Return the match as the table would count it with another outcome."""
    won = WON.get(outcome)
    if won is None:
        return None
    return Score(
        attacker=match.attacker_id,
        defender=match.defender_id,
        won=won,
        destroyed=_pair(figures.get("destroyed")),
        lost=_pair(figures.get("lost")),
        destroyed_points=_pair(figures.get("destroyed_points")),
        scored=_pair(figures.get("scored")),
        is_forfeit=is_forfeit,
    )


def standings(campaign: Campaign, *, up_to: int | None = None) -> tuple[StandingRow, ...]:
    """Return the table, after round `up_to` if given; three queries however long the campaign is."""
    return standings_and_map(campaign, up_to=up_to)[0]


def standings_and_map(
    campaign: Campaign,
    *,
    up_to: int | None = None,
    places: Sequence[Territory] | None = None,
    matches: Sequence[DecidedMatch] | None = None,
    enrolments: Mapping[int, Entrant] | None = None,
) -> tuple[tuple[StandingRow, ...], tuple[TerritoryRow, ...]]:
    """Return the table and the map, from the same three queries, less one for each argument that is given.

    `matches` are those of the whole campaign.
    """
    enrolments = enrolments_of(campaign) if enrolments is None else enrolments
    matches = scored_matches(campaign) if matches is None else matches
    matches = [match for match in matches if up_to is None or match.round <= up_to]
    names = ranked_names(enrolments, matches)
    rows, was = rank_entrants(campaign, names, matches)
    held_places = territories(campaign, places=places, matches=matches, enrolments=enrolments)
    held = Counter(each.holder for each in held_places)
    found = tuple(
        StandingRow(
            row=row,
            company=enrolments[row.entrant].company,
            colour=enrolments[row.entrant].colour,
            emblem=enrolments[row.entrant].emblem,
            player=enrolments[row.entrant].player,
            territories=held[row.entrant],
            is_in=enrolments[row.entrant].state == EnrolmentState.ACCEPTED,
            is_open=enrolments[row.entrant].visibility == Visibility.PUBLIC,
            moved=was[row.entrant] - row.place if was else 0,
            form=form_of(row.entrant, matches),
        )
        for row in rows
    )
    return found, held_places


def rank_entrants(
    campaign: Campaign, names: Mapping[int, str], matches: Sequence[DecidedMatch]
) -> tuple[tuple[TableRow, ...], Mapping[int, int]]:
    """Return the table, and the places before its last round; no places if nothing was played before it."""
    last = max((match.round for match in matches), default=0)
    ties, shares = campaign.tie_breakers, season_rules(campaign.system).shares_places
    tally = Tally(names, campaign_scoring(campaign))
    tally.count(_scores(match for match in matches if match.round < last))
    has_moved = any(match.round < last for match in matches)
    was = {row.entrant: row.place for row in tally.table(ties, shares_places=shares)} if has_moved else {}
    tally.count(_scores(match for match in matches if match.round == last))
    return tally.table(ties, shares_places=shares), was


def form_of(entrant: int, matches: Sequence[DecidedMatch]) -> tuple[Form, ...]:
    """Return the results of a company's last matches."""
    own = [match for match in matches if entrant in (match.attacker_id, match.defender_id)][-FORM:]
    return tuple(_formed(entrant, match) for match in own)


def _formed(entrant: int, match: DecidedMatch) -> Form:
    won = winner_of(match)
    letter = "B" if match.defender_id is None else "D" if won is None else "W" if won == entrant else "L"
    return Form(letter=letter, word=WORDS[letter], round=match.round)


def entrant_names(campaign: Campaign, matches: Sequence[Match]) -> dict[int, str]:
    """Return the names in the table, by enrolment: those accepted, and those that played and then left."""
    return ranked_names(enrolments_of(campaign), matches)


def ranked_names(enrolments: Mapping[int, Entrant], matches: Sequence[Match | DecidedMatch]) -> dict[int, str]:
    """Return the names in the table, by enrolment: those accepted, and any that have played."""
    played = {pk for match in matches for pk in (match.attacker_id, match.defender_id)}
    return {pk: each.name for pk, each in enrolments.items() if each.state == EnrolmentState.ACCEPTED or pk in played}


def territories(
    campaign: Campaign,
    *,
    up_to: int | None = None,
    places: Sequence[Territory] | None = None,
    matches: Sequence[DecidedMatch] | None = None,
    enrolments: Mapping[int, Entrant] | None = None,
) -> tuple[TerritoryRow, ...]:
    """Return every territory with its holder, the winner of the last match played for it.

    Three queries, less one for each argument that is given.
    """
    places = PLACES.rows(campaign=campaign.pk) if places is None else places
    if not places:
        return ()
    if matches is None:
        matches = scored_matches(campaign, up_to=up_to)
    enrolments = enrolments_of(campaign) if enrolments is None else enrolments
    holders: dict[int, tuple[int, int | None]] = {
        each.pk: (each.home_id, None) for each in places if each.home_id is not None
    }
    for match in matches:
        if match.territory_id is None:
            continue
        winner = winner_of(match)
        if winner is not None:
            kept = holders.get(match.territory_id)
            if kept is None or kept[0] != winner:
                holders[match.territory_id] = (winner, match.round)
    return tuple(_territory(each, holders.get(each.pk), enrolments) for each in places)


def _territory(
    place: Territory, held: tuple[int, int | None] | None, enrolments: Mapping[int, Entrant]
) -> TerritoryRow:
    near = tuple(place.neighbours)
    row = TerritoryRow(id=place.pk, position=place.position, name=place.name, neighbours=near)
    if held is None:
        return row
    holder = enrolments[held[0]]
    return replace(
        row,
        holder=holder.id,
        holder_name=holder.name,
        colour=holder.colour,
        emblem=holder.emblem,
        since=held[1],
    )


def _scores(matches: Iterable[DecidedMatch]) -> list[Score]:
    found = []
    for match in matches:
        if score := score_of(match):
            found.append(score)
        elif match.state == MatchState.FORFEITED and match.outcome == Outcome.NONE:
            found.append(Score(match.attacker_id, match.defender_id, "nobody", is_forfeit=True))
    return found


def _pair(values: Sequence[int] | None) -> tuple[int, int]:
    return (values[0], values[1]) if values else (0, 0)
