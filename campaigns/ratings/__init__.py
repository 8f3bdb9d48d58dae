"""Ratings of a club's players, from their results against the odds; docs/ratings.md explains the calculation."""
