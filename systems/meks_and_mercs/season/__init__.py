"""Meks & Mercs between battles: SYSTEM."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
