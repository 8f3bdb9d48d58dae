"""Meks & Mercs: fights over zones, pilots who learn, companies that keep what they have."""

from systems.game import Game
from systems.meks_and_mercs.battle import SYSTEM as BATTLE
from systems.meks_and_mercs.build import NEWEST as ROSTER
from systems.meks_and_mercs.paper import MeksAndMercsPaper
from systems.meks_and_mercs.season import SYSTEM as SEASON

GAME = Game(roster=ROSTER, battle=BATTLE, season=SEASON, paper=MeksAndMercsPaper())
