"""MechaStellar battles. `SYSTEM` is what the engine calls."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
