"""Odds: forecasts, what-ifs, matchups, win chance over time, forks."""
