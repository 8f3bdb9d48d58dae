"""Blazing Steel: building Warmechs and forces."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
