"""A campaign's map through its rounds: its borders, when territories changed hands, and what they have paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campaigns.income.selectors import PaidRound, describe_yields, paid_rounds
from campaigns.maps.neighbours import neighbours
from campaigns.models import Campaign, Outcome, Territory
from campaigns.standings.selectors import (
    PLACES,
    DecidedMatch,
    Entrant,
    TerritoryRow,
    counted_matches,
    enrolments_of,
    territories,
)


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
    """The content of the map page."""

    places: tuple[TerritoryRow, ...]
    history: tuple[MapRoundRow, ...]  # newest first
    borders: Mapping[str, tuple[str, ...]]  # the neighbours of each territory, by name
    yields: Mapping[str, str]  # what territories bring, in words; empty if none brings anything
    paid: tuple[PaidRound, ...]


def map_sheet(campaign: Campaign, *, up_to: int | None = None) -> MapSheet | None:
    """Return the map, after round `up_to` if given; None if there is no map. Five queries at most."""
    places = PLACES.rows(campaign=campaign.pk)
    if not places:
        return None
    enrolments, matches = enrolments_of(campaign), counted_matches(campaign)
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


# --- parts ------------------------------------------------------------------------------------------------------------


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
