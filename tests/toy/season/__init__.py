"""Toy Soldiers between battles."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
