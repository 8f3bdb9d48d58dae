"""Hex Core: squads of mechs, vehicles and drones on hexes, with one unit's turn after another."""

from systems.game import Game
from systems.hex_core.battle import SYSTEM as BATTLE
from systems.hex_core.build import SYSTEM as ROSTER
from systems.hex_core.paper import HexCorePaper
from systems.hex_core.season import SYSTEM as SEASON

GAME = Game(roster=ROSTER, battle=BATTLE, season=SEASON, paper=HexCorePaper())
