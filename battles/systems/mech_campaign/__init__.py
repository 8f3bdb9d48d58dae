"""Mech Campaign: a battle on a table measured in inches. `SYSTEM` is what the engine asks."""

from battles.systems.mech_campaign.system import SYSTEM

__all__ = ["SYSTEM"]
