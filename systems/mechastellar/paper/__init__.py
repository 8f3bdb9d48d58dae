"""MechaStellar on paper: units' and crews' cards and datasheets, counters by size, and the pages of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.documents import unknown_slug
from systems.mechastellar.build import SYSTEM
from systems.mechastellar.build.datasheet import Datasheet
from systems.mechastellar.options import Options
from systems.mechastellar.paper import cards, reference, sheets
from systems.paper import SystemPaper
from systems.paper.blocks import (
    Addition,
    CardContent,
    Detail,
    Reference,
    SlipWords,
)
from systems.roster import PilotCard


class MechaStellarPaper(SystemPaper):
    """The paper of MechaStellar. The game has no support; everything in play is on the roster."""

    system = "mechastellar"
    rules = SYSTEM.house_rules
    sheet_template = "mechastellar/print/sheet.html"
    scenario_template = "mechastellar/print/scenario.html"
    shows_service = True
    roster_notes = sheets.ROSTER_NOTES

    def card(self, sheet: Datasheet, detail: Detail = "brief") -> CardContent:
        return CardContent(front=cards.unit_front(sheet, detail), back=cards.unit_back(sheet, detail))

    def additions(self, sheet: Datasheet) -> tuple[Addition, ...]:
        return cards.list_additions(sheet)

    def pilot_card(
        self, pilot: PilotCard, *, sheet: Datasheet | None = None, company: str = "", detail: Detail = "brief"
    ) -> CardContent:
        return cards.pilot_card(pilot, sheet, company, detail)

    counter = staticmethod(cards.build_counter)
    blank_unit_card = staticmethod(cards.blank_unit_card)
    blank_pilot_card = staticmethod(cards.blank_pilot_card)
    sheet_context = staticmethod(sheets.sheet_context)
    blank_sheet = staticmethod(sheets.blank_sheet_context)
    roster_line = staticmethod(sheets.roster_line)
    roster_pilot = staticmethod(sheets.roster_pilot)

    def reference(self, sheets: Sequence[Datasheet], support: Sequence[str], path: str = "support") -> Reference:
        if support:
            raise unknown_slug(f"{path}[0]", "support", support[0], ())
        return reference.reference(sheets, Options.read(self.options))

    def scenario_context(self, name: str, spec: Mapping[str, object], terrain: str, theme: str) -> Mapping[str, object]:
        return sheets.scenario_context(name, spec, terrain, theme, Options.read(self.options))

    def slip_words(self) -> SlipWords:
        return sheets.SLIP_WORDS
