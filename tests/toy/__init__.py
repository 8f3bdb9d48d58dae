"""Toy Soldiers: a whole game, as small as one can be, made up for the tests. Two units, one die, a line in inches."""

from systems.game import Game
from tests.toy.battle import SYSTEM as BATTLE
from tests.toy.build import SYSTEM as ROSTER
from tests.toy.paper import ToyPaper
from tests.toy.season import SYSTEM as SEASON

GAME = Game(roster=ROSTER, battle=BATTLE, season=SEASON, paper=ToyPaper())
