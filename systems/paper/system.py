"""SystemPaper: a rule system's cards, sheets and other printed products."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Self

from systems.documents import DocumentError
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
from systems.rulebook import HouseRule, describe_rules


class SystemPaper(ABC):
    """Turns a rule system's datasheet into card blocks and into the context of its sheet template.

    One instance is for one set of house rules; the one in PAPER has none. Members with a default are optional for a
    system; the print shop doesn't offer products that need a missing one (`answers`).
    """

    system: str  # slug
    rules: Mapping[str, HouseRule] = {}  # every house rule of the game
    sheet_template: str = ""  # one printed page per unit
    scenario_template: str = ""  # the body of a scenario's page
    has_support: bool = False  # sides can have support: support_sheet and support_card work
    shows_service: bool = False  # datasheets show service records
    wound_field: str = ""  # of a unit's condition: its pilot is wounded; empty: no sheet shows it
    hex_mm: float = 0.0  # height of a hex on the table, between flat sides
    roster_notes: str = ""  # heading of the column of notes on a roster; empty: no column

    def __init__(self, options: Mapping[str, object] = {}) -> None:
        self.options = options

    def under(self, options: Mapping[str, object]) -> Self:
        """Return the paper under these house rules, which must be known ones."""
        return type(self)(options) if options else self

    @classmethod
    def answers(cls, *questions: str) -> bool:
        """Return whether the game implements these methods: products that need a missing one can't be printed."""
        return all(getattr(cls, question) is not getattr(SystemPaper, question) for question in questions)

    @property
    def house_rules(self) -> str:
        """The house rules in force, for the foot of printed pages; empty: none."""
        told = describe_rules(self.rules, self.options)
        return f"House rules: {'; '.join(map(str, told))}" if told else ""

    @abstractmethod
    def card(self, sheet: AnySheet, detail: Detail = "brief") -> CardContent:
        """Return both sides of the card of a unit or support unit."""

    def additions(self, sheet: AnySheet) -> tuple[Addition, ...]:
        """Return additions for card and datasheet, where there is room, the most useful first."""
        return ()

    def support_sheet(self, slug: str, path: str, *, company: str = "") -> AnySheet:
        """Return the sheet for the card of that support unit, with its company; raises DocumentError."""
        raise DocumentError(path, "there are no support units in this system")

    def sheet_context(self, sheet: AnySheet) -> Mapping[str, object]:
        """Return the context of the sheet template, with nothing left to calculate."""
        raise self._without("datasheets")

    # Cards. Each card is requested in full first, and in brief if that is too much for its size.

    def pilot_card(
        self, pilot: PilotCard, *, sheet: AnySheet = None, company: str = "", detail: Detail = "brief"
    ) -> CardContent:
        """Return both sides of a pilot's card: who they are and what they can do in front, their progress on the back.

        `sheet`: the datasheet of their unit, which names them too; None: they have none.
        """
        raise self._without("cards of pilots")

    def support_card(self, slug: str, path: str, *, company: str = "", detail: Detail = "brief") -> CardContent:
        """Return both sides of the card of a support result, once a side has it; raises DocumentError."""
        raise DocumentError(path, "there is no support in this system")

    def counter(self, sheet: AnySheet) -> CounterContent:
        """Return the piece for the unit or support unit on the map, as counter and as standee."""
        raise self._without("counters")

    def blank_unit_card(self) -> CardContent:
        """Return a blank unit card: every box that a unit can need, and lines for words."""
        raise self._without("cards to write in")

    def blank_pilot_card(self) -> CardContent:
        """Return a blank pilot card."""
        raise self._without("cards to write in")

    # Pages beside the cards: `sheet` is the result of RosterSystem.datasheet or support_sheet.

    def blank_sheet(self) -> Mapping[str, object]:
        """Return the context of the sheet template for a blank datasheet."""
        raise self._without("datasheets to write in")

    def roster_line(self, sheet: AnySheet) -> RosterLine:
        """Return the unit's line on its company's roster."""
        raise self._without("rosters")

    def roster_pilot(self, pilot: PilotCard) -> RosterPilot:
        """Return a pilot without a unit on the roster; their level and skills are known ones."""
        raise self._without("pilots")

    def reference(self, sheets: Sequence[AnySheet], support: Sequence[str], path: str = "support") -> Reference:
        """Return the rules of these units and this support, each once, and the general ones; raises DocumentError."""
        raise self._without("quick reference")

    def scenario_context(self, name: str, spec: Mapping[str, object], terrain: str, theme: str) -> Mapping[str, object]:
        """Return the context of the scenario template, its map drawn for the theme; raises DocumentError.

        `terrain` is the players' choice for a map that the scenario leaves open; empty: not chosen yet.
        """
        raise self._without("scenario sheets")

    def hex_plans(self, spec: Mapping[str, object]) -> Sequence[HexPlan]:
        """Return the hex maps that a scenario can be played on; raises DocumentError."""
        raise self._without("maps of hexes")

    def slip_words(self) -> SlipWords:
        """Return the questions of every result slip, in the words of the form that its code opens."""
        raise self._without("result slips")

    def _without(self, what: str) -> DocumentError:
        return DocumentError("system", f"there are no {what} in this system")
