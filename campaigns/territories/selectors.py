"""The map of a campaign: neighbours, holders through its rounds, and the effects of another result."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from campaigns.models import Campaign, Match, MatchState, Outcome, RoundState, Territory
from campaigns.standings.selectors import (
    PLACES,
    DecidedMatch,
    Entrant,
    TerritoryRow,
    enrolments_of,
    scored_matches,
    territories,
)
from campaigns.territories.income import (
    IncomeChange,
    PaidRound,
    describe_places,
    describe_yields,
    paid_rounds,
    total_points,
)
from rosters.entries.company import TerritoryIncome
from rosters.ledger.drafts import Draft
from systems import season_rules
from systems.season import StorylineBonus

ZONES_PER_ROW = 3  # zones in a row
ZONES = "zones"


def neighbours_by_shape(kind: str, count: int) -> dict[int, frozenset[int]]:
    """Return the neighbours of each place by the map's shape: zones that share an edge, or those next to it on a ring.

    Places are numbered from 1: zones row by row, those of a ring around it.
    """
    found = {}
    for place in range(1, count + 1):
        if kind == ZONES:
            row, column = divmod(place - 1, ZONES_PER_ROW)
            beside = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
            near = {
                at * ZONES_PER_ROW + to + 1
                for at, to in beside
                if at >= 0 and 0 <= to < ZONES_PER_ROW and at * ZONES_PER_ROW + to < count
            }
        else:
            near = {place % count + 1, (place - 2) % count + 1}
        found[place] = frozenset(near - {place})
    return found


def neighbours(kind: str, own: Mapping[int, Sequence[int]]) -> dict[int, frozenset[int]]:
    """Return the neighbours of each place: the organiser's own borders, open both ways, or else the map shape's."""
    if not any(own.values()):
        return neighbours_by_shape(kind, max(own, default=0))
    return {
        place: frozenset(other for other in own if other != place and (other in own[place] or place in own[other]))
        for place in own
    }


def can_reach(held: Collection[int], place: int, beside: Mapping[int, frozenset[int]]) -> bool:
    """Return whether the holder of these places can fight for another: they hold it, border on it, or hold "
    "nothing yet."""
    return not held or place in held or bool(beside.get(place, frozenset()) & set(held))


