"""The offline pack: the pages of an evening that a phone keeps for when there is no network."""
