"""Blazing Steel: what a Warmech and a force are built of."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
