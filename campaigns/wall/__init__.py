"""The wall: a screen for the club's room, by a secret link and without a sign-in, that turns its own pages."""
