"""Designs of units: published ones and players' own, the lab that they are built in, their pages and their API."""
