"""A readable record: rounds, steps, sentences and situations, built from the events without running the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from systems import battle_rules
from systems.engine.events import Event, Modifier
from systems.figures import format_signed
from systems.reading import describe_house_rules
from systems.simulation.resolve import Record
from systems.situation import BandView, Situation, UnitView
from systems.terms import SupportLine


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event with its words."""

    number: int  # place in the record, from 1
    event: Event
    sentence: str
    look: str  # the kind of line: "hit", "crit", "move"
    verdict: bool | None  # whether its roll succeeded; None if nothing was tried
    mark: str = ""  # an event readers look for, of `systems.engine.facts.MARKS`
    weapon: str = ""  # the weapon that it names
    marked: str = ""  # the key of the unit the mark is about

    @property
    def rule(self) -> str:
        return self.event.rule

    @property
    def faces(self) -> tuple[int, ...]:
        return self.event.faces

    @property
    def dice(self) -> list[tuple[int, bool | None]]:
        """Each die and whether it decided; the last one did, a die before it was re-rolled."""
        made, last = self.verdict, len(self.faces) - 1
        return [(face, made if at == last else None) for at, face in enumerate(self.faces)]

    @property
    def modifiers(self) -> tuple[Modifier, ...]:
        return self.event.modifiers


@dataclass(frozen=True, slots=True)
class StepView:
    """The events of one step of a round."""

    slug: str
    title: str
    lines: tuple[EventLine, ...]


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round and the state at its end."""

    number: int
    title: str  # "Round 3", "Turn 3"
    steps: tuple[StepView, ...]
    units: tuple[UnitView, ...]
    bands: tuple[BandView, ...]

    @property
    def word(self) -> str:
        """The parts that the record is divided into: "Round" or "Turn"."""
        return self.title.rpartition(" ")[0]

    @property
    def steps_below_title(self) -> tuple[StepView, ...]:
        """The steps to read under the title, without the line that only repeats it, "Round 3."."""
        steps = [
            replace(step, lines=tuple(line for line in step.lines if line.sentence != f"{self.title}."))
            for step in self.steps
        ]
        return tuple(step for step in steps if step.lines)


def marks_counted(record: Record) -> Counter[str]:
    """Count the marks in the record that readers look for, by `systems.engine.facts.MARKS`."""
    facts = battle_rules(record.setup.system).facts
    return Counter(mark for event in record.events if (mark := facts[event.kind].mark_of(event)))


def rounds_of(record: Record) -> tuple[RoundView, ...]:
    """Return the record by round. Events before the first round belong to the first, those after the last to the last."""
    system = battle_rules(record.setup.system)
    tell = system.narrator(record.setup)
    parts = system.parts(record.setup, dict(system.unit_names(record.setup)))
    situation = system.opening(record.setup)
    rounds: list[tuple[int, list[EventLine], Situation]] = []
    for number, event in enumerate(record.events, start=1):
        situation = system.follow(situation, event)
        fact = system.facts[event.kind]
        weapon = parts(event).get(system.armed, "")
        mark, marked = fact.mark_of(event), fact.marked(event)
        line = EventLine(number, event, tell(event), fact.look_of(event), fact.verdict(event), mark, weapon, marked)
        at = max(1, event.round)
        if not rounds or rounds[-1][0] != at:
            rounds.append((at, [], situation))
        rounds[-1][1].append(line)
        rounds[-1] = (at, rounds[-1][1], situation)
    return tuple(
        RoundView(
            number,
            system.round_title(record.setup, number),
            _steps(lines, system.step_title),
            tuple(unit for unit in view.units if not unit.is_reserve),
            view.bands,
        )
        for number, lines, view in rounds
    )


def _steps(lines: list[EventLine], title: Callable[[str], str]) -> tuple[StepView, ...]:
    steps: list[tuple[str, list[EventLine]]] = []
    for line in lines:
        if not steps or steps[-1][0] != line.event.step:
            steps.append((line.event.step, []))
        steps[-1][1].append(line)
    return tuple(StepView(slug, title(slug), tuple(step)) for slug, step in steps)


def support_of(record: Record) -> tuple[SupportLine, ...]:
    """Return the support of both sides and its results."""
    system = battle_rules(record.setup.system)
    tell = system.narrator(record.setup)
    return system.describe_support(record.setup, [(event, tell(event)) for event in record.events])


def report_text(record: Record) -> str:
    """Return the battle as a plain text report, dice and rule IDs included."""
    setup = record.setup
    system = battle_rules(setup.system)
    names = system.unit_names(setup)
    place = system.place_title(setup)
    lines = [f"{setup.sides[0].name} against {setup.sides[1].name}, {place}, seed {record.seed}"]
    if system.terms(setup.scenario):
        lines.append(f"  Terrain: {system.describe_ground(setup)}")
    rules = describe_house_rules(setup.system, setup.options)
    if rules:
        lines.append(f"  House rules: {'; '.join(map(str, rules))}")
    for side in setup.sides:
        lines.append(f"  {side.name} ({side.doctrine}): " + ", ".join(names[unit.key] for unit in side.units))
    for support in support_of(record):
        rolled = f" [dice {' '.join(map(str, support.faces))}]" if support.faces else ""
        used = "used" if support.is_used else "not used"
        lines.append(f"  Support of {setup.sides[support.side].name}: {support.result.name}{rolled}, {used}")
    for view in rounds_of(record):
        lines += ["", view.title]
        for step in view.steps_below_title:
            lines.append(f"  {step.title}")
            for line in step.lines:
                dice = f" [dice {' '.join(map(str, line.faces))}]" if line.faces else ""
                parts = ", ".join(f"{part.name} {format_signed(part.value)}" for part in line.modifiers)
                lines.append(f"    {line.sentence}{dice}{f' ({parts})' if parts else ''} {line.rule}")
    winner = record.outcome["winner"]
    lines += ["", f"Winner: {winner}" if winner else "A draw", f"Digest: {record.digest}"]
    return "\n".join(lines) + "\n"
