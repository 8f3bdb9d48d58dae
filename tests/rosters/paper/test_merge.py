"""Joined PDFs: real WeasyPrint documents and imposed sheets, checked through structure, links, outline and fonts."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pytest

from rosters.paper.documents import PrintSettings
from rosters.paper.engine import page_document
from rosters.printing.impose import impose
from rosters.printing.merge import UntaggedPartError, merge
from tests.rosters.paper import checks, pdf
from tests.rosters.paper.plain_cards import COUNTER, STANDEE, draw_cards


def document(title: str, *, language: str = "en", variant: str | None = "pdf/ua-1", pages: int = 2) -> bytes:
    """Return a page of everything that the print shop's pages have: headings, links, a picture, a table, a list."""
    more = "".join(
        f'<h2 id="part{at}" style="break-before:page">Part {at} of {title}</h2><p>Words.</p>'
        for at in range(2, pages + 1)
    )
    picture = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='5' height='5'/></svg>"
    html = (
        f'<html lang="{language}"><head><title>{title}</title><link rel="stylesheet" href="print-fonts.css">'
        f'<style>@page{{size:210mm 297mm}}body{{font-family:"Muster Text"}}h1,h2,th{{font-weight:600}}</style></head><body>'
        f'<h1 id="part1">Start of {title}</h1><p>Go to <a href="#part{pages}">the last part</a> or '
        f'<a href="https://example.org/">out</a>.</p><p><img alt="A square of {title}" src="{picture}"></p>'
        f"<table><tr><th>Weapon</th><th>Heat</th></tr><tr><td>Laser</td><td>2</td></tr></table>{more}</body></html>"
    )
    data: bytes = page_document(html).write_pdf(pdf_variant=variant)
    return data


def sheets(count: int, **settings: object) -> bytes:
    return impose(draw_cards(count), PrintSettings.model_validate(settings), "Cards")


def open_pdf(data: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(data))


@pytest.fixture(scope="module")
def parts() -> list[bytes]:
    return [document("Alpha"), sheets(11), document("Beta"), document("Alpha")]


@pytest.fixture(scope="module")
def whole(parts: list[bytes]) -> bytes:
    return merge(parts, "Packet for <two>")


def test_joined_file_is_accessible_with_every_page_in_order(whole: bytes, tmp_path: Path):
    path = tmp_path / "print.pdf"
    path.write_bytes(whole)
    checks.check(
        path,
        pages=10,
        title="Packet for <two>",
        size=(210, 297),
        texts=["Start of Alpha", "Part 2 of Beta", "F10", "B10"],
    )
    firsts = [page[0].text for page in pdf.words(path)]
    assert firsts == ["Start", "Part", "F0", "B2", "F9", "B10", "Start", "Part", "Start", "Part"]
    assert open_pdf(whole).check_pdf_syntax() == []


def test_each_parts_structure_is_kept(parts: list[bytes], whole: bytes):
    def kinds(data: bytes) -> list[str]:
        file = open_pdf(data)
        return [str(element.S) for element in checks.elements_of(file.Root.StructTreeRoot)]

    expected = ["/Document"]
    for part in parts:
        expected += ["/Part", *kinds(part)[1:]]
    assert kinds(whole) == expected
    file = open_pdf(whole)
    (root,) = checks.kids_of(file.Root.StructTreeRoot)
    assert [str(part.T) for part in root.K] == ["Alpha", "Cards", "Beta", "Alpha"]
    texts = checks.alternative_texts(file)
    assert texts[0] == "A square of Alpha"
    assert texts[1] == "Card 0\nArmor 4, hits 3"
    assert len(texts) == 3 + 22


def test_links_and_table_headers_stay_in_their_part(whole: bytes):
    file = open_pdf(whole)
    names = list(file.Root.Names.Dests.Names)
    places = {bytes(name): value[0].objgen for name, value in zip(names[::2], names[1::2], strict=True)}
    assert sorted(places) == list(map(bytes, names[::2]))
    pages = [page.obj.objgen for page in file.pages]
    for first in (0, 6, 8):
        link = next(link for link in file.pages[first].Annots if "/Dest" in link)
        assert places[bytes(link.Dest)] == pages[first + 1]
    cells = [element for element in checks.elements_of(file.Root.StructTreeRoot) if element.S == "/TD"]
    headers = [bytes(cell.A.Headers[0]) for cell in cells]
    assert len(set(headers)) == len(headers) == 6
    names_and_elements = list(file.Root.StructTreeRoot.IDTree.Names)
    by_id = {
        bytes(name): element for name, element in zip(names_and_elements[::2], names_and_elements[1::2], strict=True)
    }
    for cell, header in zip(cells, headers, strict=True):
        assert by_id[header].S == "/TH"
        assert by_id[header].Pg.objgen == cell.Pg.objgen


