"""Checks that every print must pass, by poppler and the file's own structure, not by the code that drew it.

`check` asserts what holds for every product; `problems_of_sheet` and `words_outside` check sheets of cards.
"""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pikepdf

from tests.rosters.paper import pdf

MM = 25.4 / 72
NEAR = 0.02  # mm


@dataclass(frozen=True)
class Area:
    """A box on a page, mm from its top left corner."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, other: Area) -> bool:
        return (
            self.left <= other.left + NEAR
            and self.top <= other.top + NEAR
            and self.right >= other.right - NEAR
            and self.bottom >= other.bottom - NEAR
        )

    def overlaps(self, other: Area) -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        along = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > NEAR and along > NEAR


@dataclass(frozen=True)
class Drawing:
    """The content of an imposed page: clipped forms by name, with their turn and trimmed boxes; and strokes."""

    cards: tuple[tuple[str, int, Area], ...]  # name, quarter turns clockwise, visible box with its bleed
    trims: tuple[Area, ...]  # the boxes described to screen readers
    strokes: tuple[Area, ...]


def check(
    path: Path,
    *,
    pages: int | None = None,
    size: tuple[float, float] | None = None,
    title: str | None = None,
    texts: Sequence[str] = (),
    language: str = "en",
) -> None:
    """Assert count and size of pages, fonts, text, and everything that makes a file accessible."""
    sizes = pdf.page_sizes(path)
    if pages is not None:
        assert len(sizes) == pages, f"{len(sizes)} pages"
    if size is not None:
        assert set(sizes) == {size}, set(sizes)
    assert not problems_of_fonts(path)
    printed_text = pdf.text(path)
    assert not [text for text in texts if text not in printed_text]
    with pikepdf.open(path) as opened:
        assert not problems_of_tags(opened, language)
        assert not problems_of_streams(opened)
        if title is not None:
            assert str(opened.docinfo["/Title"]) == title


def problems_of_fonts(path: Path) -> list[str]:
    """Return fonts that are not embedded, not subset, or whose text can't be copied."""
    found = []
    listing = subprocess.run(["pdffonts", str(path)], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines()[2:]:
        embedded, subset, unicode = line[-26:].split()[:3]
        if (embedded, subset, unicode) != ("yes", "yes", "yes"):
            found.append(line)
    return found


def problems_of_streams(opened: pikepdf.Pdf) -> list[str]:
    """Return streams that can't be read, and pages without content: Ghostscript and mupdf stop at these."""
    found = [f"page {at}: no content" for at, page in enumerate(opened.pages, start=1) if "/Contents" not in page.obj]
    for each in opened.objects:
        if isinstance(each, pikepdf.Stream):
            if not each.read_raw_bytes():
                found.append(f"stream {each.objgen[0]}: no bytes")
            elif each.get("/Subtype") != "/Image":
                each.read_bytes()
    return found


def complaints(path: Path) -> list[str]:
    """Return the complaints of Ghostscript, mupdf and qpdf about a file; nothing if all is well."""
    commands = (
        ("gs", "-q", "-sDEVICE=nullpage", "-dNOPAUSE", "-dBATCH", str(path)),
        ("mutool", "draw", "-q", "-N", "-r", "20", "-F", "pnm", "-o", "/dev/null", str(path)),
    )
    ran = [subprocess.run(command, capture_output=True, text=True) for command in commands]
    found = [line for each in ran for line in (each.stdout + each.stderr).splitlines()]
    with pikepdf.open(path) as opened:
        return [*found, *opened.check_pdf_syntax()]


def problems_of_tags(opened: pikepdf.Pdf, language: str = "en") -> list[str]:
    """Return why a file isn't fit for a screen reader."""
    root = opened.Root
    found = [f"no {key}" for key in ("/MarkInfo", "/StructTreeRoot", "/Lang", "/Metadata") if key not in root]
    if found:
        return found
    if str(root.Lang) != language:
        found.append(f"language {root.Lang}")
    if not root.MarkInfo.get("/Marked"):
        found.append("not marked")
    if not root.get("/ViewerPreferences", {}).get("/DisplayDocTitle"):
        found.append("title not shown")
    if not str(opened.docinfo.get("/Title", "")):
        found.append("no title")
    if b"pdfuaid:part" not in root.Metadata.read_bytes():
        found.append("does not claim PDF/UA")
    tree = root.StructTreeRoot
    elements = list(elements_of(tree))
    if [str(kid.S) for kid in kids_of(tree)] != ["/Document"]:
        found.append("not one Document")
    found += [f"{kind} without alternative text" for kind in figures_without_text(elements)]
    found += problems_of_parents(opened, {element.objgen for element in elements})
    return found


def figures_without_text(elements: Sequence[Any]) -> list[str]:
    return [
        str(element.S)
        for element in elements
        if element.S in ("/Figure", "/Formula") and not str(element.get("/Alt", ""))
    ]


def problems_of_parents(opened: pikepdf.Pdf, known: set[tuple[int, int]]) -> list[str]:
    """Return marked content that the parent tree doesn't lead to an element of the structure tree that holds it."""
    found = []
    parents = parent_tree(opened)
    for at, page in enumerate(opened.pages, start=1):
        numbers = marked_numbers(page)
        if page.obj.get("/Tabs") != "/S":
            found.append(f"page {at}: no tab order")
        if not numbers:
            continue
        if "/StructParents" not in page.obj:
            found.append(f"page {at}: no number in the parent tree")
            continue
        elements = parents.get(int(page.obj.StructParents), [])
        for number in numbers:
            if number >= len(elements):
                found.append(f"page {at}: content {number} has no element")
            elif elements[number].objgen not in known:
                found.append(f"page {at}: content {number} leads out of the tree")
            elif (page.obj.objgen, number) not in contents_of(elements[number]):
                found.append(f"page {at}: content {number} is not its element's")
        if len(set(numbers)) != len(numbers):
            found.append(f"page {at}: a number marks two contents")
        for link in page.obj.get("/Annots", []):
            parent = parents.get(int(link.get("/StructParent", -1)))
            if parent is None or parent.objgen not in known:
                found.append(f"page {at}: a link has no element")
    return found


def parent_tree(opened: pikepdf.Pdf) -> dict[int, Any]:
    nums = list(opened.Root.StructTreeRoot.ParentTree.Nums)
    keys = [int(key) for key in nums[::2]]
    assert keys == sorted(set(keys)), "keys of the parent tree ascend"
    return dict(zip(keys, nums[1::2], strict=True))


def marked_numbers(page: pikepdf.Page) -> list[int]:
    return [
        int(operands[1].MCID)
        for operands, operator in pikepdf.parse_content_stream(page)
        if str(operator) == "BDC" and isinstance(operands[1], pikepdf.Dictionary) and "/MCID" in operands[1]
    ]


def kids_of(element: Any) -> list[Any]:
    kids = element.get("/K", [])
    return list(kids) if isinstance(kids, pikepdf.Array) else [kids]


def elements_of(element: Any) -> Iterator[Any]:
    """Return structure elements below one, in reading order. Assert that each knows its parent."""
    for kid in kids_of(element):
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            assert kid.P.objgen == element.objgen
            yield kid
            yield from elements_of(kid)


def contents_of(element: Any) -> set[tuple[tuple[int, int], int]]:
    """Return page and number of the marked content that is an element's own."""
    found = set()
    for kid in kids_of(element):
        if isinstance(kid, pikepdf.Dictionary) and "/MCID" in kid:
            found.add((kid.get("/Pg", element.get("/Pg")).objgen, int(kid.MCID)))
        elif not isinstance(kid, pikepdf.Dictionary):
            found.add((element.Pg.objgen, int(kid)))
    return found


def alternative_texts(opened: pikepdf.Pdf) -> list[str]:
    return [str(element.Alt) for element in elements_of(opened.Root.StructTreeRoot) if "/Alt" in element]


TURNS = {(1, 0, 0, 1): 0, (0, -1, 1, 0): 1, (-1, 0, 0, -1): 2, (0, 1, -1, 0): 3}


def drawing(opened: pikepdf.Pdf, number: int) -> Drawing:
    """Return the places of cards and strokes on an imposed page."""
    page = opened.pages[number]
    height = float(page.mediabox[3])

    def area(left: float, bottom: float, right: float, top: float) -> Area:
        return Area(left * MM, (height - top) * MM, right * MM, (height - bottom) * MM)

    cards = []
    strokes = []
    clip = start = matrix = None
    for operands, operator in pikepdf.parse_content_stream(page):
        values = [float(value) if not isinstance(value, pikepdf.Object) else value for value in operands]
        match str(operator):
            case "re":
                clip = area(values[0], values[1], values[0] + values[2], values[1] + values[3])
            case "cm":
                matrix = values
            case "Do":
                visible = _form_area(page.obj.Resources.XObject[str(values[0])], matrix, area)
                cut = Area(*map(max, (clip.left, clip.top), (visible.left, visible.top)),
                           *map(min, (clip.right, clip.bottom), (visible.right, visible.bottom)))  # fmt: skip
                cards.append((str(values[0]), TURNS[tuple(int(value) for value in matrix[:4])], cut))
            case "m":
                start = values
            case "l":
                ends = [*zip(start, values, strict=True)]
                strokes.append(area(min(ends[0]), min(ends[1]), max(ends[0]), max(ends[1])))
    elements = parent_tree(opened)[int(page.obj.StructParents)]
    trims = tuple(area(*map(float, figure.A.BBox)) for figure in elements)
    return Drawing(tuple(cards), trims, tuple(strokes))


def _form_area(form: Any, matrix: list[float], area: Any) -> Area:
    """Return where a form's own box lies on the page."""
    a, b, c, d, e, f = matrix
    dx, dy = (float(value) for value in form.Matrix[4:6]) if "/Matrix" in form else (0.0, 0.0)
    left, bottom, right, top = map(float, form.BBox)
    corners = [(x + dx, y + dy) for x, y in itertools.product((left, right), (bottom, top))]
    xs = [a * x + c * y + e for x, y in corners]
    ys = [b * x + d * y + f for x, y in corners]
    return area(min(xs), min(ys), max(xs), max(ys))


def problems_of_sheet(opened: pikepdf.Pdf, number: int, margin: float = 6.0) -> list[str]:
    """Return cards that overlap or miss their boxes, marks over cards, and anything in the margins."""
    page = opened.pages[number]
    width, height = float(page.mediabox[2]) * MM, float(page.mediabox[3]) * MM
    inside = Area(margin, margin, width - margin, height - margin)
    imposed = drawing(opened, number)
    found = [f"{name} in the margin: {place}" for name, _, place in imposed.cards if not inside.holds(place)]
    found += [f"a mark in the margin: {place}" for place in imposed.strokes if not inside.holds(place)]
    for (one, _, first), (other, _, second) in itertools.combinations(imposed.cards, 2):
        if first.overlaps(second):
            found.append(f"{one} overlaps {other}")
    if len(imposed.trims) != len(imposed.cards):
        found.append("a card without its figure")
    for (name, _, place), trim in zip(imposed.cards, imposed.trims, strict=False):
        if not place.holds(trim):
            found.append(f"{name} does not fill its card: {place}, {trim}")
    for mark in imposed.strokes:
        for trim in imposed.trims:
            inner = Area(trim.left + NEAR, trim.top + NEAR, trim.right - NEAR, trim.bottom - NEAR)
            if (
                inner.left < mark.right
                and mark.left < inner.right
                and inner.top < mark.bottom
                and mark.top < inner.bottom
            ):
                found.append(f"a mark over a card: {mark}")
    return found


def words_outside(words: Sequence[pdf.Word], opened: pikepdf.Pdf, number: int) -> list[str]:
    """Return words of an imposed page that no card's box holds."""
    boxes = drawing(opened, number).trims
    return [
        word.text
        for word in words
        if not any(box.holds(Area(word.left, word.top, word.right, word.bottom)) for box in boxes)
    ]


def words_over_words(words: Sequence[pdf.Word]) -> list[str]:
    """Return words that overlap. Boxes reach as far as the font's tallest letters, which words seldom do."""
    found = []
    boxes = sorted(((_core(word), word.text) for word in words), key=lambda box: box[0].top)
    for at, (first, one) in enumerate(boxes):
        for second, other in boxes[at + 1 :]:
            if second.top >= first.bottom:
                break
            if first.overlaps(second):
                found.append(f"{one!r} and {other!r} at {first.left:.1f}, {first.top:.1f}")
    return found


def _core(word: pdf.Word) -> Area:
    inset = 0.24 * min(word.right - word.left, word.bottom - word.top)
    return Area(word.left + inset, word.top + inset, word.right - inset, word.bottom - inset)


def inked_margins(path: Path, margin: float, dpi: int = 60) -> list[str]:
    """Return pages that show anything nearer to an edge than `margin` mm, with a dot of tolerance."""
    found = []
    drawn = subprocess.run(["pdftoppm", "-gray", "-r", str(dpi), str(path)], check=True, capture_output=True).stdout
    at = page = 0
    while at < len(drawn):
        _, width, height, _ = drawn[at:].split(maxsplit=4)[:4]
        across, along = int(width), int(height)
        at += len(b"P5\n%d %d\n255\n" % (across, along))
        dots = drawn[at : at + across * along]
        at += across * along
        page += 1
        edge = int(margin / 25.4 * dpi) - 1
        rows = [dots[row * across : (row + 1) * across] for row in range(along)]
        strips = [*rows[:edge], *rows[-edge:], *(row[:edge] for row in rows), *(row[-edge:] for row in rows)]
        if any(dot < 200 for strip in strips for dot in (min(strip),)):
            found.append(f"page {page}")
    return found


COLOUR_SPACES = {
    "/DeviceGray",
    "/DeviceRGB",
    "/CalGray",
    "/G",
    "/RGB",
}  # whose values are checked where they are used


def colours(opened: pikepdf.Pdf) -> list[str]:
    """Return everything drawn in a colour other than grey, in pages and in the forms they use."""
    found: list[str] = []
    seen: set[tuple[int, int]] = set()
    for page in opened.pages:
        _colours_of(page, page.obj.get("/Resources", pikepdf.Dictionary()), found, seen)
    return found


def _colours_of(content: Any, resources: Any, found: list[str], seen: set[tuple[int, int]]) -> None:
    for operands, operator in pikepdf.parse_content_stream(content):
        named = str(operator)
        numbers = [float(value) for value in operands if not isinstance(value, pikepdf.Object)]
        is_rgb = named in ("rg", "RG") or (named in ("sc", "SC", "scn", "SCN") and len(numbers) == 3)
        is_coloured = (
            (is_rgb and max(numbers) - min(numbers) > 1e-6)
            or named in ("k", "K", "sh", "BI")
            or (named in ("cs", "CS") and str(operands[0]) not in COLOUR_SPACES | {"/Pattern"})
        )
        if is_coloured:
            found.append(f"{' '.join(map(str, operands))} {named}")
    for kind in ("/XObject", "/Pattern"):
        for drawn in dict(resources.get(kind, {})).values():
            if drawn.objgen in seen:
                continue
            seen.add(drawn.objgen)
            if drawn.get("/Subtype") == "/Image":
                if drawn.get("/ColorSpace", "/DeviceGray") != "/DeviceGray":
                    found.append("a coloured image")
            elif isinstance(drawn, pikepdf.Stream):
                _colours_of(drawn, drawn.get("/Resources", resources), found, seen)
            else:
                found.append("a gradient")
