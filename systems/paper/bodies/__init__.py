"""Drawings of units, made only from the visible parts (`Body`) that a game lists. Pure."""

from systems.body import Body, Mounted
from systems.paper.bodies.drawing import Drawing, drawing
from systems.paper.bodies.ink import FRAME, Mark

__all__ = ["FRAME", "Body", "Drawing", "Mark", "Mounted", "drawing"]
