"""The names of a match's sides, units and support, for comparing and describing its reports."""

from __future__ import annotations

from collections import Counter

from campaigns.models import Match
from campaigns.results.compare import ReportLabels
from campaigns.results.support import support_names
from systems import battle_rules
from systems.reading import stored_setup


def match_words(match: Match) -> ReportLabels:
    """Return the words of a match whose lists are revealed."""
    setup = stored_setup(match.setup or {})
    system = battle_rules(setup.system)
    names = system.unit_names(setup)
    named = [(unit.key, unit.name or names[unit.key], side.name) for side in setup.sides for unit in side.units]
    often = Counter(name for _, name, _ in named)
    return ReportLabels(
        sides=(setup.sides[0].name, setup.sides[1].name),
        units={key: f"{name} of {side}" if often[name] > 1 else name for key, name, side in named},
        support=support_names(setup.system),
        fields=system.hand.asks,
    )
