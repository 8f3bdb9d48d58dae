"""Statistics of a club's matches: weapons, levels, ground, AI styles, luck, and the odds themselves."""
