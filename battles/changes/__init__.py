"""Which single change of a set-up helps a side most: every possible one is tried, on the same dice."""
