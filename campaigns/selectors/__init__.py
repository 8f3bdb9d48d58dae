"""Reads of clubs and campaigns that span rows, a module for each area: frozen dataclasses, a fixed number of queries."""