def test_each_part_has_a_bookmark(whole: bytes):
    file = open_pdf(whole)
    pages = [page.obj.objgen for page in file.pages]
    with file.open_outline() as outline:
        bookmarks = [
            (item.title, pages.index(item.destination[0].objgen), [child.title for child in item.children])
            for item in outline.root
        ]
    assert bookmarks == [
        ("Alpha", 0, ["Start of Alpha"]),
        ("Cards", 2, []),
        ("Beta", 6, ["Start of Beta"]),
        ("Alpha", 8, ["Start of Alpha"]),
    ]


def test_equal_fonts_are_stored_once():
    one, other = open_pdf(document("Alpha")), open_pdf(merge([document("Alpha")] * 5, "Five"))

    def files(file: pikepdf.Pdf) -> int:
        return sum(isinstance(found, pikepdf.Stream) and "/Length1" in found for found in file.objects)

    assert files(other) == files(one) > 0


def test_equal_parts_give_equal_bytes(parts: list[bytes], whole: bytes):
    assert merge(parts, "Packet for <two>") == whole


def test_merged_file_can_be_merged_again(whole: bytes, tmp_path: Path):
    path = tmp_path / "print.pdf"
    path.write_bytes(merge([whole, document("Gamma")], "Again"))
    checks.check(path, pages=12, title="Again", texts=["Part 2 of Gamma"])


def test_sheets_with_backs_start_on_a_front():
    odd = document("Odd", pages=1)
    joined = open_pdf(merge([odd, sheets(1), odd], "Packet"))
    assert len(joined.pages) == 5
    assert checks.problems_of_tags(joined) == []
    assert checks.problems_of_streams(joined) == []
    assert checks.marked_numbers(joined.pages[1]) == []
    assert len(checks.drawing(joined, 2).cards) == 1
    assert joined.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"
    assert joined.Root.ViewerPreferences.PrintScaling == "/None"
    assert len(open_pdf(merge([odd, sheets(1, backs="none")], "Packet")).pages) == 2


def test_part_after_sheets_with_backs_starts_on_a_front():
    standees = impose(draw_cards(1, STANDEE), PrintSettings(), "Standees")
    assert [
        len(open_pdf(merge(parts, "Packet")).pages) for parts in ([standees], [standees, document("A", pages=1)])
    ] == [
        1,
        3,
    ]


def test_part_in_another_language_is_marked():
    joined = open_pdf(merge([document("One"), document("Deux", language="fr")], "Both"))
    (root,) = checks.kids_of(joined.Root.StructTreeRoot)
    assert ["/Lang" in part for part in root.K] == [False, True]
    assert str(root.K[1].Lang) == "fr"


def test_page_labels_are_kept_and_continued():
    with open_pdf(document("Roman")) as labelled:
        labelled.Root.PageLabels = pikepdf.Dictionary(Nums=[0, pikepdf.Dictionary(S=pikepdf.Name.r)])
        out = io.BytesIO()
        labelled.save(out)
    joined = open_pdf(merge([document("One"), out.getvalue(), sheets(1)], "All"))
    assert [page.label for page in joined.pages] == ["1", "2", "i", "ii", "5", "6"]


def test_roles_of_parts_are_kept_and_must_agree():
    def with_role(role: str) -> bytes:
        with open_pdf(document("Roles", pages=1)) as file:
            file.Root.StructTreeRoot.RoleMap = pikepdf.Dictionary(Stat=pikepdf.Name(role))
            out = io.BytesIO()
            file.save(out)
        return out.getvalue()

    joined = open_pdf(merge([document("One"), with_role("/P"), with_role("/P")], "All"))
    assert joined.Root.StructTreeRoot.RoleMap.Stat == "/P"
    with pytest.raises(ValueError, match="/Stat means different things"):
        merge([with_role("/P"), with_role("/H1")], "All")


def test_accessibility_is_claimed_only_if_every_part_claims_so():
    tagged_only = page_document('<html lang="en"><title>T</title><p>x').write_pdf(pdf_tags=True)
    joined = open_pdf(merge([document("One"), tagged_only], "All"))
    assert b"pdfuaid:part" not in joined.Root.Metadata.read_bytes()
    assert checks.problems_of_tags(joined) == ["does not claim PDF/UA"]


def test_untagged_part_is_refused():
    with pytest.raises(UntaggedPartError, match="part 2"):
        merge([sheets(1), document("Bare", variant=None)], "All")


def test_empty_merge_is_refused():
    with pytest.raises(ValueError, match="no parts"):
        merge([], "All")


def test_counters_and_cards_of_several_sizes_join():
    counters = impose(draw_cards(3, COUNTER), PrintSettings(backs="fold-over"), "Counters")
    assert checks.problems_of_tags(open_pdf(merge([sheets(2), counters], "All"))) == []
