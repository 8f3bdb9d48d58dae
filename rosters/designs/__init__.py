"""Unit designs: published ones and players' own, the design lab, their pages and their API."""
