"""Cups: groups, play-offs and a knock-out as a way of a campaign's pairing."""
