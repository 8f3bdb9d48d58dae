"""The questions about a unit after a battle at the table, for forms and printed slips, and what their answers mean.

Forms, reports, comparisons, results, ledgers, pages and slips follow a game's declaration, its HandTerms. A field of
one game's own is named there and nowhere else; reports and results keep the answer under its name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal, TypeVar

import pydantic

from systems.text import PLAIN_WORDS

FieldAnswer = int | str  # a tick is a bool
FieldT = TypeVar("FieldT", bound="FateField")
# the messages of forms, documents and results for a number that is out of bounds
NOT_WHOLE, TOO_LOW, TOO_HIGH = "must be a whole number", "must be {} or more", "must be {} or less"


def one_of(answers: Iterable[str]) -> str:
    """Return the message of forms and documents for an answer that is none of these."""
    return f"must be one of {', '.join(answers)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FateField(ABC):
    """A question about a unit after a battle, with one kind of answer.

    `told` describes an answer on a result's page and in the ledger, with {answer} in it; empty: they leave it out, or
    have words of their own. `needs` and `bars` each name a tick that must or must not be set together with this field,
    and the refusal: {name} of the unit, {rule} that the game cites for the field.
    """

    nothing: ClassVar[FieldAnswer]  # the value of no answer
    open_as: ClassVar[str] = ""  # label of no answer, where it contradicts no other answer

    name: str  # in documents
    label: str  # within a sentence
    told: str = ""
    needs: tuple[str, str] | None = None
    bars: tuple[str, str] | None = None
    is_of_hits: bool = False  # a result has the hits left instead, and nothing for a lost unit
    stands_as: str = ""  # its name in a result, if different

    @property
    @abstractmethod
    def form(self) -> object:
        """Return the type of an answer in documents, with its bounds."""

    def in_words(self, answer: FieldAnswer) -> str:
        """Return an answer as a comparison of reports shows it."""
        return str(answer) or self.open_as

    def objection(self, answer: FieldAnswer) -> str:
        """Return why this can't be an answer; empty if it can."""
        return ""

    def read(self, unit: Mapping[str, object]) -> FieldAnswer:
        """Return the answer in a unit of a result."""
        found = unit.get(self.stands_as or self.name)
        return found if found and isinstance(found, int | str) else self.nothing

    def written(self, answer: FieldAnswer) -> dict[str, FieldAnswer]:
        """Return the answer as a unit of a result holds it."""
        return {} if self.is_of_hits else {self.stands_as or self.name: answer}

    def called(self: FieldT, label: str) -> FieldT:
        """Return the field with another game's label."""
        return replace(self, label=label)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountField(FateField):
    """A number: how many, or how much."""

    nothing: ClassVar[FieldAnswer] = 0
    most: int = 99  # the bound of forms, documents and results
    is_recorded: bool = False  # a unit's record adds it up, under its label

    @property
    def form(self) -> object:
        return Annotated[int, pydantic.Field(ge=0, le=self.most)]

    def objection(self, answer: FieldAnswer) -> str:
        if not isinstance(answer, int) or isinstance(answer, bool):
            return NOT_WHOLE
        if answer < 0:
            return TOO_LOW.format(0)
        return TOO_HIGH.format(self.most) if answer > self.most else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TickField(FateField):
    """Whether something happened."""

    nothing: ClassVar[FieldAnswer] = False
    lost_by: str = ""  # the reason of the unit's loss in a result, if the tick means a loss

    @property
    def form(self) -> object:
        return bool

    def in_words(self, answer: FieldAnswer) -> str:
        return "yes" if answer else "no"

    def read(self, unit: Mapping[str, object]) -> FieldAnswer:
        return unit["lost_by"] == self.lost_by if self.lost_by else FateField.read(self, unit)

    def written(self, answer: FieldAnswer) -> dict[str, FieldAnswer]:
        if self.lost_by:
            return {"lost_by": self.lost_by} if answer else {}
        return FateField.written(self, answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotFateField(FateField):
    """The pilot's fate as rolled at the table; no answer: the die is still to be rolled."""

    nothing: ClassVar[FieldAnswer] = ""
    open_as: ClassVar[str] = "not rolled"
    fates: tuple[tuple[str, str], ...] = ()  # as documents have them, and in words

    @property
    def form(self) -> object:
        return Annotated[Literal[("", *dict(self.fates))], pydantic.BeforeValidator(self._checked)]

    def objection(self, answer: FieldAnswer) -> str:
        known = tuple(dict(self.fates))
        return "" if answer in ("", *known) else f"{one_of(known)}, or nothing"

    def _checked(self, answer: FieldAnswer) -> FieldAnswer:
        if reason := self.objection(answer):
            raise ValueError(reason)
        return answer

    def written(self, answer: FieldAnswer) -> dict[str, FieldAnswer]:
        return FateField.written(self, answer) if answer else {}


KILLS = CountField(name="kills", label="kills")
HITS_LOST = CountField(
    name="hits_lost", label="hits lost", is_of_hits=True
)  # since the start, or since its last repair
MENDED = TickField(name="mended", label="mended", is_of_hits=True)  # support repaired it fully
DESTROYED = TickField(name="destroyed", label="destroyed", stands_as="lost")
WITHDREW = TickField(
    name="withdrew", label="withdrew", bars=("destroyed", "{name} can't be destroyed and have withdrawn.")
)
WOUNDED = TickField(name="wounded", label="pilot wounded")
FATE = PilotFateField(
    name="fate",
    label="pilot’s fate",
    needs=("destroyed", "Only pilots of destroyed units roll for their fate{rule}: {name} was not."),
    fates=(("unhurt", "unhurt"), ("injured", "injured"), ("killed", "killed")),
)
IN_DOCUMENTS = ("hits_lost", "mended", "kills", CountField, "destroyed", TickField, "withdrew", "wounded", "fate")


def documented(fields: Iterable[FateField], own: Iterable[FateField] = ()) -> tuple[FateField, ...]:
    """Return each of those fields once, in the order of documents, including one game's own fields.

    A number that several games ask has the widest of their bounds, unless it is among the `own` of a game.
    """
    known: dict[str, FateField] = {}
    for each in fields:
        known[each.name] = max(known.get(each.name, each), each, key=lambda field: getattr(field, "most", 0))
    known |= {each.name: each for each in own}
    place = {name: IN_DOCUMENTS.index(name if name in IN_DOCUMENTS else type(each)) for name, each in known.items()}
    return tuple(sorted(known.values(), key=lambda each: place[each.name]))


class UnitFate(Mapping[str, FieldAnswer]):
    """What happened to one unit: answers by the names of fields. A field without an answer did not happen."""

    __slots__ = ("_said",)

    def __init__(self, said: Mapping[str, FieldAnswer] | None = None, /, **more: FieldAnswer) -> None:
        self._said = {name: answer for name, answer in {**(said or {}), **more}.items() if answer}

    def __getitem__(self, name: str) -> FieldAnswer:
        return self._said[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._said)

    def __len__(self) -> int:
        return len(self._said)

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def number(self, name: str) -> int:
        """Return the answer of a count."""
        return int(self.get(name, 0))

    @property
    def kills(self) -> int:
        return self.number("kills")

    @property
    def is_lost(self) -> bool:
        return "destroyed" in self


MAX_ROUNDS = 999
FATE_IS_ROLLED = "roll"  # in a side's support: a roll, which may have brought anything


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTerms:
    """The questions about each unit after a battle, in the order of a report.

    `rules`: IDs that refusals cite, by the field refused, or "support". `mends`: the support result that fully repairs
    a unit in the middle of a game; sides without one are not asked which unit was repaired.
    """

    asks: tuple[FateField, ...] = (KILLS, HITS_LOST, DESTROYED)
    hits: str = PLAIN_WORDS.hits  # what a unit loses until it is destroyed
    # messages for a report that says too much or too little: {name}, {hits} left, {word} or {one} for them
    too_many: str = "{name} has only {hits} {word} to lose."
    all_lost: str = "{name} lost its last {one}, so it is destroyed."
    rules: Mapping[str, str] = field(default_factory=dict)
    mends: str = ""

    @property
    def fields(self) -> dict[str, str]:
        """Return the label of each field within a sentence, by its name."""
        return {each.name: each.label for each in self.asks}

    @property
    def fates(self) -> dict[str, str]:
        """Return the possible fates of a destroyed unit's pilot; empty where no die at the table decides it."""
        return dict(next((each.fates for each in self.asks if isinstance(each, PilotFateField)), ()))

    @property
    def ends(self) -> tuple[str, ...]:
        """Return the names of the ticks that mean that a unit is destroyed, as the reason of the loss."""
        return tuple(each.name for each in self.asks if isinstance(each, TickField) and each.lost_by)

    def asked(self, support: Sequence[str]) -> dict[str, FateField]:
        """Return the fields to be asked of a side with this support, by name."""
        can_mend = self.mends in support or FATE_IS_ROLLED in support
        return {each.name: each for each in self.asks if can_mend or each.name != "mended"}

    def cite(self, what: str) -> str:
        """Return the rule behind a refusal, in brackets; empty if the system names none."""
        return f" ({self.rules[what]})" if what in self.rules else ""

    def fate_of(self, unit: Mapping[str, object]) -> UnitFate:
        """Return the fate of a unit of a result, except its lost hits."""
        return UnitFate({each.name: each.read(unit) for each in self.asks if not each.is_of_hits})

    def recorded(self, fate: UnitFate) -> dict[str, int]:
        """Return what a fate adds to the unit's record beyond what all games have, by label."""
        counts = (
            (each.label, fate.number(each.name))
            for each in self.asks
            if isinstance(each, CountField) and each.is_recorded
        )
        return {label: count for label, count in counts if count}

    def describe_fate(self, fate: UnitFate) -> str:
        """Describe what is special to the game about a fate; often empty."""
        said = ((each, fate.get(each.name)) for each in self.asks if each.told)
        return ", ".join(each.told.format(answer=answer) for each, answer in said if answer)
