"""The spaces of battles: their geometry, and the interface of games played there. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Aim:
    """One unit aiming at another."""

    what: str  # "shot", "suppression", "lock"
    unit: str
    target: str
    success: bool


class Space:
    """Where a game's battles take place."""

    board: str  # kind of drawing in replays, one of `battles.replay.boards`
