"""Template tags of campaigns, for every app."""
