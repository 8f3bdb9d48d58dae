"""Mech Campaign on paper: the pocket card and the datasheet of a unit (ledger 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from rosters.documents import DocumentError
from rosters.printing.blocks import CardContent
from rosters.printing.systems.base import SystemPaper
from rosters.systems.mech_campaign.datasheet import Datasheet

from . import cards, sheets


class MechCampaignPaper(SystemPaper):
    sheet_template = "print/systems/mech-campaign/sheet.html"

    def card(self, sheet: Datasheet) -> CardContent:
        return CardContent(front=cards.front(sheet), back=cards.back())

    def support_sheet(self, slug: str, path: str, *, company: str = "") -> NoReturn:
        raise DocumentError(path, "there are no support units in this system")

    def sheet_context(self, sheet: Datasheet) -> Mapping[str, object]:
        return sheets.sheet_context(sheet)
