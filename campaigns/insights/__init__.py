"""What a club's matches say of weapons, levels, ground and doctrines, of luck, and of the odds themselves."""
