"""Merges several tagged PDFs into one, with all pages in order, one structure tree and one outline.

Copying a page to another file loses its structure elements, and copying an element loses the pages that it refers to.
So each part is first renumbered in its own file; then all its pages are copied, and then everything that refers to
them, so that each reference finds its copied page. The same parts give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import ExitStack

import pikepdf
from pikepdf import Object

from rosters.paper.pdf_structure import (
    EMPTY_PAGE,
    LANGUAGE,
    UA_MARK,
    FontShare,
    element,
    pdf_bytes,
    set_parents,
    write_metadata,
)

KEYS = {"/StructParents", "/StructParent"}  # properties that are keys into the parent tree
DUPLEX = ("/DuplexFlipLongEdge", "/DuplexFlipShortEdge")


class UntaggedPartError(ValueError):
    """Raised for a part without a structure tree, because it would make the whole file untagged."""


def merge(parts: Sequence[bytes], title: str) -> bytes:
    """Return the parts in one file.

    A part that is printed on both sides starts on a front, and so does the part after it; empty pages are inserted if
    needed. The file claims PDF/UA-1 if all parts do.

    ValueError if there are no parts, UntaggedPartError.
    """
    if not parts:
        raise ValueError("there are no parts to join")
    with ExitStack() as stack:  # parts stay open, because their streams are read when the whole file is written
        pdf = stack.enter_context(pikepdf.new())
        whole = _Whole(pdf)
        for number, data in enumerate(parts, start=1):
            part = stack.enter_context(pikepdf.open(io.BytesIO(data)))
            whole.add(_Part(part, number, whole.next_key))
        whole.close(title)
        return pdf_bytes(pdf)


class _Part:
    """A file to merge, renumbered and renamed so that it doesn't clash with other parts."""

    def __init__(self, pdf: pikepdf.Pdf, number: int, first_key: int) -> None:
        self.pdf = pdf
        if "/StructTreeRoot" not in pdf.Root:
            raise UntaggedPartError(f"part {number} is not tagged")
        self.tree = pdf.Root.StructTreeRoot
        self.title = str(pdf.docinfo.get("/Title", ""))
        self.language = str(pdf.Root.get("/Lang", LANGUAGE))
        self.preferences = pdf.Root.get("/ViewerPreferences", pikepdf.Dictionary())
        self.is_accessible = "/Metadata" in pdf.Root and UA_MARK in pdf.Root.Metadata.read_bytes()
        self.ids: list[tuple[bytes, Object]] = []
        self._prefix = b"%d." % number
        self._first_key = first_key
        self._number()

    def named(self, name: Object) -> Object:
        """Return the name in the merged file for a name of this part."""
        return pikepdf.String(self._prefix + bytes(name))

    def parents(self) -> Iterator[tuple[int, Object]]:
        for key, value in _leaves(self.tree.get("/ParentTree"), "/Nums"):
            yield int(key) + self._first_key, value

    def destinations(self) -> Iterator[tuple[bytes, Object]]:
        names = self.pdf.Root.get("/Names")
        for name, value in _leaves(names.get("/Dests") if names is not None else None, "/Names"):
            yield self._prefix + bytes(name), value

    def _number(self) -> None:
        """Rename in place everything that is identified by a number or a name in its own file."""
        for found in self.pdf.objects:
            if not isinstance(found, pikepdf.Dictionary | pikepdf.Stream):
                continue
            keys = found.keys()
            for key in keys & KEYS:
                found[key] = int(found[key]) + self._first_key
            if "/S" in keys and "/P" in keys:
                self._rename_element(found, keys)
            else:
                self._rename_link(found, keys)

    def _rename_element(self, element: Object, keys: Set[str]) -> None:
        if "/ID" in keys:
            element.ID = self.named(element.ID)
            self.ids.append((bytes(element.ID), element))
        for one in _each(element.A) if "/A" in keys else ():
            if isinstance(one, pikepdf.Dictionary) and "/Headers" in one:
                one.Headers = pikepdf.Array([self.named(name) for name in one.Headers])

    def _rename_link(self, link: Object, keys: Set[str]) -> None:
        if "/Dest" in keys and isinstance(link.Dest, pikepdf.String):
            link.Dest = self.named(link.Dest)
        action = link.A if "/A" in keys else None
        if isinstance(action, pikepdf.Dictionary) and isinstance(action.get("/D"), pikepdf.String):
            action.D = self.named(action.D)


