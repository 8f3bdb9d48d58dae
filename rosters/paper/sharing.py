"""Share fonts: fonts that are the same in several files are stored once in the merged file."""

from __future__ import annotations

import hashlib

import pikepdf
from pikepdf import Object

REFERENCE = b" R"
DIRECT = (0, 0)


class FontShare:
    """The fonts found so far in one file, by their contents."""

    def __init__(self) -> None:
        self._known: dict[bytes, Object] = {}
        self._digests: dict[tuple[int, int], bytes] = {}
        self._seen: set[tuple[int, int]] = set()

    def share(self, resources: Object | None) -> None:
        """Replace the fonts and font files of a page or form by equal ones found earlier."""
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
        """Return a hash of an object and everything it refers to; fonts have no cycles."""
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
