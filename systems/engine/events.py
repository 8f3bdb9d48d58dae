"""Events and facts of a battle, and its outcome.

An event is one typed fact of a battle. FACTS of a game have one row for each kind, which defines its note, event,
sentence and replay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import Annotated, Any

import pydantic

from systems.battle_display import Situation, UnitView
from systems.documents import Document, parse_document
from systems.engine.dice import Log

Value = int | str | bool | None
EVENT_FIELDS = {"round", "step", "kind", "rule", "unit", "target", "faces", "modifiers", "result"}


def _is_number(value: object) -> bool:
    """Return whether it is a whole number as in JSON, not True or False."""
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Modifier:
    """One named part of a total."""

    name: str
    value: int
    rule: str


@dataclass(frozen=True, slots=True)
class Event:
    """One fact, in the past tense. `unit` acts on `target`; both are keys from the set-up."""

    round: int
    step: str
    kind: str
    rule: str
    unit: str | None = None
    target: str | None = None
    faces: tuple[int, ...] = ()  # of d6, in the order rolled
    modifiers: tuple[Modifier, ...] = ()
    result: Mapping[str, Value] = field(default_factory=dict)

    @property
    def added(self) -> int:
        """Return the sum of its modifiers."""
        return sum(modifier.value for modifier in self.modifiers)

    @property
    def total(self) -> int:
        """Return its last die plus all its modifiers."""
        return self.faces[-1] + self.added

    def number(self, name: str) -> int:
        """Return a whole number from its result; 0 if there is none."""
        return int(self.result[name] or 0)

    def to_json(self) -> dict[str, object]:
        """Return the event as JSON values, without empty ones."""
        body: dict[str, object] = {"round": self.round, "step": self.step, "kind": self.kind, "rule": self.rule}
        if self.unit is not None:
            body["unit"] = self.unit
        if self.target is not None:
            body["target"] = self.target
        if self.faces:
            body["faces"] = list(self.faces)
        if self.modifiers:
            body["modifiers"] = [{"name": m.name, "value": m.value, "rule": m.rule} for m in self.modifiers]
        if self.result:
            body["result"] = dict(self.result)
        return body

    @classmethod
    def from_json(cls, body: Mapping[str, object]) -> Event:
        """Return the event from JSON values; raises TypeError, KeyError or ValueError if they aren't an event."""
        faces = body.get("faces", [])
        modifiers = body.get("modifiers", [])
        result = body.get("result", {})
        number = body["round"]
        if not isinstance(number, int) or not (
            isinstance(faces, list)
            and isinstance(modifiers, list)
            and isinstance(result, dict)
            and _is_number(number)
            and all(_is_number(face) for face in faces)
            and all(isinstance(value, int | str | None) for value in result.values())
            and all(isinstance(body.get(key, ""), str) for key in ("step", "kind", "rule", "unit", "target"))
            and all(isinstance(m, dict) and _is_number(m["value"]) for m in modifiers)
            and all(isinstance(m[key], str) for m in modifiers for key in ("name", "rule"))
            and body.keys() <= EVENT_FIELDS
        ):
            raise TypeError("not an event")
        unit, target = body.get("unit"), body.get("target")
        return cls(
            round=number,
            step=str(body["step"]),
            kind=str(body["kind"]),
            rule=str(body["rule"]),
            unit=None if unit is None else str(unit),
            target=None if target is None else str(target),
            faces=tuple(faces),
            modifiers=tuple(Modifier(m["name"], m["value"], m["rule"]) for m in modifiers),
            result=result,
        )


class OwnOutcome(Document):
    """A game's own fields of a unit after a battle; the record leaves out None values."""


