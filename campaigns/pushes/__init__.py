"""Push notifications on a player's devices, sent through the push services of their browsers."""
