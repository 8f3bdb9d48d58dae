"""Mech Campaign on paper: units' cards and datasheets (ledger 7), pilots' cards, and the pages of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.documents import unknown_slug
from systems.mech_campaign.build import SYSTEM
from systems.mech_campaign.build.datasheet import Datasheet
from systems.mech_campaign.options import Options
from systems.mech_campaign.paper import cards, reference, sheets
from systems.paper import SystemPaper
from systems.paper.blocks import (
    Addition,
    CardContent,
    Detail,
    Reference,
    SlipWords,
)
from systems.roster import PilotCard


class MechCampaignPaper(SystemPaper):
    """The paper of Mech Campaign. The game has no support; everything in play is on the roster."""

    system = "mech-campaign"
    rules = SYSTEM.house_rules
    sheet_template = "mech-campaign/print/sheet.html"
    shows_service = True
    roster_notes = sheets.ROSTER_NOTES

    def card(self, sheet: Datasheet, detail: Detail = "brief") -> CardContent:
        return CardContent(
            front=cards.unit_front(sheet, detail), back=cards.unit_back(detail, Options.read(self.options))
        )

    def additions(self, sheet: Datasheet) -> tuple[Addition, ...]:
        return cards.additions(sheet)

    def sheet_context(self, sheet: Datasheet) -> Mapping[str, object]:
        return sheets.sheet_context(sheet, Options.read(self.options))

    def pilot_card(
        self, pilot: PilotCard, *, sheet: Datasheet | None = None, company: str = "", detail: Detail = "brief"
    ) -> CardContent:
        return cards.pilot_card(pilot, sheet, company, detail)

    counter = staticmethod(cards.build_counter)

    def blank_unit_card(self) -> CardContent:
        return cards.blank_unit_card(Options.read(self.options))

    blank_pilot_card = staticmethod(cards.blank_pilot_card)

    # Pages other than cards.

    scenario_template = "mech-campaign/print/scenario.html"

    def blank_sheet(self) -> Mapping[str, object]:
        return sheets.blank_context(Options.read(self.options))

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
