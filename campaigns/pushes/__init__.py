"""Notices on a player’s devices, by the push services of their browsers."""
