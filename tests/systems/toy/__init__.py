"""A made-up rule system, as small as one can be: two units, one die, a line to stand on, no pilots, no support.

It is registered by tests only (`install`), and goes through the same pages and services as the systems that ship.
"""

import pytest

SLUG = "toy"


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registers the toy for the length of a test."""
    from systems import GAMES
    from systems.game import Game

    from .battle import ToyBattles
    from .campaign import ToyCampaigns
    from .roster import ToyRosters

    monkeypatch.setitem(GAMES, SLUG, Game(roster=ToyRosters(), battle=ToyBattles(), season=ToyCampaigns()))
