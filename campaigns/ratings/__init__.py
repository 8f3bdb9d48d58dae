"""Ratings of a club's players, by their results against the odds; docs/ratings.md tells how they are worked out."""
