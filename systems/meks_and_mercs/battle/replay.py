"""The situation that a spectator sees before the first event."""

from __future__ import annotations

from systems.meks_and_mercs.battle.placing import placements
from systems.meks_and_mercs.battle.setup import field_units, scenario_of
from systems.meks_and_mercs.battle.view import MekView
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.setups import Setup, once_a_setup
from systems.situation import Situation


@once_a_setup
def opening(setup: Setup) -> Situation:
    """Return all units as they enter the battle, with no contacts."""
    posts = placements(setup) if scenario_of(setup) is not None else ()
    units = tuple(
        MekView(
            key=fielded.unit.key,
            name=fielded.name,
            side=fielded.side,
            chassis=fielded.chassis,
            hits=fielded.full_hits if fielded.condition.hits is None else fielded.condition.hits,
            max_hits=fielded.full_hits,
            wounded=bool(fielded.condition.wounded),
            legs=fielded.condition.legs,
            weapons=tuple(
                (weapon.name, slot not in fielded.condition.weapons_lost) for slot, weapon in enumerate(fielded.weapons)
            ),
            systems=tuple(
                (CATALOGUE.systems[slug].name, slot not in fielded.condition.systems_lost)
                for slot, slug in enumerate(fielded.systems)
            ),
            zone=posts[at].zone if posts else 0,
            dug_in=bool(fielded.condition.dug_in),
            decoy=fielded.role == "decoy",
        )
        for at, fielded in enumerate(field_units(setup))
    )
    return Situation(units)
