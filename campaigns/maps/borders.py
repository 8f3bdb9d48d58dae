"""The borders of a campaign map: which territories are neighbours, and whether a match may be for one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from campaigns.diary import campaign_diary
from campaigns.locks import campaign_lock
from campaigns.maps.neighbours import can_reach, neighbours
from campaigns.models import AttackRule, Campaign, CampaignState, Territory
from campaigns.standings.selectors import territories
from rosters.models import Player
from rosters.services import RefusedError


@transaction.atomic
def borders_set(
    *, campaign: Campaign, by: Player, lines: Sequence[str] = (), beside: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Set the organiser's own borders: neighbours by name, or as lines, one territory each: "Ford: Hill, Mill".

    Without any, the borders follow the map's shape. A border that is named on one side exists on both.
    """
    locked = campaign_lock(campaign)
    if locked.state not in (CampaignState.DRAFT, CampaignState.MUSTERING):
        raise RefusedError("borders", "The map is fixed once the campaign runs.")
    rows = {row.name.casefold(): row for row in locked.territories.all()}
    said = list(beside.items()) if beside is not None else [_written(line) for line in lines]
    if said and not rows:
        raise RefusedError("borders", "Name the territories before you say which of them are neighbours.")
    found: dict[str, list[int]] = {}
    for name, names in said:
        place = _named(rows, name)
        if place.name in found:
            raise RefusedError("borders", f"{place.name} has two lines; write its neighbours in one.")
        others = [_named(rows, each) for each in names]
        if not others:
            raise RefusedError("borders", f"Write the neighbours of {place.name} after a colon: “{place.name}: …”.")
        if place in others:
            raise RefusedError("borders", f"{place.name} is no neighbour of itself.")
        found[place.name] = sorted({each.position for each in others})
    changed = [row for row in rows.values() if row.neighbours != found.get(row.name, [])]
    for row in changed:
        row.neighbours = found.get(row.name, [])
        row.save(update_fields=["neighbours"])
    if changed:
        campaign_diary(locked, f"Changed the borders of the map of {locked.name}", by)


@dataclass(frozen=True, slots=True)
class Reach:
    """Which territories matches can be for, as the map stands now; any if `beside` is None."""

    held: Mapping[int, Collection[int]]  # positions, by enrolment
    beside: Mapping[int, frozenset[int]] | None

    def allows(self, sides: Sequence[int | None], position: int) -> bool:
        """Return whether a side that doesn't hold the territory can reach it; if all of them hold it, any side will do."""
        if self.beside is None:
            return True
        there = [side for side in sides if side is not None]
        challengers = [side for side in there if position not in self.held.get(side, ())] or there
        return any(can_reach(self.held.get(side, ()), position, self.beside) for side in challengers)


def reach_of(campaign: Campaign) -> Reach:
    """Return what can be fought for by the campaign's attack rule; anything if it has none."""
    if campaign.attack_rule != AttackRule.NEIGHBOURS:
        return Reach({}, None)
    held: dict[int, set[int]] = {}
    for place in territories(campaign):
        if place.holder is not None:
            held.setdefault(place.holder, set()).add(place.position)
    own = {row.position: row.neighbours for row in campaign.territories.all()}
    return Reach(held, neighbours(campaign.map_kind, own))


def _written(line: str) -> tuple[str, list[str]]:
    name, _, said = line.partition(":")
    return name, [each for each in said.split(",") if each.strip()]


def _named(rows: dict[str, Territory], name: str) -> Territory:
    row = rows.get(name.strip().casefold())
    if row is None:
        raise RefusedError("borders", f"There is no territory “{name.strip()[:40]}” on this map.")
    return row
