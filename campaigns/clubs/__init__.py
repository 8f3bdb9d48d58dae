"""Clubs: their members, and what they do together."""
