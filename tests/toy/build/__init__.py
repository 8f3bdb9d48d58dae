"""The units and companies of Toy Soldiers."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
