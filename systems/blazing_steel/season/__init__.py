"""Blazing Steel between battles; all of it is Muster's own (BS-200)."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
