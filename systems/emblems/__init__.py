"""Emblems of companies: drawings, and short codes for shield, division, charge and two tinctures. Pure."""

from systems.emblems.drawing import FRAME, Emblem, EmblemError, Layer, layers, random_emblem, read_emblem

__all__ = ["FRAME", "Emblem", "EmblemError", "Layer", "layers", "read_emblem", "random_emblem"]
