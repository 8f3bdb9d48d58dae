"""Mech Campaign: a d6 game with four to six units a side on a table in inches."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
