"""Meks & Mercs: a d6 game of small companies on nine zones."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
