"""Emblems of companies: a short code for shield, division, charge and two tinctures, and its drawing. Pure."""

from systems.paper.emblems.code import Emblem, EmblemError, read_emblem, random_emblem
from systems.paper.emblems.drawing import FRAME, Layer, layers

__all__ = ["FRAME", "Emblem", "EmblemError", "Layer", "layers", "read_emblem", "random_emblem"]
