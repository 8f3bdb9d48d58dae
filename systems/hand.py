"""The questions about each unit after a battle at the table, for result forms and for the printed slip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from systems.fates import DESTROYED, HITS_LOST, KILLS, CountField, FateField, PilotFateField, TickField, UnitFate
from systems.words import PLAIN_WORDS

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
            (each.label, fate.number(each.name)) for each in self.asks if isinstance(each, CountField) and each.is_recorded
        )
        return {label: count for label, count in counts if count}

    def told(self, fate: UnitFate) -> str:
        """Describe what is special to the game about a fate; often empty."""
        said = ((each, fate.get(each.name)) for each in self.asks if each.told)
        return ", ".join(each.told.format(answer=answer) for each, answer in said if answer)
