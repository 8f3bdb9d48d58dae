"""What a player stores on his phone before he goes where there is no network."""
