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
    """Turns a rule system's datasheets into card blocks and contexts for its sheet template.

    One instance is for one set of house rules; the instance in PAPER has none. Members with a default are optional for
    a system; the print shop doesn't offer products that need a missing one (see `answers`).
    """

    system: str  # slug
    rules: Mapping[str, HouseRule] = {}  # all house rules of the game
    sheet_template: str = ""  # one printed page per unit
    scenario_template: str = ""  # the body of a scenario's page
    has_support: bool = False  # sides can have support: support_sheet and support_card work
    shows_service: bool = False  # datasheets show service records
    wound_field: str = ""  # the field of a unit's condition for a wounded pilot; empty: no sheet shows it
    hex_mm: float = 0.0  # height of a hex on the table, between flat sides
    roster_notes: str = ""  # heading of the notes column on a roster; empty: no column

    def __init__(self, options: Mapping[str, object] = {}) -> None:
        self.options = options

    def under(self, options: Mapping[str, object]) -> Self:
        """Return the paper for these house rules, which must be known."""
        return type(self)(options) if options else self

    @classmethod
    def answers(cls, *questions: str) -> bool:
        """Return whether the game implements these methods; products that need a missing one can't be printed."""
        return all(getattr(cls, question) is not getattr(SystemPaper, question) for question in questions)

    @property
    def house_rules(self) -> str:
        """The house rules in force, for the foot of printed pages; empty: none."""
        lines = describe_rules(self.rules, self.options)
        return f"House rules: {'; '.join(map(str, lines))}" if lines else ""

    @abstractmethod
    def card(self, sheet: AnySheet, detail: Detail = "brief") -> CardContent:
        """Return both sides of the card of a unit or support unit."""

    def additions(self, sheet: AnySheet) -> tuple[Addition, ...]:
        """Return extra content for card and datasheet if there is room, the most useful first."""
        return ()

    def support_sheet(self, slug: str, path: str, *, company: str = "") -> AnySheet:
        """Return the sheet for that support unit's card, with its company; raises DocumentError."""
        raise DocumentError(path, "this game has no support units")

    def sheet_context(self, sheet: AnySheet) -> Mapping[str, object]:
        """Return the context of the sheet template, fully calculated."""
        raise self._without("datasheets")

    # Cards are requested in full first, then in brief if that is too much for their size.

    def pilot_card(
        self, pilot: PilotCard, *, sheet: AnySheet = None, company: str = "", detail: Detail = "brief"
    ) -> CardContent:
        """Return both sides of a pilot's card: who they are and what they can do on the front, progress on the back.

        `sheet`: the datasheet of their unit, with their name; None: they have no unit.
        """
        raise self._without("pilot cards")

    def support_card(self, slug: str, path: str, *, company: str = "", detail: Detail = "brief") -> CardContent:
        """Return both sides of a support result's card, for a side that has it; raises DocumentError."""
        raise DocumentError(path, "this game has no support")

    def counter(self, sheet: AnySheet) -> CounterContent:
        """Return the piece that stands for a unit or support unit on the map, as counter and standee."""
        raise self._without("counters")

    def blank_unit_card(self) -> CardContent:
        """Return a blank unit card, with every box a unit can need and lines for writing."""
        raise self._without("blank cards")

    def blank_pilot_card(self) -> CardContent:
        """Return a blank pilot card."""
        raise self._without("blank cards")

    # Pages other than cards: `sheet` is the result of RosterSystem.datasheet or support_sheet.

    def blank_sheet(self) -> Mapping[str, object]:
        """Return the context of the sheet template for a blank datasheet."""
        raise self._without("blank datasheets")

    def roster_line(self, sheet: AnySheet) -> RosterLine:
        """Return the unit's line on its company's roster."""
        raise self._without("rosters")

    def roster_pilot(self, pilot: PilotCard) -> RosterPilot:
        """Return the roster entry of a pilot without a unit; level and skills must be known ones."""
        raise self._without("pilots")

    def reference(self, sheets: Sequence[AnySheet], support: Sequence[str], path: str = "support") -> Reference:
        """Return the rules for these units and this support, each once, and the general ones; raises DocumentError."""
        raise self._without("quick reference")

    def scenario_context(self, name: str, spec: Mapping[str, object], terrain: str, theme: str) -> Mapping[str, object]:
        """Return the context of the scenario template, its map drawn for the theme; raises DocumentError.

        `terrain` is the players' choice for a map that the scenario leaves open; empty: not chosen yet.
        """
        raise self._without("scenario sheets")

    def hex_plans(self, spec: Mapping[str, object]) -> Sequence[HexPlan]:
        """Return the hex maps that a scenario can be played on; raises DocumentError."""
        raise self._without("hex maps")

    def slip_words(self) -> SlipWords:
        """Return the questions for all result slips, worded as in the form that their QR code opens."""
        raise self._without("result slips")

    def _without(self, what: str) -> DocumentError:
        return DocumentError("system", f"this game has no {what}")
