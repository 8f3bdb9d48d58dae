"""Helpers of the kill test: a site whose servers are killed at random, its load, and the checks afterwards."""
