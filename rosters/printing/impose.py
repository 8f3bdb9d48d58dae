"""Pages of cards on paper: nine to a sheet, edge to edge, with cut marks and backs that match when turned over.

Each card page becomes a form XObject, drawn as often as it is wanted. Marks stay inside the printable area.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rosters.printing.cache import Drawn, PageRef
from rosters.printing.merge import merge
from rosters.printing.orders import PrintSettings

MM = 72 / 25.4
MARGIN = 6.0  # mm that no mark or card enters
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARK_GAP = 0.6  # mm between a card's edge and the mark beside it
MARK_LENGTH = 4.0


class UnknownPaperError(ValueError):
    """Raised for a paper that there is not."""


def paper_size(paper: str) -> tuple[float, float]:
    """Width and height in mm; raises UnknownPaperError."""
    try:
        return PAPERS[paper]
    except KeyError:
        raise UnknownPaperError(f"unknown paper {ascii(str(paper)[:40])}; there is {', '.join(PAPERS)}") from None


@dataclass(frozen=True, slots=True)
class Sheet:
    """How cards of one size lie on one paper."""

    paper: str
    card_width: float
    card_height: float
    title: str = ""

    @property
    def columns(self) -> int:
        return int((paper_size(self.paper)[0] - 2 * MARGIN) // self.card_width)

    @property
    def rows(self) -> int:
        return int((paper_size(self.paper)[1] - 2 * MARGIN) // self.card_height)

    @property
    def origin(self) -> tuple[float, float]:
        """Top left corner of the block of cards, mm from the paper's top left corner: the block is centred."""
        width, height = paper_size(self.paper)
        return (width - self.columns * self.card_width) / 2, (height - self.rows * self.card_height) / 2

    def place(self, slot: int, *, is_back: bool) -> tuple[float, float]:
        """Top left corner of a slot, mm; backs are mirrored left to right, as for turning over the long edge."""
        row, column = divmod(slot, self.columns)
        if is_back:
            column = self.columns - 1 - column
        left, top = self.origin
        return left + column * self.card_width, top + row * self.card_height


def impose(cards: Sequence[Drawn | None], settings: PrintSettings, title: str) -> bytes:
    """The print file: pages of fronts, each followed by the page of its backs; None starts a new sheet."""
    groups: list[list[Drawn]] = [[]]
    for card in cards:
        if card is None:
            groups.append([])
        else:
            groups[-1].append(card)
    parts = []
    for group in filter(None, groups):
        size = group[0].size
        sheet = Sheet(paper=settings.paper, card_width=size.width, card_height=size.height, title=title)
        backs = None if settings.backs == "none" else [card.back for card in group]
        parts.append(_sheets([card.front for card in group], backs, sheet))
    return parts[0] if len(parts) == 1 else merge(parts, title)


def _sheets(fronts: Sequence[PageRef], backs: Sequence[PageRef] | None, sheet: Sheet) -> bytes:
    import pikepdf

    width, height = paper_size(sheet.paper)
    per_page = sheet.columns * sheet.rows
    with pikepdf.new() as pdf:
        forms = _Forms(pdf)
        for at in range(0, len(fronts), per_page):
            sides = [(fronts[at : at + per_page], False)]
            if backs is not None:
                sides.append((backs[at : at + per_page], True))
            for refs, is_back in sides:
                _draw_page(pdf, forms, refs, sheet, (width, height), is_back=is_back)
        pdf.docinfo["/Title"] = sheet.title
        pdf.docinfo["/Producer"] = "Muster"
        pdf.Root.Lang = pikepdf.String("en")
        pdf.Root.ViewerPreferences = pikepdf.Dictionary(PrintScaling=pikepdf.Name("/None"))
        if backs is not None:
            pdf.Root.ViewerPreferences.Duplex = pikepdf.Name.DuplexFlipLongEdge
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()


class _Forms:
    """Card pages as form XObjects of the print file, each copied once."""

    def __init__(self, pdf: Any) -> None:
        self.pdf = pdf
        self.sources: dict[Any, Any] = {}
        self.forms: dict[PageRef, Any] = {}

    def get(self, ref: PageRef) -> Any:
        import pikepdf

        if ref not in self.forms:
            if ref.batch not in self.sources:
                self.sources[ref.batch] = pikepdf.open(ref.batch)
            page = self.sources[ref.batch].pages[ref.page]
            self.forms[ref] = self.pdf.copy_foreign(page.as_form_xobject())
        return self.forms[ref]


def _draw_page(
    pdf: Any, forms: _Forms, refs: Sequence[PageRef], sheet: Sheet, size: tuple[float, float], *, is_back: bool
) -> None:
    import pikepdf

    width, height = size
    names: dict[PageRef, str] = {}
    xobjects = pikepdf.Dictionary()
    content = []
    for slot, ref in enumerate(refs):
        if ref not in names:
            names[ref] = f"/C{len(names)}"
            xobjects[names[ref]] = forms.get(ref)
        x, y = sheet.place(slot, is_back=is_back)
        bottom = height - y - sheet.card_height
        content.append(f"q 1 0 0 1 {x * MM:.3f} {bottom * MM:.3f} cm {names[ref]} Do Q")
    content += _marks(sheet, size, len(refs))
    page = pdf.add_blank_page(page_size=(width * MM, height * MM))
    page.obj.Resources = pikepdf.Dictionary(XObject=xobjects)
    page.obj.Contents = pdf.make_stream("\n".join(content).encode("ascii"))


def _marks(sheet: Sheet, size: tuple[float, float], used: int) -> list[str]:
    """Ticks in the margins at every cut, and small crosses where cards meet."""
    width, height = size
    left, top = sheet.origin
    right, bottom = left + sheet.columns * sheet.card_width, top + sheet.rows * sheet.card_height
    strokes = ["q 0.3 w 0.35 G"]

    def stroke(x1: float, y1: float, x2: float, y2: float) -> None:
        strokes.append(f"{x1 * MM:.3f} {(height - y1) * MM:.3f} m {x2 * MM:.3f} {(height - y2) * MM:.3f} l S")

    across = min(MARK_LENGTH, left - MARGIN - MARK_GAP)
    along = min(MARK_LENGTH, top - MARGIN - MARK_GAP)
    for column in range(sheet.columns + 1):
        x = left + column * sheet.card_width
        stroke(x, top - MARK_GAP - along, x, top - MARK_GAP)
        stroke(x, bottom + MARK_GAP, x, bottom + MARK_GAP + along)
    for row in range(sheet.rows + 1):
        y = top + row * sheet.card_height
        stroke(left - MARK_GAP - across, y, left - MARK_GAP, y)
        stroke(right + MARK_GAP, y, right + MARK_GAP + across, y)
    arm = 1.2
    for row in range(sheet.rows + 1):
        for column in range(sheet.columns + 1):
            x, y = left + column * sheet.card_width, top + row * sheet.card_height
            stroke(max(x - arm, left), y, min(x + arm, right), y)
            stroke(x, max(y - arm, top), x, min(y + arm, bottom))
    return [*strokes, "Q"]