@dataclass(frozen=True, slots=True)
class UnitOutcome:
    """The outcome of a battle for one unit."""

    key: str
    side: str
    lost: bool
    lost_by: str | None  # the game's own word: "hits", "explosion"
    killed_by: str | None
    withdrew: bool
    hits: int  # left
    wounded: bool = False
    kills: int = 0  # units destroyed, if the game records them
    own: OwnOutcome = OwnOutcome()

    def to_json(self) -> dict[str, object]:
        """Return the outcome of the unit as JSON values."""
        return {
            "key": self.key,
            "side": self.side,
            "lost": self.lost,
            "lost_by": self.lost_by,
            "killed_by": self.killed_by,
            "withdrew": self.withdrew,
            "hits": self.hits,
            "wounded": self.wounded,
            "kills": self.kills,
            **self.own.model_dump(mode="json", exclude_none=True),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a battle."""

    winner: str | None  # name of the side
    draw: bool
    reason: str
    rounds: int
    units: tuple[UnitOutcome, ...]
    points: Mapping[str, Fraction] = field(default_factory=dict)  # victory points by side name, in games that have them

    def to_json(self) -> dict[str, object]:
        """Return the outcome as JSON values; points are exact texts: "2", "7/3"."""
        return {
            "winner": self.winner,
            "draw": self.draw,
            "reason": self.reason,
            "rounds": self.rounds,
            "units": [unit.to_json() for unit in self.units],
            **({"points": {name: str(points) for name, points in self.points.items()}} if self.points else {}),
        }


def check_outcome(body: Mapping[str, object], own: type[OwnOutcome]) -> None:
    """Raise DocumentError if the JSON values aren't an outcome with these fields of the game's own."""
    parse_document(_outcome_form(own), body, "outcome")


class _UnitForm(Document):
    key: str
    side: str
    lost: bool
    lost_by: str | None
    killed_by: str | None
    withdrew: bool
    hits: int
    wounded: bool
    kills: int


class _OutcomeForm(Document):
    winner: str | None
    draw: bool
    reason: str
    rounds: int
    points: dict[str, Annotated[str, pydantic.Field(pattern=r"^[0-9]{1,9}(/[1-9][0-9]{0,8})?$")]] = {}


@cache
def _outcome_form(own: type[OwnOutcome]) -> type[_OutcomeForm]:
    fields: dict[str, Any] = {
        name: (about.annotation, None if about.default is None else ...) for name, about in own.model_fields.items()
    }
    unit: Any = pydantic.create_model("_UnitForm", __base__=_UnitForm, **fields)
    return pydantic.create_model("_OutcomeForm", __base__=_OutcomeForm, units=(tuple[unit, ...], ...))


Effect = Callable[[Situation, Event], Situation]
Words = Mapping[int, str] | Sequence[str]  # words by number; for a flag, those for false and true
KEYS = ("unit", "target", "by")  # fields that hold an index in the list of units
MARKS: Mapping[str, str] = {  # marks that readers look for in a battle, with their words
    "kill": "Kill",
    "critical": "Critical hit",
    "objective": "Objective",
    "support": "Support",
    "heat": "Heat",
    "fall": "Fall",
}


@dataclass(frozen=True)
class Fact:
    """One kind of fact: how the rules record it, how it is described, and what changes for a spectator.

    `fields` names the numbers of a note, in the order of the event. `unit`, `target` and `by` are indexes in the list
    of units; `face...` is a die (0: not rolled); `faces` are all dice of a throw, noted as face1, face2 and so on; a
    name in `modifiers` is a modifier, with the rule behind it; all others go into the result, as yes or no if the name
    ends with a question mark. Numbers missing from a note are 0.
    """

    kind: str
    rule: str
    step: str
    fields: str
    says: str | Callable[[EventWords], str]  # a sentence with field names in braces, formatted by `EventWords`
    words: Mapping[str, Words] = field(default_factory=dict)  # words for the numbers of fields
    modifiers: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # field -> (displayed name, rule)
    rules: Mapping[str, str] = field(default_factory=dict)  # field -> its rule, if the field isn't 0
    effect: Effect | None = None
    decided: str = ""  # the flag that says whether a roll succeeded
    look: str | tuple[str, str] = ""  # how the event's line looks; a pair: by the flag `decided`, failed and succeeded
    mark: str = ""  # one of MARKS, which replays show and jump to; empty for most kinds
    when: str = ""  # the field that must be set for the mark
    befalls: str = "unit"  # the field with the marked unit: unit or target

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names of the fields as the rules use them."""
        return tuple(self.fields.replace("?", "").split())

    @cached_property
    def flags(self) -> frozenset[str]:
        """Return the fields that are yes or no."""
        return frozenset(name[:-1] for name in self.fields.split() if name.endswith("?"))

    def verdict(self, event: Event) -> bool | None:
        """Return whether the roll of an event of this kind succeeded; None if there was no roll."""
        made = event.result.get(self.decided)
        return made if isinstance(made, bool) else None

    def look_of(self, event: Event) -> str:
        """Return how the line of an event of this kind looks."""
        if isinstance(self.look, str) and self.look:
            return self.look
        made = self.verdict(event)
        return "" if made is None else (self.look or ("miss", "hit"))[made]

    def mark_of(self, event: Event) -> str:
        """Return the mark of an event of this kind, one of MARKS; "" if none."""
        return self.mark if not self.when or event.result[self.when] else ""

    def marked_unit(self, event: Event) -> str:
        """Return the key of the marked unit; "" if there is none."""
        return (event.target if self.befalls == "target" else event.unit) or ""

    def event(self, number: int, parts: Mapping[str, int], keys: Sequence[str]) -> Event:
        """Return a note of the rules as an event of that round."""
        thrown = [name for name in parts if name.startswith("face")] if "faces" in self.names else []
        if not parts.keys() <= {*self.names, *thrown}:
            raise ValueError(f"a note of {self.kind} names {' '.join(parts)}, its row {' '.join(self.names)}")
        named: dict[str, str | None] = {}
        faces: list[int] = []
        modifiers: list[Modifier] = []
        result: dict[str, Value] = {}
        for name in self.names:
            if name == "faces":
                faces += [parts[each] for each in thrown]
                continue
            value = int(parts.get(name, 0))
            if name in KEYS:
                (result if name == "by" else named)[name] = keys[value] if value >= 0 else None
            elif name.startswith("face"):
                faces += [value] if value else []
            elif name in self.modifiers:
                modifiers += [Modifier(self.modifiers[name][0], value, self.modifiers[name][1])] if value else []
            else:
                result[name] = bool(value) if name in self.flags else value
        rule = next((other for name, other in self.rules.items() if parts.get(name)), self.rule)
        return Event(
            round=number,
            step=self.step,
            kind=self.kind,
            rule=rule,
            unit=named.get("unit"),
            target=named.get("target"),
            faces=tuple(faces),
            modifiers=tuple(modifiers),
            result=result,
        )


class Count(int):
    """A number of things: `{hits:Hit}` gives "1 Hit", "2 Hits"."""

    def __format__(self, spec: str) -> str:
        return pluralize(int(self), spec) if spec else str(int(self))


IRREGULAR = {"die": "dice", "enemy": "enemies", "hex": "hexes"}  # irregular plurals in sentences
THEY = {"is": "are", "has": "have", "does": "do", "goes": "go"}  # plurals of verbs


def pluralize(count: int, word: str) -> str:
    """Return the number with its noun: one thing, two things."""
    if count == 1:
        return f"{count} {word}"
    *before, noun = word.split(" ")
    return " ".join([str(count), *before, IRREGULAR.get(noun, f"{noun}s")])


def in_plural(name: str, sentence: str) -> str:
    """Return a sentence about this name in the plural: "Commandos moves" becomes "Commandos move"."""
    verb, *rest = sentence.removeprefix(f"{name} ").split(" ")
    if verb in THEY:
        verb = THEY[verb]
    elif verb.endswith("ies"):
        verb = f"{verb[:-3]}y"
    else:
        verb = verb[:-2] if verb.endswith(("ches", "shes", "sses")) else verb.removesuffix("s")
    return " ".join([name, verb, *("their" if word == "its" else word for word in rest)])


@dataclass(frozen=True, slots=True)
class EventWords:
    """An event's fields by name, in words, for the sentence of its row.

    It also has `sides`, `last` (the last die), and `sum` (that die with its modifiers).
    """

    event: Event
    fact: Fact
    names: Mapping[str, str]  # of units, by key
    sides: Sequence[str]
    parts: Mapping[str, str]  # this game's additional words

    def __getitem__(self, name: str) -> Any:
        if name in self.parts:
            return self.parts[name]
        if name in KEYS:
            key = self.event.result["by"] if name == "by" else getattr(self.event, name)
            return self.names.get(str(key), "")
        if name == "sides":
            return self.sides
        if name == "sum":
            return self.event.total
        value = self.event.faces[-1] if name == "last" else self.event.number(name)
        if name in self.fact.words:
            return self.fact.words[name][value]
        return self.sides[value] if name == "side" else Count(value)

    def number(self, name: str) -> int:
        """Return a number of the event's result."""
        return self.event.number(name)


class Facts(Mapping[str, Fact]):
    """A game's rows by kind; `several` are names of units in the plural, such as "Commandos"."""

    def __init__(self, *rows: Fact, several: tuple[str, ...] = ()) -> None:
        self._rows = {row.kind: row for row in rows}
        self._several = several

    def __getitem__(self, kind: str) -> Fact:
        return self._rows[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def events(self, log: Log, keys: Sequence[str], opening: str) -> tuple[Event, ...]:
        """Return the notes of a battle as events; `keys` are the units' keys, in the order of the state's list.

        A note of the kind `opening` starts the round whose number it has.
        """
        events: list[Event] = []
        number = 0
        for kind, parts in log:
            if kind == opening:
                number = parts["number"]
            events.append(self[kind].event(number, parts, keys))
        return tuple(events)

    def follow(self, situation: Situation, event: Event) -> Situation:
        """Return the situation after one more event; unchanged if the event has no visible effect."""
        effect = self[event.kind].effect
        return effect(situation, event) if effect else situation

    def sentence(self, event: Event, parts: Mapping[str, str], names: Mapping[str, str], sides: Sequence[str]) -> str:
        """Describe the event."""
        row = self[event.kind]
        words = EventWords(event, row, names, sides, parts)
        sentence = row.says(words) if callable(row.says) else row.says.format_map(words)
        for name in (words["unit"], words["by"] if "by" in event.result else ""):
            if name.startswith(self._several) and sentence.startswith(f"{name} "):
                return in_plural(name, sentence)
        return sentence


# --- what an event changes --------------------------------------------------------------------------------------------


def part(name: str) -> Callable[[Event], int]:
    """Return a function for a number of an event's result, for use in `shows`."""
    return lambda event: event.number(name)


def shows(who: str = "unit", **values: Any) -> Effect:
    """Return an effect that sets values on the same units as `alters`; callable values are called with the event."""

    def change(unit: UnitView, event: Event) -> UnitView:
        return replace(unit, **{name: value(event) if callable(value) else value for name, value in values.items()})

    return alters(change, who)


def alters(change: Callable[[Any, Event], UnitView], who: str = "unit") -> Effect:
    """Return an effect that changes the event's unit, its `target`, or all units of its `side`."""

    def effect(situation: Situation, event: Event) -> Situation:
        whom = event.number("side") if who == "side" else getattr(event, who)
        units = tuple(
            change(unit, event) if whom == (unit.side if who == "side" else unit.key) else unit
            for unit in situation.units
        )
        return replace(situation, units=units)

    return effect


def when(condition: Callable[[Event], object] | str, effect: Effect) -> Effect:
    """Return the effect, limited to events with that condition or with that flag in their result."""

    def conditioned(situation: Situation, event: Event) -> Situation:
        holds = event.result[condition] if isinstance(condition, str) else condition(event)
        return effect(situation, event) if holds else situation

    return conditioned


def then(*effects: Effect) -> Effect:
    """Return several effects as one, applied in order."""

    def all_of_them(situation: Situation, event: Event) -> Situation:
        for effect in effects:
            situation = effect(situation, event)
        return situation

    return all_of_them
