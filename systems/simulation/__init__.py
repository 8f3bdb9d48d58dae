"""Simulated battles: one as a record, many as odds, and positions within them."""
