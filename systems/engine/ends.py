"""Tallies of battle ends, common to all games, and ends packed into one number. Loaded twice, like the rules."""

from __future__ import annotations

from typing import Protocol

PRIME = 1_000_003


class Ends(Protocol):
    """The fields of every tally."""

    battles: int
    attacker_wins: int  # by side A
    defender_wins: int
    draws: int
    rounds: int


def count_end(t: Ends, winner: int, rounds: int) -> None:
    """Add a battle to the tally; `winner` is side 0, side 1 or nobody."""
    t.battles += 1
    t.rounds += rounds
    if winner == 0:
        t.attacker_wins += 1
    elif winner == 1:
        t.defender_wins += 1
    else:
        t.draws += 1


def pack_end(winner: int, margin: int, print_: int) -> int:
    """Pack a battle's end into one number: winner, margin in points, and fingerprint, 0 .. PRIME - 1."""
    return (margin * 3 + winner + 1) * PRIME + print_


def winner_of(end: int) -> int:
    """Return the winning side, or -1, from a packed end or an array of them."""
    return end // PRIME % 3 - 1


def margin_of(end: int) -> int:
    """Return the margin from a packed end: points of side A's surviving units minus those of side B's."""
    return end // PRIME // 3
