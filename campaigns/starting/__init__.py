"""How a campaign starts: from a template or a copy of an old one, and set off once its companies are in."""
