"""Codes to scan on pages: an image with its address as alternative text."""

from __future__ import annotations

import io
from html import escape
from urllib.parse import quote

MASK = 3  # fixed: trying all eight takes four fifths of the time
QUIET = 2  # modules around a code that stay white; the page around it is white too


def code_image(url: str) -> str:
    """An img element that a phone reads as the address; empty without one."""
    if not url:
        return ""
    import segno

    out = io.BytesIO()
    segno.make(url, error="m", mask=MASK, micro=False).save(out, kind="svg", border=QUIET, xmldecl=False, omitsize=True)
    alt = escape(f"Code that opens {url}")
    return f'<img class="code" alt="{alt}" src="data:image/svg+xml,{quote(out.getvalue().decode())}">'
