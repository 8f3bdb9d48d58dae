"""Hex Core between battles: all of it is ours but for the experience for weapons (HX-119)."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
