"""Battles that Muster plays: one to its record, many to odds, and positions of them."""
