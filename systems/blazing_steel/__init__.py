"""Blazing Steel: a few Warmechs a side, two players who take turns to lead."""

from systems.blazing_steel.battle import SYSTEM as BATTLE
from systems.blazing_steel.build import SYSTEM as ROSTER
from systems.game import Game

GAME = Game(roster=ROSTER, battle=BATTLE)
