"""Unit cards: each side a page of its own, drawn in batches, kept by what is on it, then imposed on paper."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from urllib.parse import quote

from django.template.loader import render_to_string

from rosters.printing import cache
from rosters.printing.documents import PrintUnit, UnitDocument, sheets_of
from rosters.printing.engine import STATIC_DIR, missing_glyphs, report_missing, weasyprint, write_pdf
from rosters.printing.impose import impose, paper_size
from rosters.printing.layout import POKER, CardPage, CardSize, TextBox, lay_out
from rosters.printing.metrics import FILES, FONT_DIR, is_ours
from rosters.printing.orders import PrintSettings
from rosters.printing.systems import PAPER

BATCH = 45  # pages in one WeasyPrint run: bounds memory, and is the unit of progress
ART_STYLE = (
    "path{fill:none;stroke:#20231a}"
    ".hair{stroke-width:.18}.faint{stroke-width:.1;stroke:#a9a28d}.bar{stroke-width:.7}"
    ".fold{stroke-width:.18;stroke-dasharray:1 .8}.shape,.qr{stroke:none;fill:#20231a}.qr{fill:#000}"
    ".box{stroke-width:.22}.hot{stroke-width:.22;stroke:#a8370b;stroke-dasharray:.7 .5}.mark{stroke-width:.4}"
)
TONES = {"ink": "", "soft": " soft", "signal": " signal"}
ALIGNS = {"left": "", "center": " c", "right": " r"}
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class CardSides:
    """The HTML of one unit's cards: as many fronts as backs, more than one where the text continues."""

    fronts: tuple[str, ...]
    backs: tuple[str, ...]


def render_cards(
    units: Iterable[PrintUnit | UnitDocument | Mapping[str, object]],
    paper: str,
    *,
    duplex: bool = True,
    size: CardSize = POKER,
    progress: Progress | None = None,
) -> bytes:
    """A PDF with the cards of all units, nine to a page in that order; with `duplex` each page is followed by its backs."""
    paper_size(paper)
    read = sheets_of(units)
    named = [(unit.document.name, card_sides(unit, size)) for unit in read]
    cards = [(name, *pair) for name, side in named for pair in zip(side.fronts, side.backs, strict=True)]
    wanted = [front for _, front, _ in cards] + ([back for _, _, back in cards] if duplex else [])
    pages = card_pages(wanted, size, progress)
    drawn = [cache.Drawn(pages[front], pages[back if duplex else front], size, name) for name, front, back in cards]
    settings = PrintSettings.model_validate({"paper": paper, "backs": "long-edge" if duplex else "none"})
    return impose(drawn, settings, "Unit cards")


def card_sides(unit: PrintUnit, size: CardSize = POKER) -> CardSides:
    content = PAPER[unit.document.system].card(unit.sheet)
    fronts = [page_html(page) for page in lay_out(content.front, size)]
    backs = [page_html(page) for page in lay_out(content.back, size)]
    count = max(len(fronts), len(backs))
    fronts += fronts[:1] * (count - len(fronts))
    backs += backs[:1] * (count - len(backs))
    return CardSides(tuple(fronts), tuple(backs))


def card_pages(
    wanted: Sequence[str], size: CardSize = POKER, progress: Progress | None = None
) -> dict[str, cache.PageRef]:
    """Where the page of each of these HTML sides is: from the cache, or drawn now. Equal sides are drawn once."""
    keys = {html: _key(html, size) for html in wanted}
    found = {html: ref for html, key in keys.items() if (ref := cache.find(key))}
    for ref in found.values():
        report_missing(ref.missing)
    wanting = [html for html in keys if html not in found]
    for at in range(0, len(wanting), BATCH):
        batch = wanting[at : at + BATCH]
        with missing_glyphs() as missing:
            pdf = write_pdf(cards_html(batch, size))
        lacks = ["".join(sorted(missing.intersection(html))) for html in batch]
        found |= zip(batch, cache.store(pdf, [keys[html] for html in batch], lacks), strict=True)
        if len(batch) == BATCH:
            gc.collect()  # a long print must not grow; a short one need not wait
        if progress:
            progress(at + len(batch), len(wanting))
    return found


def cards_html(sides: Sequence[str], size: CardSize = POKER) -> str:
    return render_to_string("print/cards.html", {"sides": sides, "width": size.width, "height": size.height})


def page_html(page: CardPage) -> str:
    """One side as HTML: its strokes as one image, its lines of text in place. Built here, not in a template: it is
    the inner loop of the print shop."""
    width, height = page.size.width, page.size.height
    strokes = "".join(f'<path class="{kind}" d="{"".join(paths)}"/>' for kind, paths in page.art.items())
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}mm" height="{height}mm">'
        f"<style>{ART_STYLE}</style>{strokes}</svg>"
    )
    image = f'<img class="art" alt="" style="width:{width}mm;height:{height}mm" src="data:image/svg+xml,{quote(svg)}">'
    return image + "".join(map(_text_html, page.texts))


def _text_html(text: TextBox) -> str:
    if len(text.lines) > 1 and not is_ours("".join(text.lines), text.font):
        # A borrowed font may stand higher than ours and stretch a line: each line gets its own place.
        last = len(text.lines) - 1
        places = [text.y + (last - at if text.turned else at) * text.leading for at in range(len(text.lines))]
        return "".join(
            _text_html(replace(text, y=y, lines=(line,))) for y, line in zip(places, text.lines, strict=True)
        )
    head = " h" if text.font == "head" else ""
    extra = f";direction:rtl;text-align:{text.align}" if text.direction == "rtl" else ""
    extra += ";transform:rotate(180deg)" if text.turned else ""
    return (
        f'<div class="t{head}{ALIGNS[text.align]}{TONES[text.tone]}" style="left:{text.x:.2f}mm;top:{text.y:.2f}mm;'
        f'width:{text.width:.2f}mm;font-size:{text.size:.2f}pt;line-height:{text.leading:.3f}mm{extra}">'
        f"{escape(chr(10).join(text.lines))}</div>"
    )


def _key(html: str, size: CardSize) -> str:
    """Everything that decides how a side looks."""
    return hashlib.sha256(f"{_look()}|{size}|{html}".encode()).hexdigest()


@lru_cache(maxsize=1)
def _look() -> str:
    """Style sheets, fonts and the versions of what draws them."""
    hashed = hashlib.sha256()
    for name in ("print-fonts.css", "print-cards.css"):
        hashed.update((STATIC_DIR / "css" / name).read_bytes())
    for name in sorted({name for names in FILES.values() for name in names}):
        hashed.update((FONT_DIR / name).read_bytes())
    hashed.update(weasyprint().__version__.encode())
    hashed.update(str(weasyprint().text.ffi.pango.pango_version()).encode())
    return hashed.hexdigest()
