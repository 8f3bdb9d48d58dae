"""Names to roll, for pilots, units and companies."""
