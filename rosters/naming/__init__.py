"""Random names for pilots, units and companies."""
