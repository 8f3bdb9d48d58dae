"""The battles of MechaStellar. The engine calls `SYSTEM`."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
