"""Follow records to their end and compare them with the report."""

from systems import battle_rules
from systems.battle_display import Situation
from systems.simulation.analysis import report_text, rounds_of
from systems.simulation.records import Record


def final_situation(record: Record) -> Situation:
    """Return the situation after the last event."""
    system = battle_rules(record.setup.system)
    situation = system.opening(record.setup)
    for event in record.events:
        situation = system.follow(situation, event)
    return situation


REPEATS_TITLE = ("round-began", "turn-began")  # kinds of events that a report omits because its title says the same


def missing_from_report(record: Record) -> list[str]:
    """Return sentences of events that the report omits or orders wrongly, without their dice or rule."""
    lines = iter(report_text(record).splitlines())
    missing = []
    for view in rounds_of(record):
        assert view.title in lines
        for line in (line for step in view.steps for line in step.lines):
            if line.event.kind in REPEATS_TITLE and line.sentence == f"{view.title}.":
                continue
            dice = f" [dice {' '.join(map(str, line.faces))}]" if line.faces else ""
            sentence = f"    {line.sentence}{dice}"
            if not any(each.startswith(sentence) and each.endswith(f" {line.rule}") for each in lines):
                missing.append(line.sentence)
    return missing
