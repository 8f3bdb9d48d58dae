"""Seasons over several games: one table above campaigns, each match in the game that its two players agree on."""
