"""The table of a campaign: scores, points, tie-breakers, and the map."""
