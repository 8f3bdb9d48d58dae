"""Cups: groups, play-offs and a knock-out as a campaign's pairing method."""
