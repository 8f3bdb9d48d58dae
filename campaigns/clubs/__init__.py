"""Clubs: who belongs to them and what they do together."""
