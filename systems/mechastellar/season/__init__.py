"""MechaStellar between battles: experience, wounds, repairs, income, leagues."""

from .system import SYSTEM

__all__ = ["SYSTEM"]
