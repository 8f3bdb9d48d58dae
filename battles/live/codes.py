"""The QR code with which a second phone joins, as path data."""

from __future__ import annotations

import segno

QUIET_ZONE = 4  # modules left white on each side


def qr_code_path(url: str) -> tuple[int, str]:
    """Return the modules on a side of an address's code, including the quiet zone, and the path of its dark modules."""
    matrix = segno.make(url, error="m", micro=False).matrix
    path = "".join(
        f"M{x + QUIET_ZONE} {y + QUIET_ZONE}h1v1h-1z" for y, row in enumerate(matrix) for x, dark in enumerate(row) if dark & 1
    )
    return len(matrix) + 2 * QUIET_ZONE, path
