"""What the sides, units and support of a match are called, for comparing and telling its reports."""

from __future__ import annotations

from battles.documents import read_setup
from battles.systems import get_system
from campaigns.compare import Words
from campaigns.models import Match
from campaigns.support import support_names


def match_words(match: Match) -> Words:
    """The words of a match whose forces are open."""
    setup = read_setup(match.setup or {})
    names = get_system(setup.system).unit_names(setup)
    return Words(
        sides=(setup.sides[0].name, setup.sides[1].name),
        units={unit.key: names[unit.key] for side in setup.sides for unit in side.units},
        support=support_names(setup.system),
    )
