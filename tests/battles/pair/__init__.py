"""Tests of the dice of two phones."""
