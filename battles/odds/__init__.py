"""Odds and what belongs to them: what-ifs, matchups, win chance over time, forks."""
