"""The battles of Hex Core. The engine calls `SYSTEM`."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
