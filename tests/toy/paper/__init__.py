"""Toy Soldiers on paper: cards, counters, datasheets, rosters and slips, without pilots."""

from __future__ import annotations

from collections.abc import Mapping

from systems.paper import SystemPaper
from systems.paper.blocks import (
    Box,
    CardContent,
    CardFace,
    CounterContent,
    Detail,
    Entries,
    Entry,
    RosterLine,
    SlipWords,
    Track,
    slip_words,
)
from tests.toy.build import HAND, SYSTEM, ToySheet
from tests.toy.catalogue import UNITS

MAX_HITS = max(toy.hits for toy in UNITS.values())
BACK = ("TY-001", "TY-002")


class ToyPaper(SystemPaper):
    system = "toy"
    sheet_template = "toy/print/sheet.html"

    def card(self, sheet: ToySheet, detail: Detail = "brief") -> CardContent:
        front = CardFace(
            title=sheet.name,
            kicker=" · ".join(filter(None, (sheet.size_name, sheet.company))),
            corner=str(sheet.points),
            corner_label="points",
            blocks=(_dents(sheet.hits),),
            notes="Notes",
        )
        return CardContent(front=front, back=_back())

    def counter(self, sheet: ToySheet) -> CounterContent:
        return CounterContent(
            name=sheet.name, shape=sheet.size, code=sheet.size_name[:3].upper(), figure=str(sheet.hits),
            figure_label="Hits that it takes", unknown="",
        )  # fmt: skip

    def blank_unit_card(self) -> CardContent:
        front = CardFace(title="", kicker="Name of the toy", blocks=(_dents(MAX_HITS),), notes="Notes")
        return CardContent(front=front, back=_back())

    def sheet_context(self, sheet: ToySheet) -> Mapping[str, object]:
        rules = [SYSTEM.rulebook[rule] for rule in BACK]
        return {"sheet": sheet, "boxes": range(sheet.hits), "rules": rules}

    def blank_sheet(self) -> Mapping[str, object]:
        return {"boxes": range(MAX_HITS), "rules": [SYSTEM.rulebook[rule] for rule in BACK]}

    def roster_line(self, sheet: ToySheet) -> RosterLine:
        return RosterLine(name=sheet.name, design=sheet.size_name, points=sheet.points)

    def slip_words(self) -> SlipWords:
        return slip_words(HAND, hits=MAX_HITS)


def _dents(hits: int) -> Track:
    return Track(label="DENTS", boxes=(Box(),) * hits, is_large=True)


def _back() -> CardFace:
    rules = (SYSTEM.rulebook[rule] for rule in BACK)
    entries = tuple(Entry(name=rule.title, text=rule.text) for rule in rules)
    return CardFace(title="Rules", kicker=SYSTEM.name, blocks=(Entries(title="At the table", entries=entries),))
