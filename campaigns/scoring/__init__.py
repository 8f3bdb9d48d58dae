"""Scoring: the standings points of results, and the settings of organisers about them."""
