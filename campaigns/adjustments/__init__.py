"""Rulings on a company itself: points, units and pilots granted, taken, damaged or restored, each with a reason."""
