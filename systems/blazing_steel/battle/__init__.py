"""The battles of Blazing Steel. The engine calls `SYSTEM`."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
