"""Imposes drawn card pages on sheets of paper. In the tagged PDF, each card is a figure with the card's text.

Each drawn page becomes a form XObject, which is drawn as often as needed; its own tags aren't copied.
`rosters/paper/sheets.py` decides where cards go; here they are only moved by the printer's offsets.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pikepdf
from pikepdf import Object

from rosters.paper.documents import PrintSettings, Shift
from rosters.paper.pdf_structure import (
    ARTIFACT,
    EMPTY_PAGE,
    FontShare,
    StructureTree,
    pdf_bytes,
    set_print_preferences,
    write_metadata,
)
from rosters.paper.sheets import Marks, Place, Run, Sheet, marks_of, sheets_of
from rosters.printing.cache import Drawn, PageRef

MM = 72 / 25.4
BREAK = None  # in a sequence of cards: the next card starts a new sheet
TURNS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))  # clockwise quarter turns as PDF matrices
CUT_STYLE = "q 0.3 w 0.35 G"
FOLD_STYLE = "q 0.4 w 0.35 G [2.2 1.6] 0 d"


def impose(cards: Sequence[Drawn | None], settings: PrintSettings, title: str) -> bytes:
    """Return the PDF of the cards on sheets.

    Between breaks, cards of one kind share sheets, in the order of their sizes. Each sheet is followed by its backs. An
    empty back is only left out at the end; otherwise the next sheet would be printed on it.

    CardTooLargeError if a card is too large for the paper, UnknownPaperError, and ValueError if there are no cards.
    """
    with _Job(title) as job:
        for group in _groups(cards):
            _draw_group(job, group, settings)
        return job.finish(settings.backs)


def straight(cards: Sequence[Drawn | None], title: str) -> bytes:
    """Return a PDF of the cards for screens: one side per page at the card's size, each front followed by its back."""
    with _Job(title) as job:
        for at, card in enumerate((card for card in cards if card is not None), start=1):
            job.tree.sect(f"Card {at}")
            size = (card.size.width, card.size.height)
            for ref, text in ((card.front, card.text), (card.back, _back_text(card))):
                if ref is None:
                    continue
                page = _Page(job, size, Shift())
                page.card(ref, card, Place(0, 0, *size), Place(0, 0, *size), text)
                page.close()
        return job.finish(None)


def _groups(cards: Iterable[Drawn | None]) -> Iterator[list[list[Drawn]]]:
    """Yield the cards of each kind between two breaks, by size, in the order of their first cards."""
    kinds: dict[object, dict[tuple[float, float], list[Drawn]]] = {}
    for card in cards:
        if card is None:
            yield from (list(sizes.values()) for sizes in kinds.values())
            kinds = {}
        else:
            sizes = kinds.setdefault((card.size.slug, card.size.folds), {})
            sizes.setdefault((card.size.width, card.size.height), []).append(card)
    yield from (list(sizes.values()) for sizes in kinds.values())


def _draw_group(job: _Job, sizes: Sequence[Sequence[Drawn]], settings: PrintSettings) -> None:
    runs = [
        Run(
            card=(cards[0].size.width, cards[0].size.height),
            count=len(cards),
            is_folded=cards[0].size.folds or (settings.backs == "fold-over" and any(card.back for card in cards)),
        )
        for cards in sizes
    ]
    for parts in sheets_of(settings.paper, runs, settings.bleed_mm, marks=settings.marks):
        _draw_sheet(job, parts, sizes, settings)


def _draw_sheet(job: _Job, parts: Sheet, sizes: Sequence[Sequence[Drawn]], settings: PrintSettings) -> None:
    """Draw a sheet, followed by its backs."""
    marks = marks_of((part.plan, part.count) for part in parts) if settings.marks else Marks((), ())
    paper = parts[0].plan.paper
    laid = [(part.plan, sizes[part.run][at], cell) for part in parts for at, cell in part.cells()]
    if job.has_open_back:
        _Page(job, paper, Shift()).close()
    job.tree.sect(f"Sheet {job.next_sheet()}")
    page = _Page(job, paper, _kept_on(parts, settings.front))
    for layout, card, cell in laid:
        place = layout.front(cell)
        page.card(card.front, card, place, layout.drawn(place, cell), card.text)
        if layout.fold and card.back:
            place = layout.folded_back(cell)
            page.card(card.back, card, place, layout.drawn(place, cell), _back_text(card))
    page.marks(marks)
    page.close()
    if settings.backs not in ("long-edge", "short-edge"):
        return
    backed = [(layout, card, cell) for layout, card, cell in laid if card.back and not layout.fold]
    job.has_open_back = not backed
    if backed:
        page = _Page(job, paper, _kept_on(parts, settings.back))
        for layout, card, cell in backed:
            place = layout.front(cell).behind(paper, settings.backs)
            drawn = layout.drawn(layout.front(cell), cell).behind(paper, settings.backs)
            assert card.back is not None
            page.card(card.back, card, place, drawn, _back_text(card))
        page.marks(marks.behind(paper, settings.backs))
        page.close()