class _Whole:
    """The merged file."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self.pdf = pdf
        self.next_key = 0
        self._root = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot))
        self._document = element(pdf, "Document", self._root)
        self._kids: list[Object] = []
        self._parents: dict[int, Object] = {}
        self._ids: list[tuple[bytes, Object]] = []
        self._destinations: list[tuple[bytes, Object]] = []
        self._bookmarks: list[Object] = []
        self._labels: list[tuple[int, Object]] = []
        self._preferences: dict[str, Object] = {}
        self._language = ""
        self._is_accessible = True
        self._has_backs = False  # whether the last part has backs
        self._fonts = FontShare()

    def add(self, part: _Part) -> None:
        self._copy_pages(part)
        self._copy_tree(part)
        self._destinations += [(name, self._copied(part, value)) for name, value in part.destinations()]
        self._copy_outline(part)
        self._copy_labels(part)
        for key in ("/PrintScaling", "/Duplex"):
            if key in part.preferences:
                self._preferences.setdefault(key, part.preferences[key])
        self._is_accessible = self._is_accessible and part.is_accessible

    def close(self, title: str) -> None:
        self._document.K = pikepdf.Array(self._kids)
        self._root.K = pikepdf.Array([self._document])
        if self._ids:
            self._root.IDTree = _name_tree(self._ids)
        set_parents(self.pdf, self._root, self._parents)
        if self._destinations:
            self.pdf.Root.Names = pikepdf.Dictionary(Dests=_name_tree(self._destinations))
        if self._bookmarks:
            outlines = self.pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Outlines))
            _chain(outlines, self._bookmarks)
            self.pdf.Root.Outlines = outlines
        if self._labels:
            nums = [part for pair in self._labels for part in pair]
            self.pdf.Root.PageLabels = pikepdf.Dictionary(Nums=pikepdf.Array(nums))
        self.pdf.Root.ViewerPreferences = pikepdf.Dictionary(self._preferences)
        write_metadata(self.pdf, title, language=self._language or LANGUAGE, is_accessible=self._is_accessible)

    def _copy_pages(self, part: _Part) -> None:
        """Copy all pages, and only then their annotations, which may point from one page to another."""
        follows_backs, self._has_backs = self._has_backs, part.preferences.get("/Duplex") in DUPLEX
        if (follows_backs or self._has_backs) and len(self.pdf.pages) % 2:
            self._empty_page(part.pdf.pages[0])
        self._start = len(self.pdf.pages)
        annotations: list[Object | None] = []
        for page in part.pdf.pages:
            found = page.obj.get("/Annots")
            annotations.append(part.pdf.make_indirect(found) if found is not None and not found.is_indirect else found)
            if found is not None:
                del page.obj["/Annots"]
            for key in ("/MediaBox", "/Resources", "/CropBox", "/Rotate"):
                if key not in page.obj and (inherited := _inherited(page.obj, key)) is not None:
                    page.obj[key] = inherited
            self.pdf.pages.append(page)
        for page, found in zip(self.pdf.pages[self._start :], annotations, strict=True):
            if found is not None:
                page.obj.Annots = self.pdf.copy_foreign(found)
            resources = page.obj.get("/Resources")
            self._fonts.share(resources)
            for form in dict(resources.get("/XObject", {}) if resources is not None else {}).values():
                if isinstance(form, pikepdf.Stream):
                    self._fonts.share(form.get("/Resources"))

    def _empty_page(self, like: pikepdf.Page) -> None:
        left, bottom, right, top = (float(side) for side in like.mediabox)
        page = self.pdf.add_blank_page(page_size=(right - left, top - bottom))
        page.obj.Contents = self.pdf.make_stream(EMPTY_PAGE)
        page.obj.Tabs = pikepdf.Name.S

    def _copy_tree(self, part: _Part) -> None:
        kids = [self._copied(part, kid) for kid in _each(part.tree.get("/K", pikepdf.Array()))]
        if len(kids) == 1 and kids[0].get("/S") == "/Document":
            (chapter,) = kids
            chapter.S = pikepdf.Name.Part
        else:
            chapter = element(self.pdf, "Part", self._document)
            chapter.K = pikepdf.Array(kids)
            for kid in kids:
                kid.P = chapter
        chapter.P = self._document
        if part.title:
            chapter.T = part.title
        self._language = self._language or part.language
        if part.language != self._language:
            chapter.Lang = part.language
        self._kids.append(chapter)
        for key, value in part.parents():
            self._parents[key] = self._copied(part, value)
        self.next_key = max(self._parents, default=-1) + 1
        self._ids += [(name, self._copied(part, element)) for name, element in part.ids]
        for name in ("/RoleMap", "/ClassMap"):
            self._copy_map(part, name)

    def _copy_map(self, part: _Part, name: str) -> None:
        """Copy the role map or class map; ValueError if two parts define a name differently."""
        ours = self._root.get(name, pikepdf.Dictionary())
        for key, value in dict(part.tree.get(name, {})).items():
            mine = self._copied(part, value) if isinstance(value, pikepdf.Dictionary | pikepdf.Array) else value
            if key in ours and ours[key] != mine:
                raise ValueError(f"{key} means different things in the {name[1:]}s of two parts")
            ours[key] = mine
        if len(ours):
            self._root[name] = ours

    def _copy_outline(self, part: _Part) -> None:
        """Add a bookmark for the part's first page, with the part's own bookmarks below it.

        If the part's only bookmark has the part's title, that one is used instead.
        """
        page = self.pdf.pages[self._start].obj
        found = part.pdf.Root.get("/Outlines")
        own = self._copied(part, found) if found is not None and "/First" in found else None
        items = list(_items(own)) if own is not None else []
        if not part.title or [str(item.Title) for item in items] == [part.title]:
            self._bookmarks += items
            return
        bookmark = own if own is not None else self.pdf.make_indirect(pikepdf.Dictionary())
        if "/Type" in bookmark:
            del bookmark["/Type"]
        bookmark.Title = part.title
        bookmark.Dest = pikepdf.Array([page, pikepdf.Name.Fit])
        if items:
            bookmark.Count = -len(items)
        self._bookmarks.append(bookmark)

    def _copy_labels(self, part: _Part) -> None:
        """Copy the page labels; a part without labels continues the numbering."""
        found = list(_leaves(part.pdf.Root.get("/PageLabels"), "/Nums"))
        if found and not self._labels and self._start:
            self._labels.append((0, pikepdf.Dictionary(S=pikepdf.Name.D)))
        for at, label in found:
            self._labels.append((int(at) + self._start, self._copied(part, label)))
        if self._labels and not found:
            self._labels.append((self._start, pikepdf.Dictionary(S=pikepdf.Name.D, St=self._start + 1)))

    def _copied(self, part: _Part, found: Object) -> Object:
        return self.pdf.copy_foreign(found if found.is_indirect else part.pdf.make_indirect(found))


def _leaves(tree: Object | None, key: str) -> Iterator[tuple[Object, Object]]:
    """Yield the pairs of a number tree or a name tree in order."""
    if tree is None:
        return
    pairs = list(tree.get(key, []))
    yield from zip(pairs[::2], pairs[1::2], strict=True)
    for kid in tree.get("/Kids", []):
        yield from _leaves(kid, key)


def _each(found: Object) -> Iterable[Object]:
    """Return the items of an array; a single object is its own only item."""
    return found if isinstance(found, pikepdf.Array) else [found]


def _name_tree(pairs: Sequence[tuple[bytes, Object]]) -> Object:
    names = [part for name, value in sorted(pairs, key=lambda pair: pair[0]) for part in (pikepdf.String(name), value)]
    return pikepdf.Dictionary(Names=pikepdf.Array(names))


def _inherited(page: Object, key: str) -> Object | None:
    """Return the value that a page inherits from the nodes above it; None if there is none."""
    above = page.get("/Parent")
    while above is not None and key not in above:
        above = above.get("/Parent")
    return above[key] if above is not None else None


def _items(outline: Object) -> Iterator[Object]:
    item = outline.get("/First")
    while item is not None:
        yield item
        item = item.get("/Next")


def _chain(outlines: Object, items: Sequence[Object]) -> None:
    """Link the items as the outline's children."""
    for at, item in enumerate(items):
        item.Parent = outlines
        for key, other in (("/Prev", at - 1), ("/Next", at + 1)):
            if 0 <= other < len(items):
                item[key] = items[other]
            elif key in item:
                del item[key]
    outlines.First, outlines.Last = items[0], items[-1]
    outlines.Count = len(items) + sum(max(0, int(item.get("/Count", 0))) for item in items)
