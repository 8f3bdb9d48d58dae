"""How a campaign starts: from a template or a copy of an old one, until it runs with its companies."""
