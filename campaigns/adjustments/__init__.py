"""Rulings on a company itself: points, units and pilots given, taken, harmed and mended, each with a reason."""
