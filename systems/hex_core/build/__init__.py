"""Hex Core: building machines and squads."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
