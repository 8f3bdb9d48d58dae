"""Catalogue versions of games: their changes, and companies that change to a newer version."""
