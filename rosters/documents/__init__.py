"""What goes out of the rosters and comes in: companies as documents, what a battle takes of them, a player's data."""
