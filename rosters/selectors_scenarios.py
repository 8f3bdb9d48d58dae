"""Which scenarios a player can play, and what of them goes into a set-up document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rosters.policy import Reader
from rosters.systems.meks_and_mercs.catalogue import CATALOGUE


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayableScenario:
    """A scenario as a form offers it."""

    value: str  # a published scenario's slug, or custom-<id>
    name: str
    spec: Any  # what the rule system makes of it: points, zones, objective ...


def playable_scenarios(player: Reader) -> tuple[PlayableScenario, ...]:
    """What the player can play."""
    return tuple(
        PlayableScenario(value=scenario.slug, name=scenario.name, spec=scenario)
        for scenario in CATALOGUE.scenarios.values()
    )


def scenario_value(value: str, player: Reader) -> str | Mapping[str, Any]:
    """What stands for the scenario in a set-up document; raises KeyError for one that the player can't play."""
    if value not in CATALOGUE.scenarios:
        raise KeyError(value)
    return value
