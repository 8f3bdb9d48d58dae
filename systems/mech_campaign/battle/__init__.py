"""Battles on a table measured in inches. The engine uses `SYSTEM`."""

from systems.mech_campaign.battle.system import SYSTEM

__all__ = ["SYSTEM"]
