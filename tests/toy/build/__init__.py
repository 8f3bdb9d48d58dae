"""Toy Soldiers: what a company owns."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
