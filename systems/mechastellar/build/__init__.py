"""MechaStellar: what a machine and a force are built of."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
