"""Blazing Steel between battles: all of it is ours (BS-200)."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
