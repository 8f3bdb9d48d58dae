"""Drawings of units, made only from the visible parts (`Body`) that a game lists. Pure."""

from systems.artwork.canvas import FRAME, Body, Mark, Mounted
from systems.artwork.drawing import Drawing, drawing

__all__ = ["FRAME", "Body", "Drawing", "Mark", "Mounted", "drawing"]
