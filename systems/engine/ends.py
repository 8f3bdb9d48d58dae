"""The tallies of battle ends that every game has, and an end as one number. Loaded twice, as the rules are."""

from __future__ import annotations

from typing import Protocol

PRIME = 1_000_003


class Ends(Protocol):
    """The counts of every tally."""

    battles: int
    attacker_wins: int  # of side A
    defender_wins: int
    draws: int
    rounds: int


def count_end(t: Ends, winner: int, rounds: int) -> None:
    """Add a battle to the tally, won by side 0, side 1 or nobody."""
    t.battles += 1
    t.rounds += rounds
    if winner == 0:
        t.attacker_wins += 1
    elif winner == 1:
        t.defender_wins += 1
    else:
        t.draws += 1


def pack_end(winner: int, margin: int, print_: int) -> int:
    """Return the end of a battle as one number: winner, margin in points, and fingerprint, 0 .. PRIME - 1."""
    return (margin * 3 + winner + 1) * PRIME + print_


def winner_of(end: int) -> int:
    """Return the side that won, or -1, from a packed end or an array of them."""
    return end // PRIME % 3 - 1


def margin_of(end: int) -> int:
    """Return the points of side A's units that were not destroyed minus those of side B's, from a packed end."""
    return end // PRIME // 3
