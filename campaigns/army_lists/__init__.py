"""Mustering for a match by the book: choose the pilots, roll for support, buy units for that match only."""
