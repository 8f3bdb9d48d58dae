"""Searches for the best force, the best single change, and the best build."""
