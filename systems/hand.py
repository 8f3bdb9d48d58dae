"""What is asked of each unit after a battle at the table: by the forms of a result, and by the slip that they are filled in from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from systems.words import PLAIN

HAND_FIELDS = ("kills", "specials", "mended", "hits_lost", "destroyed", "exploded", "withdrew", "wounded", "fate")
HAND_NUMBERS = ("kills", "specials", "hits_lost")
ROLLED = "roll"  # among a side's support: a roll, which may have brought anything


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTerms:
    """What is said of each unit after a battle at the table.

    `fields`: those of HAND_FIELDS that the system has, as they are called within a sentence, in the order of a report.
    `rules`: IDs that refusals cite, by what is refused: "fate", "support", "mended".
    `mends`: the support result that makes a unit as new in the middle of a game; sides without one are not asked
    which unit was mended.
    """

    fields: Mapping[str, str] = field(
        default_factory=lambda: {"kills": "kills", "hits_lost": "hits lost", "destroyed": "destroyed"}
    )
    hits: str = PLAIN.hits  # what a unit loses until it is destroyed
    # what a report is told that says too much, or not all: {name}, {hits} left, {word} or {one} for them
    too_many: str = "{name} has only {hits} {word} to lose."
    all_lost: str = "{name} lost its last {one}, so it is destroyed."
    fates: Mapping[str, str] = field(default_factory=dict)  # of the pilot of a destroyed unit
    rules: Mapping[str, str] = field(default_factory=dict)
    mends: str = ""

    def asked(self, support: Sequence[str]) -> Mapping[str, str]:
        """The fields that a side with this support is asked."""
        can_mend = self.mends in support or ROLLED in support
        return {name: label for name, label in self.fields.items() if can_mend or name != "mended"}

    def cite(self, what: str) -> str:
        """The rule behind a refusal, in brackets; empty if the system names none."""
        return f" ({self.rules[what]})" if what in self.rules else ""
