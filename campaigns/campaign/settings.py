"""A campaign's settings together with its territories: all are set, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction

from campaigns.campaign.services import campaign_change, campaign_create, territories_set
from campaigns.income.selectors import Yield
from campaigns.income.services import yields_set
from campaigns.maps.borders import borders_set
from campaigns.models import Campaign, CampaignState, Club, TerritoryMap
from rosters.models import Player
from rosters.services import RefusedError
from rosters.services._base import system_of
from systems import season_rules

Yields = Sequence[str] | Mapping[str, Yield]  # lines as in the form, or by name
Borders = Sequence[str] | Mapping[str, Sequence[str]]  # lines as in the form, or neighbours by name
MAP_EDITABLE_STATES = (CampaignState.DRAFT, CampaignState.MUSTERING)  # while its map can be changed


@transaction.atomic
def campaign_create_with_map(
    *,
    club: Club,
    by: Player,
    system: str,
    name: str,
    points: int | None = None,
    territories: Sequence[str] = (),
    borders: Borders | None = None,
    yields: Yields | None = None,
    **settings: object,
) -> Campaign:
    """Create a campaign in draft, with its map's territories, their borders and what they bring.

    Borders and yields are read as in `borders_set` and `yields_set`. Without points, it takes those that its game
    founds companies with. House rules that its game sets for every new campaign are set unless given.
    """
    worth = system_of(system).founding_points if points is None else points
    given = settings.pop("options", {})
    options = {**season_rules(system).new_options, **given} if isinstance(given, Mapping) else given
    made = campaign_create(club=club, by=by, system=system, name=name, points=worth, options=options, **settings)
    if territories:
        territories_set(campaign=made, by=by, names=territories)
    _borders(made, by, borders)
    _yields(made, by, yields)
    return made


@transaction.atomic
def campaign_change_with_map(
    *,
    campaign: Campaign,
    by: Player,
    territories: Sequence[str] = (),
    borders: Borders | None = None,
    yields: Yields | None = None,
    **settings: object,
) -> Campaign:
    """Change settings, and also territories, borders and yields if they are given and differ."""
    changed = campaign_change(campaign=campaign, by=by, **settings)
    if territories and list(territories) != list(changed.territories.values_list("name", flat=True)):
        territories_set(campaign=changed, by=by, names=territories)
    _borders(changed, by, borders)
    _yields(changed, by, yields)
    return changed


def _borders(campaign: Campaign, by: Player, given: Borders | None) -> None:
    """Set the borders. Ignore a form's borders if there is no map or it is fixed."""
    if isinstance(given, Mapping):
        if campaign.map_kind == TerritoryMap.NONE:
            raise RefusedError("borders", f"{campaign.name} has no map.")
        borders_set(campaign=campaign, by=by, beside=given)
    elif given is not None and campaign.map_kind != TerritoryMap.NONE and campaign.state in MAP_EDITABLE_STATES:
        borders_set(campaign=campaign, by=by, lines=given)


def _yields(campaign: Campaign, by: Player, given: Yields | None) -> None:
    """Set what territories bring. Ignore a form's yields if there is no map or it is fixed."""
    if isinstance(given, Mapping):
        if campaign.map_kind == TerritoryMap.NONE:
            raise RefusedError("yields", f"{campaign.name} has no map.")
        yields_set(campaign=campaign, by=by, brings=given)
    elif given is not None and campaign.map_kind != TerritoryMap.NONE and campaign.state in MAP_EDITABLE_STATES:
        yields_set(campaign=campaign, by=by, lines=given)
