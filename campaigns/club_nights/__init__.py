"""Club nights: companies ready for a game, and the even games that the server proposes."""
