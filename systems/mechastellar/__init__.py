"""MechaStellar: giant robots, monsters and warships, up to twelve a side."""

from systems.game import Game
from systems.mechastellar.battle import SYSTEM as BATTLE
from systems.mechastellar.build import SYSTEM as ROSTER
from systems.mechastellar.paper import MechaStellarPaper
from systems.mechastellar.season import SYSTEM as SEASON

GAME = Game(roster=ROSTER, battle=BATTLE, season=SEASON, paper=MechaStellarPaper())
