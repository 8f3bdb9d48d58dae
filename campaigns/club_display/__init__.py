"""The club display: a screen for the club's room, opened by a secret link without sign-in, that turns its own pages."""
