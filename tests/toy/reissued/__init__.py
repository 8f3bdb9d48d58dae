"""Toy Soldiers after a second release of their catalogue: a Knight costs more, Runners are retired, Archers are new."""

from systems.game import Game
from tests.toy.battle import ToyBattles
from tests.toy.build import ToyRosters
from tests.toy.catalogue import REISSUED
from tests.toy.paper import ToyPaper
from tests.toy.season import SYSTEM as SEASON

ROSTER = ToyRosters(REISSUED)
GAME = Game(roster=ROSTER, battle=ToyBattles(ROSTER), season=SEASON, paper=ToyPaper())
