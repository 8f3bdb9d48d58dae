"""Rounds: planned, paired, published, and listed with their fixtures."""
