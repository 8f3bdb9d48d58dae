"""Geometry that boards of several rule systems share: inches, hexes, zones. Pure."""
