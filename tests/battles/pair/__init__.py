"""Tests of dice of two phones."""
