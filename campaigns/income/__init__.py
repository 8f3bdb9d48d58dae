"""What holding a territory brings: points at the close of each round, and a bonus at the next match."""
