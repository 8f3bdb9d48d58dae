"""Change a campaign to a newer version of its game's catalogue, together with its companies."""
