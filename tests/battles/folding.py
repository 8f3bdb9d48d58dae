"""Records folded to their end."""

from systems import battle_rules
from systems.engine.resolve import Record
from systems.situation import Situation


def final_situation(record: Record) -> Situation:
    """What stands after the last event."""
    system = battle_rules(record.setup.system)
    situation = system.opening(record.setup)
    for event in record.events:
        situation = system.follow(situation, event)
    return situation
