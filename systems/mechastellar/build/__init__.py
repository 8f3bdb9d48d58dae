"""MechaStellar: building machines and forces."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
