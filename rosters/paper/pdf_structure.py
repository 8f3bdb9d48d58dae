"""The structure of PDFs: tags, metadata, and fonts that are stored once.

Invariant: each marked piece of content is listed in the parent tree under its page's number.
"""

from __future__ import annotations

import hashlib
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
EMPTY_PAGE = b"\n"  # content of an empty page, because some readers fail on an empty compressed stream


class StructureTree:
    """The structure tree of a PDF that is being written: Document > Sect > Figure."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._root = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot))
        self._document = element(pdf, "Document", self._root)
        self._root.K = self._document
        self._kids: list[tuple[Object, list[Object]]] = [(self._document, [])]
        self._pages: list[list[Object]] = []

    def sect(self, title: str) -> None:
        """Start a section; the next figures belong to it."""
        sect = element(self._pdf, "Sect", self._document)
        sect.T = title
        self._kids[0][1].append(sect)
        self._kids.append((sect, []))

    def page(self, page: Object) -> None:
        """Start a page; the next figures are on it."""
        page.StructParents = len(self._pages)
        page.Tabs = pikepdf.Name.S
        self._page = page
        self._pages.append([])

    def figure(self, text: str, box: tuple[float, float, float, float]) -> int:
        """Add a figure; return the number that marks its content.

        `box` is left, bottom, right, top in points on the page.
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
    """Make `root` the file's structure tree; `parents` become its parent tree, elements by number."""
    nums = [part for number in sorted(parents) for part in (number, parents[number])]
    root.ParentTree = pdf.make_indirect(pikepdf.Dictionary(Nums=pikepdf.Array(nums)))
    root.ParentTreeNextKey = max(parents, default=-1) + 1
    pdf.Root.StructTreeRoot = root


def write_metadata(pdf: pikepdf.Pdf, title: str, *, language: str = LANGUAGE, is_accessible: bool = True) -> None:
    """Set the title and language, and mark the file as tagged; `is_accessible` also claims PDF/UA-1."""
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


def set_print_preferences(pdf: pikepdf.Pdf, backs: str) -> None:
    """Ask the printer to print at actual size, and on one or both sides according to the order."""
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


REFERENCE = b" R"
DIRECT = (0, 0)


class FontShare:
    """Stores each font of a file once, by its contents."""

    def __init__(self) -> None:
        self._known: dict[bytes, Object] = {}
        self._digests: dict[tuple[int, int], bytes] = {}
        self._seen: set[tuple[int, int]] = set()

    def share(self, resources: Object | None) -> None:
        """Replace the fonts and font files of a page or form with equal ones found earlier."""
        fonts = resources.get("/Font") if resources is not None else None
        if fonts is None or fonts.objgen in self._seen:
            return
        if fonts.is_indirect:
            self._seen.add(fonts.objgen)
        for name, font in list(fonts.items()):
            for part in font.get("/DescendantFonts", [font]):
                self._share_files(part.get("/FontDescriptor"))
            fonts[name] = self._first(font)

    def _share_files(self, descriptor: Object | None) -> None:
        for key in ("/FontFile", "/FontFile2", "/FontFile3"):
            if descriptor is not None and key in descriptor:
                descriptor[key] = self._first(descriptor[key])

    def _first(self, found: Object) -> Object:
        return self._known.setdefault(self._digest(found), found)

    def _digest(self, found: object) -> bytes:
        """Return a hash of an object and everything that it refers to; fonts have no reference cycles."""
        if not isinstance(found, pikepdf.Object):
            return repr(found).encode()
        number = found.objgen
        if number in self._digests:
            return self._digests[number]
        hashed = hashlib.sha256()
        if isinstance(found, pikepdf.Stream):
            hashed.update(self._digest(found.stream_dict) + found.read_raw_bytes())
        elif REFERENCE not in (written := found.unparse(resolved=True)):
            hashed.update(written)
        elif isinstance(found, pikepdf.Dictionary):
            for key in sorted(found.keys()):
                hashed.update(key.encode() + b" " + self._digest(found[key]))
        else:
            for part in found:
                hashed.update(self._digest(part))
        if number != DIRECT:
            self._digests[number] = hashed.digest()
        return hashed.digest()
