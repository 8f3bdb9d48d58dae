"""Plain cards as drawn pages: `F<n>` on each front, `B<n>` on each back, in the top left corner."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from rosters.card_layout import CardSize
from rosters.paper.engine import page_document
from rosters.printing.cache import Drawn, PageRef

POKER = CardSize("poker", 63, 88, 3)
TAROT = CardSize("tarot", 70, 120, 3)
A6 = CardSize("a6", 105, 148, 3)
A7 = CardSize("a7", 74, 105, 3)
COUNTER = CardSize("counter", 25, 25, 1)
STANDEE = CardSize("standee", 30, 50, 1, folds=True)
SIZES = (POKER, TAROT, A6, A7, COUNTER, STANDEE)


def draw_cards(count: int, size: CardSize = POKER, bleed: float = 0.0) -> list[Drawn]:
    batch = _batch(count, size, bleed)
    return [
        Drawn(PageRef(batch, 2 * at), PageRef(batch, 2 * at + 1), size, f"Card {at}\nArmor 4, hits 3")
        for at in range(count)
    ]


@cache
def _batch(count: int, size: CardSize, bleed: float) -> Path:
    width, height = size.width + 2 * bleed, size.height + 2 * bleed
    sides = "".join(
        f'<section><p style="position:absolute;left:{bleed + 2}mm;top:{bleed + 2}mm;margin:0">{side}{at}</p></section>'
        for at in range(count)
        for side in "FB"
    )
    path = Path(mkdtemp()) / "batch.pdf"
    path.write_bytes(
        page_document(
            f'<html lang="en"><link rel="stylesheet" href="print-fonts.css"><style>@page{{size:{width}mm {height}mm;margin:0}}'
            f"body{{margin:0;font:8pt 'Muster Text'}}section{{position:relative;height:{height}mm;background:#cde;"
            f"break-after:page}}section:last-child{{break-after:auto}}</style>{sides}</html>"
        ).write_pdf()
    )
    return path
