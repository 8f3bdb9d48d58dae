"""Tagging of PDFs: the structure tree, the parent tree that leads back to it, and the document's metadata.

The one invariant: every marked piece of content is listed in the parent tree under its page's number.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from xml.sax.saxutils import escape

import pikepdf
from pikepdf import Object

LANGUAGE = "en"
PRODUCER = "Muster"
UA_MARK = b"pdfuaid:part"
DUPLEX = {"long-edge": "DuplexFlipLongEdge", "short-edge": "DuplexFlipShortEdge"}
ARTIFACT = "/Artifact <</Type /Page>> BDC"
EMPTY_PAGE = b"\n"  # content of an empty page: some readers fail on a compressed stream of no bytes


class StructureTree:
    """The structure Document > Sect > Figure, for a file in progress."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._root = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot))
        self._document = element(pdf, "Document", self._root)
        self._root.K = self._document
        self._kids: list[tuple[Object, list[Object]]] = [(self._document, [])]
        self._pages: list[list[Object]] = []

    def sect(self, title: str) -> None:
        """Start a new section for the next figures."""
        sect = element(self._pdf, "Sect", self._document)
        sect.T = title
        self._kids[0][1].append(sect)
        self._kids.append((sect, []))

    def page(self, page: Object) -> None:
        """Start a new page for the next figures."""
        page.StructParents = len(self._pages)
        page.Tabs = pikepdf.Name.S
        self._page = page
        self._pages.append([])

    def figure(self, text: str, box: tuple[float, float, float, float]) -> int:
        """Add a figure; return the number to mark its content with.

        `box` is left, bottom, right, top in the page's points.
        """
        sect, kids = self._kids[-1]
        number = len(self._pages[-1])
        figure = element(self._pdf, "Figure", sect)
        figure.Alt = text
        figure.Pg = self._page
        figure.K = number
        figure.A = pikepdf.Dictionary(
            O=pikepdf.Name.Layout, Placement=pikepdf.Name.Block, BBox=[round(side, 3) for side in box]
        )
        kids.append(figure)
        self._pages[-1].append(figure)
        return number

    def close(self) -> None:
        for element, kids in self._kids:
            element.K = pikepdf.Array(kids)
        set_parents(self._pdf, self._root, {at: pikepdf.Array(page) for at, page in enumerate(self._pages)})


def element(pdf: pikepdf.Pdf, kind: str, parent: Object) -> Object:
    """Return a new structure element of the file."""
    return pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructElem, S=pikepdf.Name(f"/{kind}"), P=parent))


def set_parents(pdf: pikepdf.Pdf, root: Object, parents: Mapping[int, Object]) -> None:
    """Make `root` the file's structure tree, with a parent tree from these numbers to their elements."""
    nums = [part for number in sorted(parents) for part in (number, parents[number])]
    root.ParentTree = pdf.make_indirect(pikepdf.Dictionary(Nums=pikepdf.Array(nums)))
    root.ParentTreeNextKey = max(parents, default=-1) + 1
    pdf.Root.StructTreeRoot = root


def write_metadata(pdf: pikepdf.Pdf, title: str, *, language: str = LANGUAGE, is_accessible: bool = True) -> None:
    """Set title, language and the marks of a tagged file; `is_accessible` claims PDF/UA-1."""
    pdf.docinfo["/Title"] = title
    pdf.docinfo["/Producer"] = PRODUCER
    pdf.Root.Lang = language
    pdf.Root.MarkInfo = pikepdf.Dictionary(Marked=True)
    preferences = pdf.Root.get("/ViewerPreferences", pikepdf.Dictionary())
    preferences.DisplayDocTitle = True
    pdf.Root.ViewerPreferences = preferences
    metadata = pdf.make_stream(_xmp(title, language, is_accessible=is_accessible))
    metadata.Type = pikepdf.Name.Metadata
    metadata.Subtype = pikepdf.Name.XML
    pdf.Root.Metadata = metadata


def tell_printer(pdf: pikepdf.Pdf, backs: str) -> None:
    """Ask the printer for actual size, and for printing on one or both sides as in the order."""
    pdf.Root.ViewerPreferences = pikepdf.Dictionary(
        PrintScaling=pikepdf.Name("/None"), Duplex=pikepdf.Name(f"/{DUPLEX.get(backs, 'Simplex')}")
    )


def pdf_bytes(pdf: pikepdf.Pdf) -> bytes:
    """Return the file's bytes; the same content gives the same bytes."""
    out = io.BytesIO()
    pdf.save(out, min_version="1.7", deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()


def _xmp(title: str, language: str, *, is_accessible: bool) -> bytes:
    claim = "<pdfuaid:part>1</pdfuaid:part>" if is_accessible else ""
    return (
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>\n<x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"'
        f' xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">{claim}<pdf:Producer>{PRODUCER}</pdf:Producer>'
        f'<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{escape(title)}</rdf:li></rdf:Alt></dc:title>'
        f"<dc:language><rdf:Bag><rdf:li>{escape(language)}</rdf:li></rdf:Bag></dc:language>"
        '</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end="w"?>'
    ).encode()
