"""The campaign rules of Toy Soldiers."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
