"""Reads of battles and odds that span rows, a module for each thing that is looked at: frozen dataclasses for pages and API."""
