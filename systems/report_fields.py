"""Questions about each unit after a battle at the table, for forms and printed slips, and the meaning of the answers.

Forms, reports, comparisons, results, ledgers, pages and slips are built from a game's declaration, its HandTerms. It is
the only place that names a game's own fields; reports and results keep an answer under its field's name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar, Literal, TypeVar

import pydantic

from systems.text import PLAIN_WORDS

FieldAnswer = int | str  # True or False for a tick
FieldT = TypeVar("FieldT", bound="FateField")
# messages in forms, documents and results for a number out of bounds
NOT_WHOLE, TOO_LOW, TOO_HIGH = "must be a whole number", "must be {} or more", "must be {} or less"


def one_of(answers: Iterable[str]) -> str:
    """Return the message for an answer that isn't one of these."""
    return f"must be one of {', '.join(answers)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FateField(ABC):
    """A question about a unit after a battle, with one kind of answer.

    `phrase` describes an answer on a result's page and in the ledger, with {answer} in it; if empty, they leave it out
    or have their own words. `needs` and `bars` each name a tick that must or mustn't be set together with this field, and
    the refusal, with {name} of the unit and {rule} behind the field.
    """

    nothing: ClassVar[FieldAnswer]  # the value of no answer
    open_as: ClassVar[str] = ""  # label for no answer, where that doesn't contradict another answer

    name: str  # in documents
    label: str  # within a sentence
    phrase: str = ""
    needs: tuple[str, str] | None = None
    bars: tuple[str, str] | None = None
    is_of_hits: bool = False  # about hits: a result holds the hits left instead, and nothing for a lost unit
    stands_as: str = ""  # its name in a result, if different

    @property
    @abstractmethod
    def form(self) -> object:
        """Return the type of an answer in documents, with its bounds."""

    def in_words(self, answer: FieldAnswer) -> str:
        """Return an answer as shown when reports are compared."""
        return str(answer) or self.open_as

    def objection(self, answer: FieldAnswer) -> str:
        """Return why the answer is impossible; empty if it's possible."""
        return ""

    def read(self, unit: Mapping[str, object]) -> FieldAnswer:
        """Return the answer from a unit of a result."""
        found = unit.get(self.stands_as or self.name)
        return found if found and isinstance(found, int | str) else self.nothing

    def written(self, answer: FieldAnswer) -> dict[str, FieldAnswer]:
        """Return the answer as stored in a unit of a result."""
        return {} if self.is_of_hits else {self.stands_as or self.name: answer}

    def called(self: FieldT, label: str) -> FieldT:
        """Return the field with this label, for another game."""
        return replace(self, label=label)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountField(FateField):
    """A number: how many, or how much."""

    nothing: ClassVar[FieldAnswer] = 0
    most: int = 99  # the maximum in forms, documents and results
    is_recorded: bool = False  # a unit's record adds the numbers up under this label

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
    lost_by: str = ""  # if the tick means a loss: the reason in a result

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
    """The pilot's fate as rolled at the table; no answer means that the die hasn't been rolled yet."""

    nothing: ClassVar[FieldAnswer] = ""
    open_as: ClassVar[str] = "not rolled"
    fates: tuple[tuple[str, str], ...] = ()  # value in documents, and words

    @property
    def form(self) -> object:
        return Annotated[Literal[("", *dict(self.fates))], pydantic.BeforeValidator(self._check)]

    def objection(self, answer: FieldAnswer) -> str:
        known = tuple(dict(self.fates))
        return "" if answer in ("", *known) else f"{one_of(known)}, or nothing"

    def _check(self, answer: FieldAnswer) -> FieldAnswer:
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
    """Return each of the fields once, in the order of documents, including a game's own fields.

    If several games ask for the same number, its widest bounds apply, unless it is among a game's `own`.
    """
    known: dict[str, FateField] = {}
    for each in fields:
        known[each.name] = max(known.get(each.name, each), each, key=lambda field: getattr(field, "most", 0))
    known |= {each.name: each for each in own}
    place = {name: IN_DOCUMENTS.index(name if name in IN_DOCUMENTS else type(each)) for name, each in known.items()}
    return tuple(sorted(known.values(), key=lambda each: place[each.name]))


class UnitFate(Mapping[str, FieldAnswer]):
    """What happened to one unit: answers by field name. No answer means that it did not happen."""

    __slots__ = ("_answers",)

    def __init__(self, answers: Mapping[str, FieldAnswer] | None = None, /, **more: FieldAnswer) -> None:
        self._answers = {name: answer for name, answer in {**(answers or {}), **more}.items() if answer}

    def __getitem__(self, name: str) -> FieldAnswer:
        return self._answers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._answers)

    def __len__(self) -> int:
        return len(self._answers)

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def number(self, name: str) -> int:
        """Return the answer of a CountField."""
        return int(self.get(name, 0))

    @property
    def kills(self) -> int:
        return self.number("kills")

    @property
    def is_lost(self) -> bool:
        return "destroyed" in self


MAX_ROUNDS = 999
FATE_IS_ROLLED = "roll"  # a side's support as "rolled": it may be any result


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTerms:
    """The questions about each unit after a battle, in the order of a report.

    `rules`: rule IDs for refusals, by the refused field, or "support". `mends`: the support result that fully repairs a
    unit during a game; only sides with it are asked which unit was repaired.
    """

    asks: tuple[FateField, ...] = (KILLS, HITS_LOST, DESTROYED)
    hits: str = PLAIN_WORDS.hits  # what a unit loses until it is destroyed
    # messages for a report of too much or too little: {name}, {hits} left, {word} or {one} for them
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
        """Return the possible fates of a destroyed unit's pilot; empty if they aren't rolled at the table."""
        return dict(next((each.fates for each in self.asks if isinstance(each, PilotFateField)), ()))

    @property
    def ends(self) -> tuple[str, ...]:
        """Return the names of the ticks that mean a unit was destroyed, each a reason of loss."""
        return tuple(each.name for each in self.asks if isinstance(each, TickField) and each.lost_by)

    def asked(self, support: Sequence[str]) -> dict[str, FateField]:
        """Return the fields that a side with this support is asked about, by name."""
        can_mend = self.mends in support or FATE_IS_ROLLED in support
        return {each.name: each for each in self.asks if can_mend or each.name != "mended"}

    def cite(self, what: str) -> str:
        """Return the rule behind a refusal, in brackets; empty if the system names none."""
        return f" ({self.rules[what]})" if what in self.rules else ""

    def fate_of(self, unit: Mapping[str, object]) -> UnitFate:
        """Return the fate of a unit from a result, without its lost hits."""
        return UnitFate({each.name: each.read(unit) for each in self.asks if not each.is_of_hits})

    def recorded(self, fate: UnitFate) -> dict[str, int]:
        """Return what a fate adds to the unit's record, by label, beyond what is common to all games."""
        counts = (
            (each.label, fate.number(each.name))
            for each in self.asks
            if isinstance(each, CountField) and each.is_recorded
        )
        return {label: count for label, count in counts if count}

    def describe_fate(self, fate: UnitFate) -> str:
        """Describe the parts of a fate that only this game has; often empty."""
        answers = ((each, fate.get(each.name)) for each in self.asks if each.phrase)
        return ", ".join(each.phrase.format(answer=answer) for each, answer in answers if answer)
