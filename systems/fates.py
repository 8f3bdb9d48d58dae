"""What became of a unit: the fields that a game declares of it, and what is said in them.

Forms, reports, comparisons, results, ledgers, pages and slips walk a game's declaration (its HandTerms). A field of its own
is named there and nowhere else; reports and results keep the answer under its name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, TypeVar

import pydantic

Answer = int | str  # a tick is a bool
FieldT = TypeVar("FieldT", bound="FateField")
# what forms, documents and results say of a number that is out of bounds
NOT_WHOLE, TOO_LOW, TOO_HIGH = "must be a whole number", "must be {} or more", "must be {} or less"


def one_of(answers: Iterable[str]) -> str:
    """What forms and documents say of an answer that is none of these."""
    return f"must be one of {', '.join(answers)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FateField(ABC):
    """Something that is said of a unit after a battle, in one kind of answer.

    `told` is how a result's page and the ledger tell an answer, with {answer} in it; empty: they don't, or in words of
    their own. `needs` and `bars` each name a tick that must or must not be set beside this, and the refusal: {name} of
    the unit, {rule} that the game cites for the field.
    """

    nothing: ClassVar[Answer]  # what is not said
    open_as: ClassVar[str] = ""  # what is not said, in words, where it contradicts no other answer

    name: str  # in documents
    label: str  # within a sentence
    told: str = ""
    needs: tuple[str, str] | None = None
    bars: tuple[str, str] | None = None
    is_of_hits: bool = False  # a result has the hits that are left instead; of a unit that is lost it says nothing
    stands_as: str = ""  # its name in a result, where that is another one

    @property
    @abstractmethod
    def form(self) -> object:
        """The type of an answer in documents, with its bounds."""

    def in_words(self, answer: Answer) -> str:
        """An answer as a comparison of reports shows it."""
        return str(answer) or self.open_as

    def objection(self, answer: Answer) -> str:
        """Why this can't be an answer; empty if it can."""
        return ""

    def read(self, unit: Mapping[str, object]) -> Answer:
        """The answer that a unit of a result holds."""
        found = unit.get(self.stands_as or self.name)
        return found if found and isinstance(found, int | str) else self.nothing

    def written(self, answer: Answer) -> dict[str, Answer]:
        """The answer as a unit of a result holds it."""
        return {} if self.is_of_hits else {self.stands_as or self.name: answer}

    def called(self: FieldT, label: str) -> FieldT:
        """The field as another game calls it."""
        return replace(self, label=label)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(FateField):
    """How many, or how much."""

    nothing: ClassVar[Answer] = 0
    most: int = 99  # the bound of forms, documents and results
    is_recorded: bool = False  # a unit's record adds it up, under its label

    @property
    def form(self) -> object:
        return Annotated[int, pydantic.Field(ge=0, le=self.most)]

    def objection(self, answer: Answer) -> str:
        if not isinstance(answer, int) or isinstance(answer, bool):
            return NOT_WHOLE
        if answer < 0:
            return TOO_LOW.format(0)
        return TOO_HIGH.format(self.most) if answer > self.most else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick(FateField):
    """Whether it happened."""

    nothing: ClassVar[Answer] = False
    lost_by: str = ""  # what a result calls it as the reason of the unit's loss, which it then is

    @property
    def form(self) -> object:
        return bool

    def in_words(self, answer: Answer) -> str:
        return "yes" if answer else "no"

    def read(self, unit: Mapping[str, object]) -> Answer:
        return unit["lost_by"] == self.lost_by if self.lost_by else FateField.read(self, unit)

    def written(self, answer: Answer) -> dict[str, Answer]:
        if self.lost_by:
            return {"lost_by": self.lost_by} if answer else {}
        return FateField.written(self, answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotsFate(FateField):
    """What a die at the table said of the pilot; no answer: the die is still to be rolled."""

    nothing: ClassVar[Answer] = ""
    open_as: ClassVar[str] = "not rolled"
    fates: tuple[tuple[str, str], ...] = ()  # as documents have them, and in words

    @property
    def form(self) -> object:
        return Annotated[Literal[("", *dict(self.fates))], pydantic.BeforeValidator(self._checked)]

    def objection(self, answer: Answer) -> str:
        known = tuple(dict(self.fates))
        return "" if answer in ("", *known) else f"{one_of(known)}, or nothing"

    def _checked(self, answer: Answer) -> Answer:
        if reason := self.objection(answer):
            raise ValueError(reason)
        return answer

    def written(self, answer: Answer) -> dict[str, Answer]:
        return FateField.written(self, answer) if answer else {}


KILLS = Count(name="kills", label="kills")
HITS_LOST = Count(name="hits_lost", label="hits lost", is_of_hits=True)  # since the start, or since it was mended
MENDED = Tick(name="mended", label="mended", is_of_hits=True)  # support made it as new
DESTROYED = Tick(name="destroyed", label="destroyed", stands_as="lost")
WITHDREW = Tick(name="withdrew", label="withdrew", bars=("destroyed", "{name} can't be destroyed and have withdrawn."))
WOUNDED = Tick(name="wounded", label="pilot wounded")
FATE = PilotsFate(
    name="fate",
    label="pilot’s fate",
    needs=("destroyed", "Only pilots of destroyed units roll for their fate{rule}: {name} was not."),
    fates=(("unhurt", "unhurt"), ("injured", "injured"), ("killed", "killed")),
)
IN_DOCUMENTS = ("hits_lost", "mended", "kills", Count, "destroyed", Tick, "withdrew", "wounded", "fate")


def documented(fields: Iterable[FateField], own: Iterable[FateField] = ()) -> tuple[FateField, ...]:
    """Each of those fields once, in the order of documents: those that games share, among them what is one game's own.

    A number that several games ask has the widest of their bounds, unless it is among the `own` of a game.
    """
    known: dict[str, FateField] = {}
    for each in fields:
        known[each.name] = max(known.get(each.name, each), each, key=lambda field: getattr(field, "most", 0))
    known |= {each.name: each for each in own}
    place = {name: IN_DOCUMENTS.index(name if name in IN_DOCUMENTS else type(each)) for name, each in known.items()}
    return tuple(sorted(known.values(), key=lambda each: place[each.name]))


class UnitFate(Mapping[str, Answer]):
    """What became of one unit: answers by the names of fields. What is not among them did not happen."""

    __slots__ = ("_said",)

    def __init__(self, said: Mapping[str, Answer] | None = None, /, **more: Answer) -> None:
        self._said = {name: answer for name, answer in {**(said or {}), **more}.items() if answer}

    def __getitem__(self, name: str) -> Answer:
        return self._said[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._said)

    def __len__(self) -> int:
        return len(self._said)

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def number(self, name: str) -> int:
        """The answer to a count."""
        return int(self.get(name, 0))

    @property
    def kills(self) -> int:
        return self.number("kills")

    @property
    def is_lost(self) -> bool:
        return "destroyed" in self
