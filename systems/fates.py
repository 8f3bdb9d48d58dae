"""What became of a unit: the fields that a game declares of it, and what is said in them.

Forms, reports, comparisons, results, ledgers, pages and slips walk a game's declaration (its HandTerms). A game's own field
is named there and nowhere else; a result keeps the answer under the field's name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import pydantic

Answer = int | str  # a tick is a bool
FieldT = TypeVar("FieldT", bound="FateField")
NOT_SAID: Mapping[str, Answer] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class FateField(ABC):
    """Something that is said of a unit after a battle, in one kind of answer.

    `told` is how a result's page and the ledger tell an answer, with {answer} in it; empty: they don't, or in words of
    their own. `needs` and `bars` each name a tick that must or must not be set beside this, and the refusal: {name} of
    the unit, {rule} that the game cites for the field.
    """

    nothing: ClassVar[Answer]  # what is not said

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

    @property
    def leaves_open(self) -> str:
        """What an answer of nothing says, where that contradicts no other answer; else empty."""
        return ""

    @abstractmethod
    def in_words(self, answer: Answer) -> str:
        """An answer as a comparison of reports shows it."""

    def objection(self, answer: Answer) -> str:
        """Why this can't be an answer; empty if it can."""
        return ""

    def read(self, unit: Mapping[str, Any]) -> Answer:
        """The answer that a unit of a result holds."""
        found: Answer = unit.get(self.stands_as or self.name) or self.nothing
        return found

    def written(self, answer: Answer) -> dict[str, Answer]:
        """The answer as a unit of a result holds it."""
        return {} if self.is_of_hits else {self.stands_as or self.name: answer}

    @property
    def is_own(self) -> bool:
        """Whether only its game knows it, so that records hold it where they say what that game alone says of a unit."""
        return self.name in self.written(self.nothing) and self.name not in IN_DOCUMENTS

    def called(self: FieldT, label: str) -> FieldT:
        """The field as another game calls it."""
        return replace(self, label=label)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count(FateField):
    """How many, or how much."""

    nothing: ClassVar[Answer] = 0
    most: int = 99  # that a form takes

    @property
    def form(self) -> object:
        return Annotated[int, pydantic.Field(ge=0, le=max(100, self.most))]

    def in_words(self, answer: Answer) -> str:
        return str(answer)

    def objection(self, answer: Answer) -> str:
        is_number = isinstance(answer, int) and not isinstance(answer, bool) and answer >= 0
        return "" if is_number else "must be a whole number, 0 or more."


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

    def read(self, unit: Mapping[str, Any]) -> Answer:
        return unit["lost_by"] == self.lost_by if self.lost_by else FateField.read(self, unit)

    def written(self, answer: Answer) -> dict[str, Answer]:
        if self.lost_by:
            return {"lost_by": self.lost_by} if answer else {}
        return FateField.written(self, answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotsFate(FateField):
    """What a die at the table said of the pilot; no answer: the die is still to be rolled."""

    nothing: ClassVar[Answer] = ""
    fates: tuple[tuple[str, str], ...] = ()  # as documents have them, and in words

    @property
    def form(self) -> object:
        return Literal[("", *(slug for slug, _ in self.fates))]

    @property
    def leaves_open(self) -> str:
        return "not rolled"

    def in_words(self, answer: Answer) -> str:
        return str(answer) or self.leaves_open

    def objection(self, answer: Answer) -> str:
        slugs = [slug for slug, _ in self.fates]
        return f"must be one of {', '.join(slugs)}, or nothing." if answer and answer not in slugs else ""

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


def documented(fields: Iterable[FateField]) -> tuple[FateField, ...]:
    """Each of those fields once, in the order of documents: those that games share, among them what is one game's own."""
    known = {each.name: each for each in fields}

    def place(each: FateField) -> int:
        return IN_DOCUMENTS.index(each.name if each.name in IN_DOCUMENTS else type(each))

    return tuple(sorted(known.values(), key=place))


class UnitFate(Mapping[str, Answer]):
    """What became of one unit: answers by the names of fields. What is not among them did not happen."""

    __slots__ = ("_said",)

    def __init__(self, said: Mapping[str, Answer] = NOT_SAID, /, **more: Answer) -> None:
        self._said = {name: answer for name, answer in {**said, **more}.items() if answer}

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
