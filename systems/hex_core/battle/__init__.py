"""Hex Core: how machines fight."""
