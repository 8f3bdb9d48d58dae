"""SystemPaper: what a rule system has to say about its paper."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Self

from systems.documents import DocumentError
from systems.options import HouseRule, describe_rules
from systems.paper.blocks import (
    Addition,
    CardContent,
    CounterContent,
    Detail,
    Reference,
    RosterLine,
    RosterPilot,
    SlipWords,
)
from systems.paper.hexes import HexPlan
from systems.roster import AnySheet, PilotCard


class SystemPaper(ABC):
    """Turns a rule system's datasheet into card blocks and into the context of its sheet template.

    One instance speaks for one set of house rules; that in PAPER is by the book.
    What has a default here is something that a system may do without; the shop then does not offer it (`answers`).
    """

    system: str  # slug
    rules: Mapping[str, HouseRule] = {}  # every house rule of the game
    sheet_template: str = ""  # one page of paper per unit
    scenario_template: str = ""  # the body of a scenario's page
    has_support: bool = False  # units and results that a side calls on: support_sheet and support_card answer
    shows_service: bool = False  # datasheets tell what a unit has been through
    wound_field: str = ""  # of a unit's condition: its pilot is wounded; empty: no sheet tells that
    hex_mm: float = 0.0  # of a hex on the table, from flat to flat
    roster_notes: str = ""  # head of the column with each line's notes on a roster; empty: no column

    def __init__(self, options: Mapping[str, object] = {}) -> None:
        self.options = options

    def under(self, options: Mapping[str, object]) -> Self:
        """The same under these house rules, which are known ones."""
        return type(self)(options) if options else self

    @classmethod
    def answers(cls, *questions: str) -> bool:
        """Whether the game answers them: a product that it does not answer for can't be had."""
        return all(getattr(cls, question) is not getattr(SystemPaper, question) for question in questions)

    @property
    def house_rules(self) -> str:
        """The house rules in force, for the foot of whatever is printed; empty: by the book."""
        told = describe_rules(self.rules, self.options)
        return f"House rules: {'; '.join(map(str, told))}" if told else ""

    @abstractmethod
    def card(self, sheet: AnySheet, detail: Detail = "brief") -> CardContent:
        """Both sides of the card of a unit or support unit."""

    def additions(self, sheet: AnySheet) -> tuple[Addition, ...]:
        """What card and datasheet say beside all else where there is room for it, the most useful first."""
        return ()

    def support_sheet(self, slug: str, path: str, *, company: str = "") -> AnySheet:
        """What the card of that support unit shows, and for whom it fights; raises DocumentError."""
        raise DocumentError(path, "there are no support units in this system")

    def sheet_context(self, sheet: AnySheet) -> Mapping[str, object]:
        """What the sheet template shows, nothing left to compute."""
        raise self._without("datasheets")

    # What cards ask. Each card is asked for in full first, and in brief where that is too much for its size.

    def pilot_card(
        self, pilot: PilotCard, *, sheet: AnySheet = None, company: str = "", detail: Detail = "brief"
    ) -> CardContent:
        """Both sides of a pilot's card: front who he is and what he can do, back what he can still become.

        `sheet`: the datasheet of the unit he flies, which names him too; None: he has none.
        """
        raise self._without("cards of pilots")

    def support_card(self, slug: str, path: str, *, company: str = "", detail: Detail = "brief") -> CardContent:
        """Both sides of the card of something a side can call on, once it has it; raises DocumentError."""
        raise DocumentError(path, "there is no support in this system")

    def counter(self, sheet: AnySheet) -> CounterContent:
        """What stands for the unit or support unit on the map, as counter and as standee."""
        raise self._without("counters")

    def blank_unit_card(self) -> CardContent:
        """A card to write in: every box that a unit can need, and lines for words."""
        raise self._without("cards to write in")

    def blank_pilot_card(self) -> CardContent:
        """The same for a pilot."""
        raise self._without("cards to write in")

    # Pages beside the cards: `sheet` is what RosterSystem.datasheet or support_sheet gave.

    def blank_sheet(self) -> Mapping[str, object]:
        """The context that makes the sheet template a datasheet to write in."""
        raise self._without("datasheets to write in")

    def roster_line(self, sheet: AnySheet) -> RosterLine:
        """The unit's line on its company's roster."""
        raise self._without("rosters")

    def roster_pilot(self, pilot: PilotCard) -> RosterPilot:
        """A pilot without a unit on the roster; his level and skills are known ones."""
        raise self._without("pilots")

    def reference(self, sheets: Sequence[AnySheet], support: Sequence[str], path: str = "support") -> Reference:
        """The rules of these units and this support, each once, with what everybody needs; raises DocumentError."""
        raise self._without("quick reference")

    def scenario_context(self, name: str, spec: Mapping[str, object], terrain: str, theme: str) -> Mapping[str, object]:
        """What the scenario template shows, its map drawn for the theme; raises DocumentError.

        `terrain` is what the table has chosen for a map that the scenario leaves open; empty: nothing yet.
        """
        raise self._without("scenario sheets")

    def hex_plans(self, spec: Mapping[str, object]) -> Sequence[HexPlan]:
        """The maps of hexes that a scenario can be played on; raises DocumentError."""
        raise self._without("maps of hexes")

    def slip_words(self) -> SlipWords:
        """What every result slip asks, in the words of the form that its code opens."""
        raise self._without("result slips")

    def _without(self, what: str) -> DocumentError:
        return DocumentError("system", f"there are no {what} in this system")
