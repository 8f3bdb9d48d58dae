"""Pages of a PDF as images, to preview a print."""

from __future__ import annotations

import io
from collections.abc import Iterator

from rosters.models import MAX_PREVIEWS

WIDTH = 900  # pixels


def page_pictures(pdf: bytes) -> Iterator[bytes]:
    """Yield WebP images of the first pages, each drawn when it is requested."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf) as document:
        for at in range(min(len(document), MAX_PREVIEWS)):
            page = document[at]
            drawn = page.render(scale=WIDTH / page.get_width())
            out = io.BytesIO()
            drawn.to_pil().convert("RGB").save(out, "WEBP", quality=82, method=2)
            drawn.close()
            page.close()
            yield out.getvalue()
