"""Rounds: drawn up, paired, opened, and listed with their fixtures."""
