"""Meks & Mercs: how its battles are fought."""

from systems.meks_and_mercs.battle.system import SYSTEM

__all__ = ["SYSTEM"]
