"""Blazing Steel: a few Warmechs a side, with two players who take turns leading."""

from systems.blazing_steel.battle import SYSTEM as BATTLE
from systems.blazing_steel.build import SYSTEM as ROSTER
from systems.blazing_steel.paper import BlazingSteelPaper
from systems.blazing_steel.season import SYSTEM as SEASON
from systems.game import Game

GAME = Game(roster=ROSTER, battle=BATTLE, season=SEASON, paper=BlazingSteelPaper())
