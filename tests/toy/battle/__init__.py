"""The battles of Toy Soldiers. The engine calls `SYSTEM`."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
