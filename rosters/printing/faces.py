"""The sides of an item's cards, laid out: from what is to be printed to where each line of text and each stroke goes."""

from __future__ import annotations

from dataclasses import dataclass

from rosters.documents import DocumentError
from rosters.printing.documents import read_unit
from rosters.printing.layout import CardPage, lay_out
from rosters.printing.orders import Item, PrintSettings, UnitItem
from rosters.printing.systems import PAPER


@dataclass(frozen=True, slots=True)
class Side:
    """Both sides of one card."""

    front: CardPage
    back: CardPage


def sides_of(item: Item, settings: PrintSettings) -> tuple[Side, ...]:
    """The item's cards, more than one where the text continues; raises DocumentError, its path within the item."""
    if not isinstance(item, UnitItem) or item.what != "unit-card" or settings.card != "poker":
        raise DocumentError("what", f"there are no {settings.card} cards of this kind")
    unit = read_unit(item.unit, "unit")
    content = PAPER[unit.document.system].card(unit.sheet)
    fronts, backs = lay_out(content.front), lay_out(content.back)
    count = max(len(fronts), len(backs))
    fronts += fronts[:1] * (count - len(fronts))
    backs += backs[:1] * (count - len(backs))
    for page in (*fronts, *backs):
        page.band, page.band_mm = unit.document.colour, 2.0
    return tuple(Side(front, back) for front, back in zip(fronts, backs, strict=True))
