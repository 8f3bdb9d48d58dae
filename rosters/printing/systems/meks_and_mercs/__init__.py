"""Meks & Mercs on paper: the pocket card and the datasheet of a Mek (ledger 7.1 to 7.3)."""

from __future__ import annotations

from collections.abc import Mapping

from rosters.documents import unknown_slug
from rosters.printing.blocks import CardContent
from rosters.printing.systems.base import SystemPaper
from rosters.systems.meks_and_mercs.catalogue import CATALOGUE
from rosters.systems.meks_and_mercs.datasheet import Datasheet, SupportCard, support_card

from . import cards, sheets


class MeksAndMercsPaper(SystemPaper):
    sheet_template = "print/systems/meks-and-mercs/sheet.html"

    def card(self, sheet: Datasheet | SupportCard) -> CardContent:
        if isinstance(sheet, SupportCard):
            return CardContent(front=cards.support_front(sheet), back=cards.back(None))
        return CardContent(front=cards.unit_front(sheet), back=cards.back(sheet.pilot))

    def support_sheet(self, slug: str, path: str, *, company: str = "") -> SupportCard:
        if slug not in CATALOGUE.support_units:
            raise unknown_slug(path, "support unit", slug, CATALOGUE.support_units)
        return support_card(slug, company)

    def sheet_context(self, sheet: Datasheet) -> Mapping[str, object]:
        return sheets.sheet_context(sheet)
