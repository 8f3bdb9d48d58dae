"""Which single change of a set-up helps a side most: all that can be made are tried, on the same dice."""
