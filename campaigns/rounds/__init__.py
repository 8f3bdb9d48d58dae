"""Rounds as organisers and players meet them: their pages and API, and closing them."""
