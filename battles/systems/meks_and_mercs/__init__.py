"""Meks & Mercs: how its battles are fought."""

from battles.systems.meks_and_mercs.system import SYSTEM

__all__ = ["SYSTEM"]
