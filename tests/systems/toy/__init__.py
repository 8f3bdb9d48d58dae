"""A made-up rule system, as small as one can be: two units, one die, a line to stand on, no pilots, no support.

It is registered by tests only (`install`), and goes through the same pages and services as the systems that ship.
"""

from typing import Any

import pytest

SLUG = "toy"


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers the toy in all three registries for the length of a test."""
    from battles.systems import SYSTEMS as BATTLES
    from campaigns.systems import SYSTEMS as CAMPAIGNS
    from rosters.systems import SYSTEMS as ROSTERS

    from .battle import ToyBattles
    from .campaign import ToyCampaigns
    from .roster import ToyRosters

    registered: list[tuple[Any, Any]] = [(ROSTERS, ToyRosters()), (BATTLES, ToyBattles()), (CAMPAIGNS, ToyCampaigns())]
    for registry, system in registered:
        monkeypatch.setitem(registry, SLUG, system)
