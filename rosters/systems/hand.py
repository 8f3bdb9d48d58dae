"""What is asked of each unit after a battle at the table: by the forms of a result, and by the slip that they are filled in from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

HAND_FIELDS = ("kills", "specials", "hits_lost", "destroyed", "exploded", "withdrew", "wounded", "fate")
HAND_NUMBERS = ("kills", "specials", "hits_lost")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTerms:
    """What is said of each unit after a battle at the table.

    `fields`: those of HAND_FIELDS that the system has, as they are called within a sentence, in the order of a report.
    `rules`: IDs that refusals cite, by what is refused: "fate", "support".
    """

    fields: Mapping[str, str] = field(
        default_factory=lambda: {"kills": "kills", "hits_lost": "hits lost", "destroyed": "destroyed"}
    )
    hits: str = "Hits"  # what a unit loses until it is destroyed
    fates: Mapping[str, str] = field(default_factory=dict)  # of the pilot of a destroyed unit
    rules: Mapping[str, str] = field(default_factory=dict)

    def cite(self, what: str) -> str:
        """The rule behind a refusal, in brackets; empty if the system names none."""
        return f" ({self.rules[what]})" if what in self.rules else ""