@dataclass(frozen=True, slots=True, kw_only=True)
class HolderChange:
    """A territory that changed hands."""

    territory: str
    to: str
    colour: str
    before: str  # the previous holder; empty: nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRoundRow:
    """The territories that changed hands in a round."""

    number: int
    changes: tuple[HolderChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapSheet:
    """The content of the map."""

    places: tuple[TerritoryRow, ...]
    history: tuple[MapRoundRow, ...]  # newest first
    borders: Mapping[str, tuple[str, ...]]  # the neighbours of each territory, by name
    yields: Mapping[str, str]  # in words; empty if no territory yields anything
    paid: tuple[PaidRound, ...]


def map_sheet(
    campaign: Campaign,
    *,
    up_to: int | None = None,
    places: Sequence[Territory] | None = None,
    matches: Sequence[DecidedMatch] | None = None,
    enrolments: Mapping[int, Entrant] | None = None,
) -> MapSheet | None:
    """Return the map, after round `up_to` if given; None if there is no map.

    Five queries at most, less one for each argument that is given. `matches` are those of the whole campaign.
    """
    places = PLACES.rows(campaign=campaign.pk) if places is None else places
    if not places:
        return None
    matches = scored_matches(campaign) if matches is None else matches
    enrolments = enrolments_of(campaign) if enrolments is None else enrolments
    until = [match for match in matches if up_to is None or match.round <= up_to]
    yields = describe_yields(campaign, places)
    return MapSheet(
        places=territories(campaign, places=places, matches=until, enrolments=enrolments),
        history=_history(places, matches, enrolments),
        borders=_borders(campaign, places),
        yields=yields,
        paid=paid_rounds(campaign) if yields else (),
    )


def borders(campaign: Campaign) -> Mapping[str, tuple[str, ...]]:
    """Return the neighbours of each territory, by name. One query."""
    return _borders(campaign, PLACES.rows(campaign=campaign.pk))


def _history(
    rows: Sequence[Territory], matches: Sequence[DecidedMatch], enrolments: Mapping[int, Entrant]
) -> tuple[MapRoundRow, ...]:
    """Return the territories that changed hands, by round, newest first; rounds without a change are left out."""
    places = {each.pk: each for each in rows}
    held = {pk: each.home_id for pk, each in places.items()}
    rounds: dict[int, dict[int, tuple[int | None, int]]] = {}
    for match in matches:
        winner = {Outcome.ATTACKER: match.attacker_id, Outcome.DEFENDER: match.defender_id}.get(Outcome(match.outcome))
        place = match.territory_id
        if place is None or place not in places or winner is None or held[place] == winner:
            continue
        changed = rounds.setdefault(match.round, {})
        first, _ = changed.get(place, (held[place], winner))
        changed[place] = (first, winner)
        held[place] = winner
    return tuple(
        MapRoundRow(
            number=number,
            changes=tuple(
                HolderChange(
                    territory=places[place].name,
                    to=enrolments[now].name,
                    colour=enrolments[now].colour,
                    before=enrolments[was].name if was is not None else "",
                )
                for place, (was, now) in changed.items()
            ),
        )
        for number, changed in sorted(rounds.items(), reverse=True)
    )


def _borders(campaign: Campaign, places: Sequence[Territory]) -> Mapping[str, tuple[str, ...]]:
    names = {each.position: each.name for each in places}
    beside = neighbours(campaign.map_kind, {each.position: each.neighbours for each in places})
    return {name: tuple(names[each] for each in sorted(beside[position])) for position, name in names.items()}


def income_draft(change: IncomeChange) -> Draft | None:
    """Return the ledger entry for a company's income of a round; None if there is none."""
    if not change.after:
        return None
    facts = {
        "campaign": change.row.round.campaign.name,
        "round": change.row.round.number,
        "bill": [list(line) for line in change.after],
    }
    return Draft(kind=TerritoryIncome.slug, points=total_points(change.after), facts=facts)


def income_note(change: IncomeChange) -> str:
    """Return a sentence on how a company's income changes."""
    before, after = (describe_places(each) or "nothing" for each in (change.before, change.after))
    return f"Territories of round {change.row.round.number}: {after}, not {before}."


def bonus_changes(match: Match, state: str, outcome: str) -> dict[int, str]:
    """Return the later matches whose bonus for the match's territory would be wrong with the other result, and why.

    A match is wrong if it was opened with the bonus for a side that wouldn't have held the territory, or without it for
    the side that would have. Two queries; none if the match has no territory, or one without a bonus.
    """
    place = match.territory
    if place is None or not (place.bonus_points or place.bonus_rolls):
        return {}
    was, now = _winner_of_result(match, match.state, match.outcome), _winner_of_result(match, state, outcome)
    if was == now:
        return {}
    bonus = StorylineBonus(points=place.bonus_points, rolls=place.bonus_rolls)
    found: dict[int, str] = {}
    won_since: list[datetime] = []  # when the territory was won again after this match
    for row in _opened_after(match):
        opened_at = _opened_at(row)
        if any(at <= opened_at for at in won_since):
            break
        sentences = []
        for side, enrolment in enumerate((row.attacker, row.defender)):
            has_it = any(each[0] == side and each[1] == place.name for each in row.bonus)
            if enrolment is None or enrolment.pk not in (was, now) or (enrolment.pk == now) == has_it:
                continue
            if has_it:
                sentences.append(f"{bonus} for {place.name} should not have gone to {enrolment.company.name} here.")
            elif _can_use_bonus(row, side, bonus):
                sentences.append(f"{bonus} for {place.name} should have gone to {enrolment.company.name} here.")
        if sentences:
            found[row.pk] = " ".join(sentences)
        if (
            row.territory_id == place.pk
            and row.decided_at
            and _winner_of_result(row, row.state, row.outcome) is not None
        ):
            won_since.append(row.decided_at)
    return found


def _opened_after(match: Match) -> list[Match]:
    """Return the matches of later rounds in the order they were opened.

    Matches opened before this one was decided are left out: their bonus follows the holders of that time.
    """
    rows = Match.objects.filter(round__campaign=match.round.campaign_id, round__number__gt=match.round.number)
    rows = rows.exclude(round__state=RoundState.PLANNED).select_related(
        "round", "dice", "attacker__company", "defender__company"
    )
    found = sorted(rows, key=lambda row: (_opened_at(row), row.round.number, row.number))
    if match.decided_at is None or match.corrections.exists():  # a correction has overwritten decided_at
        return found
    return [row for row in found if _opened_at(row) >= match.decided_at]


def _opened_at(row: Match) -> datetime:
    """Return when a match was opened. One that joined an open round was opened later than the round."""
    opened = row.round.opens_at or datetime.min.replace(tzinfo=UTC)
    return max(opened, row.dice.sealed_at) if row.dice is not None else opened


def _can_use_bonus(row: Match, side: int, bonus: StorylineBonus) -> bool:
    """Return whether the bonus could apply: not to a bye, nor to a scenario without points and rolls of its own."""
    gains = [bonus if at == side else StorylineBonus() for at in (0, 1)]
    rules = season_rules(row.round.campaign.system)
    return row.defender_id is not None and rules.changed(row.scenario, gains) != row.scenario


def _winner_of_result(match: Match, state: str, outcome: str) -> int | None:
    """Return the winner's enrolment if the match ends like this."""
    sides = {Outcome.ATTACKER: match.attacker_id, Outcome.DEFENDER: match.defender_id}
    return (
        sides.get(Outcome(outcome)) if state in MatchState.counting() and state != MatchState.BYE and outcome else None
    )
