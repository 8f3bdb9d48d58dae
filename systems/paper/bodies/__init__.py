"""Drawings of units, made only from the visible parts (`Body`) that a game lists. Pure."""

from systems.paper.bodies.drawing import Drawing, drawing
from systems.paper.bodies.ink import FRAME, Mark
from systems.paper.bodies.parts import Body, Mounted

__all__ = ["FRAME", "Body", "Drawing", "Mark", "Mounted", "drawing"]
