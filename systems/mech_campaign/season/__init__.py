"""Mech Campaign between battles."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
