"""The map of a campaign followed through its rounds: its borders, and what changed hands when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaigns.models import Campaign, Outcome
from campaigns.neighbours import neighbours
from campaigns.selectors.standings import PLACES, counted_matches, enrolments_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A territory that changed hands."""

    territory: str
    to: str
    colour: str
    before: str  # who held it; empty: nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOfMap:
    """What changed hands in a round."""

    number: int
    changes: tuple[Change, ...]


def map_history(campaign: Campaign) -> tuple[RoundOfMap, ...]:
    """What changed hands in each round in which something did, the newest first. Three queries."""
    enrolments = enrolments_of(campaign)
    places = {each.pk: each for each in PLACES.rows(campaign=campaign.pk)}
    held = {pk: each.home_id for pk, each in places.items()}
    rounds: dict[int, dict[int, tuple[int | None, int]]] = {}
    for match in counted_matches(campaign):
        winner = {Outcome.ATTACKER: match.attacker_id, Outcome.DEFENDER: match.defender_id}.get(Outcome(match.outcome))
        place = match.territory_id
        if place is None or place not in places or winner is None or held[place] == winner:
            continue
        changed = rounds.setdefault(match.round, {})
        first, _ = changed.get(place, (held[place], winner))
        changed[place] = (first, winner)
        held[place] = winner
    return tuple(
        RoundOfMap(
            number=number,
            changes=tuple(
                Change(
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


def borders(campaign: Campaign) -> Mapping[str, tuple[str, ...]]:
    """The neighbours of each territory, by name. One query."""
    places = PLACES.rows(campaign=campaign.pk)
    names = {each.position: each.name for each in places}
    beside = neighbours(campaign.map_kind, {each.position: each.neighbours for each in places})
    return {name: tuple(names[each] for each in sorted(beside[position])) for position, name in names.items()}
