"""Catalogue versions of games: what changed, and companies that change to a newer one."""
