"""What units look like: a game says what a unit is made of (`Body`), and it is drawn from that alone. Pure."""

from systems.paper.bodies.drawing import Drawing, drawing
from systems.paper.bodies.ink import FRAME, Mark
from systems.paper.bodies.parts import Body, Mounted

__all__ = ["FRAME", "Body", "Drawing", "Mark", "Mounted", "drawing"]
