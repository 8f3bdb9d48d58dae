"""The small QR code on a card that links to the live unit, as path data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import segno

from rosters.paper.layout.page import CardSize

MIN_SIZE_MM = 12.0  # of a code with its quiet zone, on the smallest card
MIN_MODULE_MM = 0.29  # the smallest module that printers separate and phones read
QUIET = 4  # modules left white on each side
MASK = 3  # fixed: choosing the best one takes five times as long
OVERLAP = 1.03  # so that no gap shows between the rows


@dataclass(frozen=True, slots=True)
class QrCode:
    """A code of `side` mm from its first to its last dark module; `quiet` mm around it stay white."""

    side: float
    quiet: float
    module: float
    rows: tuple[tuple[tuple[int, int], ...], ...]  # runs of dark modules: start and length

    def path(self, x: float, y: float) -> str:
        """Return path data with the top left corner of the dark modules at this point."""
        count = len(self.rows)
        lefts = [f"M{x + at * self.module:.3f} " for at in range(count)]
        widths = [f"{at * self.module:.3f}" for at in range(count + 1)]
        height = f"v{self.module * OVERLAP:.3f}h-"
        return "".join(
            f"{lefts[start]}{top}h{widths[length]}{height}{widths[length]}z"
            for top, row in ((f"{y + at * self.module:.3f}", row) for at, row in enumerate(self.rows))
            for start, length in row
        )


def qr_code_of(url: str, size: CardSize) -> QrCode:
    """Return the code of a URL, large enough for that card and for its own modules."""
    rows = _runs(url)
    count = len(rows)
    whole = max(MIN_SIZE_MM * min(size.unit, 1.35), (count + 2 * QUIET) * MIN_MODULE_MM)
    module = whole / (count + 2 * QUIET)
    return QrCode(count * module, QUIET * module, module, rows)


@lru_cache(maxsize=1024)
def _runs(url: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    rows = []
    for row in segno.make_qr(url, error="m", mask=MASK, boost_error=False).matrix:
        runs, start = [], None
        for at, is_dark in enumerate((*row, 0)):
            if is_dark and start is None:
                start = at
            elif not is_dark and start is not None:
                runs.append((start, at - start))
                start = None
        rows.append(tuple(runs))
    return tuple(rows)
