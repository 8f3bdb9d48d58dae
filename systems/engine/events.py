"""Events, which are the typed facts of a battle, and the outcome of a battle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Annotated, Any

import pydantic

from systems.documents import Document, parse_document

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
