"""Meks & Mercs: a d6 game of small companies on nine zones."""
