"""Calculate the win chance in a planned match."""

from __future__ import annotations

from campaigns.models import Match
from campaigns.musters.forces import match_document, public_estimate_list
from systems.reading import read_setup
from systems.simulation.odds import chance_of, with_best_styles

BATTLES_PER_PAIR = 2_000  # for each pair, either way round: enough to distinguish 45 from 50 percent
SEED = 0


def match_chance(match: Match) -> float:
    """Return the chance that the attacker does better, on the match's own ground; a draw counts half.

    Raise RefusedError or DocumentError if it can't be simulated. Submitted lists and orders of its players are ignored,
    because the odds would reveal them. Each side plays in the AI style that gives it its best chance.
    """
    assert match.defender is not None
    forces = [public_estimate_list(match, side) for side in (0, 1)]
    sides = [("Attacker", match.attacker, forces[0]), ("Defender", match.defender, forces[1])]
    setup = with_best_styles(read_setup(match_document(match, sides)), SEED)
    return chance_of(setup, SEED, BATTLES_PER_PAIR)
