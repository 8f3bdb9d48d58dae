"""Seasons over several games: one table above campaigns; the two players of a match agree on its game."""
