"""Hex Core: how machines fight. `SYSTEM` is what the engine asks."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
