"""Blazing Steel on paper: a Warmech's cards and datasheet (ledger 7), its base, and the pages of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.blazing_steel.build import SYSTEM
from systems.blazing_steel.build.datasheet import Datasheet
from systems.blazing_steel.options import Options
from systems.blazing_steel.paper import cards, reference, sheets
from systems.documents import unknown_slug
from systems.paper import SystemPaper
from systems.paper.blocks import Addition, CardContent, Detail, Reference, SlipWords


class BlazingSteelPaper(SystemPaper):
    """The paper of Blazing Steel. The game has no pilots and no support; everything in play is on the roster."""

    system = "blazing-steel"
    rules = SYSTEM.house_rules
    sheet_template = "blazing-steel/print/sheet.html"
    scenario_template = "blazing-steel/print/scenario.html"
    shows_service = True
    roster_notes = sheets.ROSTER_NOTES

    def card(self, sheet: Datasheet, detail: Detail = "brief") -> CardContent:
        return CardContent(
            front=cards.unit_front(sheet, detail), back=cards.unit_back(detail, Options.read(self.options))
        )

    def additions(self, sheet: Datasheet) -> tuple[Addition, ...]:
        return cards.list_additions(sheet, Options.read(self.options))

    counter = staticmethod(cards.build_counter)

    def blank_unit_card(self) -> CardContent:
        return sheets.blank_unit_card(Options.read(self.options))

    def sheet_context(self, sheet: Datasheet) -> Mapping[str, object]:
        return sheets.sheet_context(sheet, Options.read(self.options))

    def blank_sheet(self) -> Mapping[str, object]:
        return sheets.blank_sheet_context(Options.read(self.options))

    roster_line = staticmethod(sheets.roster_line)

    def reference(self, sheets: Sequence[Datasheet], support: Sequence[str], path: str = "support") -> Reference:
        if support:
            raise unknown_slug(f"{path}[0]", "support", support[0], ())
        return reference.reference(sheets, Options.read(self.options))

    def scenario_context(self, name: str, spec: Mapping[str, object], terrain: str, theme: str) -> Mapping[str, object]:
        return sheets.scenario_context(name, spec, terrain, theme, Options.read(self.options))

    def slip_words(self) -> SlipWords:
        return sheets.SLIP_WORDS
