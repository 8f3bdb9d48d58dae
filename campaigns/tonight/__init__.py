"""The offline pack: pages that a player's phone stores before an evening without a network."""
