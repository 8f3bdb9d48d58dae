"""Meks & Mercs on paper: a Mek's pocket card and datasheet (ledger 7.1 to 7.3), and the pages of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.documents import unknown_slug
from systems.meks_and_mercs.build import SYSTEM
from systems.meks_and_mercs.build.datasheet import support_card
from systems.meks_and_mercs.build.datasheet_lines import Datasheet, SupportCard
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.meks_and_mercs.options import Options
from systems.meks_and_mercs.paper import additions, cards, pilots, reference, sheets
from systems.paper import SystemPaper
from systems.paper.blocks import (
    Addition,
    CardContent,
    CounterContent,
    Detail,
    Reference,
    SlipWords,
)
from systems.roster import PilotCard


class MeksAndMercsPaper(SystemPaper):
    system = "meks-and-mercs"
    rules = SYSTEM.house_rules
    sheet_template = "meks-and-mercs/print/sheet.html"
    has_support = True
    wound_field = "wounded"
    roster_notes = "Skills"

    def card(self, sheet: Datasheet | SupportCard, detail: Detail = "brief") -> CardContent:
        if isinstance(sheet, SupportCard):
            return CardContent(front=cards.support_front(sheet), back=cards.support_back(detail))
        return CardContent(front=cards.unit_front(sheet, detail), back=cards.unit_back(sheet.pilot, detail))

    def additions(self, sheet: Datasheet | SupportCard) -> tuple[Addition, ...]:
        return additions.additions(sheet) if isinstance(sheet, Datasheet) else ()

    def support_sheet(self, slug: str, path: str, *, company: str = "") -> SupportCard:
        if slug not in CATALOGUE.support_units:
            raise unknown_slug(path, "support unit", slug, CATALOGUE.support_units)
        return support_card(slug, company)

    sheet_context = staticmethod(sheets.sheet_context)

    def pilot_card(
        self,
        pilot: PilotCard,
        *,
        sheet: Datasheet | SupportCard | None = None,
        company: str = "",
        detail: Detail = "brief",
    ) -> CardContent:
        return pilots.pilot_card(pilot, sheet if isinstance(sheet, Datasheet) else None, company, detail)

    def support_card(self, slug: str, path: str, *, company: str = "", detail: Detail = "brief") -> CardContent:
        if slug not in CATALOGUE.support:
            raise unknown_slug(path, "support result", slug, CATALOGUE.support)
        return cards.result_card(CATALOGUE.support[slug], company, detail)

    def counter(self, sheet: Datasheet | SupportCard) -> CounterContent:
        return cards.support_counter(sheet) if isinstance(sheet, SupportCard) else cards.unit_counter(sheet)

    blank_unit_card = staticmethod(pilots.blank_unit_card)
    blank_pilot_card = staticmethod(pilots.blank_pilot_card)

    # Pages other than cards.

    scenario_template = "meks-and-mercs/print/scenario.html"

    blank_sheet = staticmethod(sheets.blank_context)
    roster_line = staticmethod(sheets.roster_line)
    roster_pilot = staticmethod(sheets.roster_pilot)

    def reference(
        self, sheets: Sequence[Datasheet | SupportCard], support: Sequence[str], path: str = "support"
    ) -> Reference:
        return reference.reference(sheets, support, path, Options.read(self.options))

    def scenario_context(self, name: str, spec: Mapping[str, object], terrain: str, theme: str) -> Mapping[str, object]:
        return sheets.scenario_context(name, spec, terrain, theme, Options.read(self.options))

    def slip_words(self) -> SlipWords:
        return sheets.SLIP_WORDS
