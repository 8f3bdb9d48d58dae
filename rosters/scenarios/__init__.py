"""Scenarios, published ones and players' own: pages, API, and the form with a map for writing them."""
