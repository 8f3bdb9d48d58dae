"""The battles of Meks & Mercs."""

from systems.meks_and_mercs.battle.system import SYSTEM

__all__ = ["SYSTEM"]
