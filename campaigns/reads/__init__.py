"""Reads that span rows, an area each, as frozen dataclasses that pages and the API draw from."""
