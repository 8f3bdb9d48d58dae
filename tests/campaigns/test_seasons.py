"""A season over several games: who meets whom, in which game, and one table of all of it."""

import pytest

from campaigns.seasons.drawing import season_round_draw
from tests.campaigns.many_games import a_round, a_season, agreed, decided

pytestmark = pytest.mark.django_db


def test_first():
    ledger = a_season()
    row = a_round(ledger, "round-robin")
    print([ledger.names(p) + (p.state, str(p.match), p.obstacle) for p in row.pairings.all()])
    agreed(ledger, row, 1)
    print([ledger.names(p) + (p.state, str(p.match and p.match.round.campaign), p.obstacle) for p in row.pairings.all()])
    decided(ledger, row, "ann", "ben")
    print([(l.row.name, l.row.points) for l in ledger.sheet.table])
    row = season_round_draw(season=ledger.season, by=ledger.organiser, way="swiss")
    print([ledger.names(p) + (p.state, str(p.match), p.obstacle) for p in row.pairings.all()])
