"""Records folded to their end."""

from battles.engine.resolve import Record
from battles.systems import get_system
from battles.systems.base import Situation


def final_situation(record: Record) -> Situation:
    """What stands after the last event."""
    system = get_system(record.setup.system)
    situation = system.opening(record.setup)
    for event in record.events:
        situation = system.follow(situation, event)
    return situation
