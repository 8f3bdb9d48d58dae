"""Standings points of results, as data. Campaigns, cups and seasons each have a `Scoring`. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from systems.text import pluralize


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """Standings points of each result."""

    win: int
    draw: int
    loss: int
    bye: int | None = None  # None: as a win
    walkover: int | None = None  # for the side that came; None: as a win


def describe_bye(scoring: Scoring, *, win: str = "a win") -> str:
    """Return what a bye is worth, for a sentence: "a win", or "2 points"."""
    return win if scoring.bye is None else pluralize(scoring.bye, "points")
