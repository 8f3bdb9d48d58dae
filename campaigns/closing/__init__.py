"""Closing a round, step by step."""
