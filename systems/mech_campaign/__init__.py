"""Mech Campaign: battles on a table measured in inches."""

from systems.game import Game
from systems.mech_campaign.battle import SYSTEM as BATTLE
from systems.mech_campaign.build import SYSTEM as ROSTER
from systems.mech_campaign.paper import MechCampaignPaper
from systems.mech_campaign.season import SYSTEM as SEASON

GAME = Game(roster=ROSTER, battle=BATTLE, season=SEASON, paper=MechCampaignPaper())
