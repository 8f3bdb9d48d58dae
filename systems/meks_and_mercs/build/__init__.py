"""Meks & Mercs, a d6 game of small companies on nine zones: designs, pilots and scenarios."""

from .system import NEWEST, SYSTEM

__all__ = ["NEWEST", "SYSTEM"]
