"""SystemPaper: what a rule system has to say about its paper."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from rosters.printing.blocks import CardContent
from rosters.printing.page_blocks import Reference, RosterLine, RosterPilot, SlipBoxes, SlipWords
from rosters.systems.base import PilotCard


class SystemPaper(ABC):
    """Turns a rule system's datasheet into card blocks and into the context of its sheet template."""

    sheet_template: str  # one page of paper per unit

    @abstractmethod
    def card(self, sheet: Any) -> CardContent:
        """Both sides of the card of a unit or support unit."""

    @abstractmethod
    def support_sheet(self, slug: str, path: str, *, company: str = "") -> Any:
        """What the card of that support unit shows, and for whom it fights; raises DocumentError."""

    @abstractmethod
    def sheet_context(self, sheet: Any) -> Mapping[str, object]:
        """What the sheet template shows, nothing left to compute."""

    # Pages beside the cards: `sheet` is what RosterSystem.datasheet or support_sheet gave.

    scenario_template: str  # the body of a scenario's page

    @abstractmethod
    def blank_sheet(self) -> Mapping[str, object]:
        """The context that makes the sheet template a datasheet to write in."""

    @abstractmethod
    def roster_line(self, sheet: Any) -> RosterLine:
        """The unit's line on its company's roster."""

    @abstractmethod
    def roster_pilot(self, pilot: PilotCard) -> RosterPilot:
        """A pilot without a unit on the roster; his level and skills are known ones."""

    @abstractmethod
    def reference(self, sheets: Sequence[Any], support: Sequence[str], path: str = "support") -> Reference:
        """The rules of these units and this support, each once, with what everybody needs; raises DocumentError."""

    @abstractmethod
    def scenario_context(self, name: str, spec: Mapping[str, object], terrain: str, theme: str) -> Mapping[str, object]:
        """What the scenario template shows, its map drawn for the theme; raises DocumentError.

        `terrain` is what the table has chosen for a map that the scenario leaves open; empty: nothing yet.
        """

    @abstractmethod
    def slip_boxes(self, sheet: Any) -> SlipBoxes:
        """The unit's line on a result slip."""

    @abstractmethod
    def slip_words(self) -> SlipWords:
        """What every result slip asks."""
