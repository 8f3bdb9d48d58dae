"""Scenarios of the players: published ones, their own, and the form with the map that they are written on."""
