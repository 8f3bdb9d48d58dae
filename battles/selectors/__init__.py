"""Selectors for battles, in frozen dataclasses for pages and the API."""
