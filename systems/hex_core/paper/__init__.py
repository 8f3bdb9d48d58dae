"""Hex Core on paper: a machine's cards and datasheet (ledger 7), its counter, and the pages of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.documents import unknown_slug
from systems.hex_core.build import SYSTEM
from systems.hex_core.build.datasheet import Datasheet
from systems.hex_core.options import Options
from systems.hex_core.paper import cards, reference, sheets
from systems.paper import SystemPaper
from systems.paper.blocks import (
    Addition,
    CardContent,
    Detail,
    Reference,
    SlipWords,
)
from systems.paper.hexes import HexPlan
from systems.roster import PilotCard


class HexCorePaper(SystemPaper):
    """The paper of Hex Core. The game has no support; everything in play is on the roster."""

    system = "hex-core"
    rules = SYSTEM.house_rules
    sheet_template = "hex-core/print/sheet.html"
    scenario_template = "hex-core/print/scenario.html"
    hex_mm = sheets.HEX_MM
    shows_service = True
    roster_notes = sheets.ROSTER_NOTES

    def card(self, sheet: Datasheet, detail: Detail = "brief") -> CardContent:
        return CardContent(
            front=cards.unit_front(sheet, detail), back=cards.unit_back(detail, Options.read(self.options))
        )

    def additions(self, sheet: Datasheet) -> tuple[Addition, ...]:
        return cards.list_additions(sheet)

    def pilot_card(
        self, pilot: PilotCard, *, sheet: Datasheet | None = None, company: str = "", detail: Detail = "brief"
    ) -> CardContent:
        return cards.pilot_card(pilot, sheet=sheet, company=company)

    counter = staticmethod(cards.build_counter)

    def blank_unit_card(self) -> CardContent:
        return cards.blank_unit_card(Options.read(self.options))

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

    def hex_plans(self, spec: Mapping[str, object]) -> Sequence[HexPlan]:
        return sheets.hex_plans(spec, Options.read(self.options))

    def slip_words(self) -> SlipWords:
        return sheets.SLIP_WORDS
