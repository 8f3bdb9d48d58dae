"""What companies carry on their shields: a short code says shield, division, charge and two tinctures, and is drawn from
that alone. Pure."""

from systems.paper.emblems.code import Emblem, EmblemError, read_emblem, rolled
from systems.paper.emblems.drawing import FRAME, Layer, layers

__all__ = ["FRAME", "Emblem", "EmblemError", "Layer", "layers", "read_emblem", "rolled"]
