"""Selectors for battles and odds, a module for each thing shown: frozen dataclasses for pages and API."""
