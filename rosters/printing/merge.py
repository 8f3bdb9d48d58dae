"""PDFs joined into one."""

from __future__ import annotations

import io
from collections.abc import Sequence

from rosters.printing.engine import open_pdf


def merge(parts: Sequence[bytes], title: str) -> bytes:
    """The pages of all parts, in their order."""
    import pikepdf

    with pikepdf.new() as pdf:
        for part in parts:
            with open_pdf(part) as opened:
                pdf.pages.extend(opened.pages)
        pdf.docinfo["/Title"] = title
        pdf.docinfo["/Producer"] = "Muster"
        pdf.Root.Lang = pikepdf.String("en")
        out = io.BytesIO()
        pdf.save(out, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return out.getvalue()
