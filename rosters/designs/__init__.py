"""Unit designs, published ones and players' own: pages, API and the design lab."""
