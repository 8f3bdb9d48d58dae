"""What is asked of each unit after a battle at the table: by the forms of a result, and by the slip that they are filled in from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from systems.fates import DESTROYED, HITS_LOST, KILLS, Count, FateField, PilotsFate, Tick, UnitFate
from systems.words import PLAIN

MAX_ROUNDS = 999
ROLLED = "roll"  # among a side's support: a roll, which may have brought anything


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTerms:
    """What is said of each unit after a battle, in the order of a report.

    `rules`: IDs that refusals cite, by the field refused, or "support".
    `mends`: the support result that makes a unit as new in the middle of a game; sides without one are not asked
    which unit was mended.
    """

    asks: tuple[FateField, ...] = (KILLS, HITS_LOST, DESTROYED)
    hits: str = PLAIN.hits  # what a unit loses until it is destroyed
    # what a report is told that says too much, or not all: {name}, {hits} left, {word} or {one} for them
    too_many: str = "{name} has only {hits} {word} to lose."
    all_lost: str = "{name} lost its last {one}, so it is destroyed."
    rules: Mapping[str, str] = field(default_factory=dict)
    mends: str = ""

    @property
    def fields(self) -> dict[str, str]:
        """What each field is called within a sentence, by its name."""
        return {each.name: each.label for each in self.asks}

    @property
    def fates(self) -> dict[str, str]:
        """What can be said of the pilot of a destroyed unit; nothing where no die at the table decides it."""
        return dict(next((each.fates for each in self.asks if isinstance(each, PilotsFate)), ()))

    @property
    def ends(self) -> tuple[str, ...]:
        """Names of the ticks that are the reason of a loss: who has one of them is destroyed."""
        return tuple(each.name for each in self.asks if isinstance(each, Tick) and each.lost_by)

    def asked(self, support: Sequence[str]) -> dict[str, FateField]:
        """The fields that a side with this support is asked, by name."""
        can_mend = self.mends in support or ROLLED in support
        return {each.name: each for each in self.asks if can_mend or each.name != "mended"}

    def cite(self, what: str) -> str:
        """The rule behind a refusal, in brackets; empty if the system names none."""
        return f" ({self.rules[what]})" if what in self.rules else ""

    def fate_of(self, unit: Mapping[str, object]) -> UnitFate:
        """What a unit of a result says became of it, but for what it lost of its hits."""
        return UnitFate({each.name: each.read(unit) for each in self.asks if not each.is_of_hits})

    def recorded(self, fate: UnitFate) -> dict[str, int]:
        """What a fate adds to the record of a unit beyond what all games do, by its label."""
        counts = (
            (each.label, fate.number(each.name)) for each in self.asks if isinstance(each, Count) and each.is_recorded
        )
        return {label: count for label, count in counts if count}

    def told(self, fate: UnitFate) -> str:
        """What its game has to tell of a fate beyond what all games do, in words; mostly nothing."""
        said = ((each, fate.get(each.name)) for each in self.asks if each.told)
        return ", ".join(each.told.format(answer=answer) for each, answer in said if answer)
