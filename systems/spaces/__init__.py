"""The spaces of battles: their geometry, and the interface of games played there. Pure."""

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
    """Where a game's battles take place."""

    board: str  # the kind of a replay's drawing, of `battles.replay.boards`