def _kept_on(parts: Sheet, shift: Shift) -> Shift:
    """Return the shift, limited so that all cards stay on the paper."""
    left = min(block.x for part in parts for block in part.plan.blocks)
    top = min(block.y for part in parts for block in part.plan.blocks)
    return Shift(x=max(-left, min(shift.x, left)), y=max(-top, min(shift.y, top)))


def _back_text(card: Drawn) -> str:
    """Return a short text for a card's back, because its front has the text of the whole card."""
    return f"Back of {card.text.strip().splitlines()[0][:80]}" if card.text.strip() else "Back of a card"


class _Job:
    """A print file that is being written, with the batches that it takes pages from."""

    def __init__(self, title: str) -> None:
        self.pdf = pikepdf.new()
        self.title = title
        self.tree = StructureTree(self.pdf)
        self._sources: dict[Path, pikepdf.Pdf] = {}
        self._forms: dict[PageRef, Object] = {}
        self._fonts = FontShare()
        self._sheets = 0
        self.has_open_back = False  # whether the last sheet's back is empty and has no page yet

    def __enter__(self) -> _Job:
        return self

    def __exit__(self, *_: object) -> None:
        for file in (self.pdf, *self._sources.values()):
            file.close()

    def next_sheet(self) -> int:
        self._sheets += 1
        return self._sheets

    def form(self, ref: PageRef, card: Drawn) -> Object:
        """Return a drawn page as a form whose origin is the bottom left corner of the trimmed card."""
        if ref not in self._forms:
            if ref.batch not in self._sources:
                # From memory, because hundreds of small batches would need hundreds of open files.
                self._sources[ref.batch] = pikepdf.open(io.BytesIO(ref.batch.read_bytes()))
            page = self._sources[ref.batch].pages[ref.page].obj
            left, bottom, right, top = (round(float(side), 4) for side in page.MediaBox)
            x = (left + right - card.size.width * MM) / 2
            y = (bottom + top - card.size.height * MM) / 2
            form = self.pdf.copy_foreign(page.Contents)
            form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
            form.BBox = [left, bottom, right, top]
            form.Matrix = [1, 0, 0, 1, round(-x, 4), round(-y, 4)]
            form.Resources = self.pdf.copy_foreign(page.Resources)
            self._fonts.share(form.Resources)
            self._forms[ref] = form
        return self._forms[ref]

    def finish(self, backs: str | None) -> bytes:
        """Return the file; `backs` is None if it is for the screen."""
        if not len(self.pdf.pages):
            raise ValueError("there are no cards to lay on paper")
        self.tree.close()
        if backs:
            set_print_preferences(self.pdf, backs)
        write_metadata(self.pdf, self.title)
        return pdf_bytes(self.pdf)


class _Page:
    """One side of a sheet."""

    def __init__(self, job: _Job, size: tuple[float, float], shift: Shift) -> None:
        self._job = job
        self._size = size
        self._shift = shift
        self._page = job.pdf.add_blank_page(page_size=(size[0] * MM, size[1] * MM)).obj
        self._names: dict[PageRef, str] = {}
        self._forms: dict[str, Object] = {}
        self._content: list[str] = []
        job.tree.page(self._page)

    def card(self, ref: PageRef, card: Drawn, place: Place, drawn: Place, text: str) -> None:
        """Draw a side in its place, clipped to `drawn`, which is the place including its bleed."""
        name = self._names.setdefault(ref, f"/C{len(self._names)}")
        self._forms[name] = self._job.form(ref, card)
        a, b, c, d = TURNS[place.turn]
        x, y = self._point(place.x + (place.width if a < 0 or c < 0 else 0), place.bottom)
        y += place.height * MM if b < 0 or d < 0 else 0
        box = self._box(drawn)
        number = self._job.tree.figure(text or "Card", self._box(place))
        left, bottom, right, top = box
        self._content.append(
            f"/Figure <</MCID {number}>> BDC q {left:.3f} {bottom:.3f} {right - left:.3f} {top - bottom:.3f} re W n "
            f"{a} {b} {c} {d} {x:.3f} {y:.3f} cm {name} Do Q EMC"
        )

    def marks(self, marks: Marks) -> None:
        for style, segments in ((CUT_STYLE, marks.cuts), (FOLD_STYLE, marks.folds)):
            if segments:
                self._content += [ARTIFACT, style, *map(self._stroke, segments), "Q EMC"]

    def close(self) -> None:
        self._page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(self._forms))
        content = "\n".join(self._content).encode("ascii")
        self._page.Contents = self._job.pdf.make_stream(content or EMPTY_PAGE)

    def _point(self, x: float, y: float) -> tuple[float, float]:
        return (x + self._shift.x) * MM, (self._size[1] - y - self._shift.y) * MM

    def _box(self, place: Place) -> tuple[float, float, float, float]:
        return *self._point(place.x, place.bottom), *self._point(place.right, place.y)

    def _stroke(self, segment: tuple[float, float, float, float]) -> str:
        (x1, y1), (x2, y2) = self._point(*segment[:2]), self._point(*segment[2:])
        return f"{x1:.3f} {y1:.3f} m {x2:.3f} {y2:.3f} l S"
