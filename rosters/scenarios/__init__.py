"""Scenarios: published ones, players' own, and the form with the map for writing them."""
