"""The demo campaigns of a new installation."""
