"""What holding a territory yields: points at the close of each round, and a bonus in the next match."""
