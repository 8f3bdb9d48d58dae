"""Hex Core between battles; all of it is Muster's own, except the experience for weapons (HX-119)."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
