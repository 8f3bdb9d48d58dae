"""A campaign itself: drawn up, set, moved on, and who is in it."""
