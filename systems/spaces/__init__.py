"""The spaces in which battles are fought: their geometry, and what only games that are played there are asked. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Aim:
    """One unit aims at another."""

    what: str  # "shot", "suppression", "lock"
    unit: str
    target: str
    success: bool


class Space:
    """Where the battles of a game are fought."""

    board: str  # the kind of drawing that a replay has, of `battles.replay.boards`
