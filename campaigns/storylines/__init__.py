"""Campaign stories: a game's scenarios, played in order as one war of attackers against defenders."""
