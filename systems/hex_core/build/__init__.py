"""Hex Core: what a machine and a squad are built of."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
