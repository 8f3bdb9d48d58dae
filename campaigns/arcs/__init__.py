"""A game's scenarios played in their order as one war of attackers against defenders."""
