"""Records folded to their end."""

from systems import battle_rules
from systems.battle import Situation
from systems.engine.resolve import Record


def final_situation(record: Record) -> Situation:
    """What stands after the last event."""
    system = battle_rules(record.setup.system)
    situation = system.opening(record.setup)
    for event in record.events:
        situation = system.follow(situation, event)
    return situation
