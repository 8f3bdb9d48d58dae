"""The chance in a planned match, counted."""

from __future__ import annotations

from campaigns.models import Match
from campaigns.services.forces import match_document, reckoned_force
from systems.reading import read_setup
from systems.simulation.odds import chance_of, with_best_styles

BATTLES = 2_000  # for each pair and each way round: enough to tell 45 from 50 percent
SEED = 0


def match_chance(match: Match) -> float:
    """The chance that the attacker does better, a draw counted half, on the match's own ground.

    Raises RefusedError or DocumentError if it can't be fought.
    What its players have sealed or ordered for it is not looked at: who reads the odds would come to know it. Each side
    fights in the AI style that gives it its best chance.
    """
    assert match.defender is not None
    forces = [reckoned_force(match, side) for side in (0, 1)]
    sides = [("Attacker", match.attacker, forces[0]), ("Defender", match.defender, forces[1])]
    setup = with_best_styles(read_setup(match_document(match, sides)), SEED)
    return chance_of(setup, SEED, BATTLES)
