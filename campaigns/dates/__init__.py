"""When players can play, the dates that they agree on for their matches, and each player's calendar of all of it."""
