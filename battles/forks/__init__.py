"""Forks: a recorded battle resumed at the start of a round, with other AI styles."""
