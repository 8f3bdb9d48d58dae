"""Drawings of units, made only from the visible parts (`Body`) that a game lists. Pure."""

from systems.artwork.canvas import Body
from systems.artwork.canvas import Mounted
from systems.artwork.drawing import Drawing
from systems.artwork.drawing import drawing
from systems.artwork.canvas import FRAME
from systems.artwork.canvas import Mark


__all__ = ["FRAME", "Body", "Drawing", "Mark", "Mounted", "drawing"]
