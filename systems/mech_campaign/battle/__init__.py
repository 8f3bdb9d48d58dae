"""Mech Campaign: a battle on a table measured in inches. `SYSTEM` is what the engine asks."""

from systems.mech_campaign.battle.system import SYSTEM

__all__ = ["SYSTEM"]
