"""Emblems of companies: a short code for shield, division, charge and two tinctures, and its drawing. Pure."""

from systems.emblems.drawing import Emblem
from systems.emblems.drawing import EmblemError
from systems.emblems.drawing import read_emblem
from systems.emblems.drawing import random_emblem
from systems.emblems.drawing import FRAME
from systems.emblems.drawing import Layer
from systems.emblems.drawing import layers


__all__ = ["FRAME", "Emblem", "EmblemError", "Layer", "layers", "read_emblem", "random_emblem"]
