"""What if they had fought on otherwise: a recorded battle taken up at the start of a round, with other doctrines."""
