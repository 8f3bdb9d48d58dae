"""SystemPaper: what a rule system has to say about its paper."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Literal

from rosters.printing.blocks import CardContent, CounterContent, Detail
from rosters.systems.base import PilotCard

BlankCard = Literal["unit-card", "pilot-card"]


class SystemPaper(ABC):
    """Turns a rule system's datasheet into card blocks and into the context of its sheet template."""

    sheet_template: str  # one page of paper per unit

    @abstractmethod
    def card(self, sheet: Any, detail: Detail = "brief") -> CardContent:
        """Both sides of the card of a unit or support unit."""

    @abstractmethod
    def support_sheet(self, slug: str, path: str, *, company: str = "") -> Any:
        """What the card of that support unit shows, and for whom it fights; raises DocumentError."""

    @abstractmethod
    def sheet_context(self, sheet: Any) -> Mapping[str, object]:
        """What the sheet template shows, nothing left to compute."""

    # What cards ask. Each card is asked for in full first, and in brief where that is too much for its size.

    @abstractmethod
    def pilot_card(
        self, pilot: PilotCard, *, sheet: Any = None, company: str = "", detail: Detail = "brief"
    ) -> CardContent:
        """Both sides of a pilot's card: front who he is and what he can do, back what he can still become.

        `sheet`: the datasheet of the unit he flies, which names him too; None: he has none.
        """

    @abstractmethod
    def support_card(self, slug: str, path: str, *, company: str = "", detail: Detail = "brief") -> CardContent:
        """Both sides of the card of something a side can call on, once it has it; raises DocumentError."""

    @abstractmethod
    def counter(self, sheet: Any) -> CounterContent:
        """What stands for the unit or support unit on the map, as counter and as standee."""

    @abstractmethod
    def blank_card(self, kind: BlankCard) -> CardContent:
        """A card of that kind to write in: every box that a unit or pilot can need, and lines for words."""
