"""A unit from above as one SVG: facing, front and rear, engagement range and weapon ranges. Clear without colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

SIDE = 200
MIDDLE = SIDE / 2
REACH = 88.0  # radius of the longest range drawn
MIN_GAP = 10.0  # least distance of two labelled rings
MAX_INCHES = 72


@dataclass(frozen=True, slots=True)
class Palette:
    line: str = "currentColor"
    soft: str = "currentColor"
    font: str = ""


SCREEN = Palette()


def machine_svg(kind: str, size: int, sensors_in: int, ranges: Sequence[int], inks: Palette = SCREEN) -> str:
    """Return the drawing as an SVG element with its alternative text."""
    font = f' font-family="{escape(inks.font)}"' if inks.font else ""
    engaged = 5 + max(0, min(9, size))
    shots = sorted({min(each, MAX_INCHES) for each in ranges if each > 0})
    longest = max([engaged, sensors_in, *shots])
    scale = REACH / longest
    drawn = "".join((*_arcs(inks), *_rings(engaged, shots, scale, inks), *_unit(kind, inks)))
    told = describe_machine(engaged, shots)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="machine" viewBox="0 0 {SIDE} {SIDE}" role="img"{font}>'
        f"<title>{escape(told)}</title>{drawn}</svg>"
    )


def describe_machine(engaged: int, shots: Sequence[int]) -> str:
    """Describe the drawing in words."""
    shoots = f"shoots to {', '.join(f'{each} in' for each in shots)}" if shots else "does not shoot"
    return f"Front half above, rear half below. Engages within {engaged} in; {shoots}."


def _arcs(inks: Palette) -> Iterator[str]:
    """Yield the border of the front: a line through the unit, square to its facing. ST-064."""
    yield (
        f'<path d="M4 {MIDDLE:g}H{SIDE - 4}" fill="none" stroke="{inks.soft}" stroke-width="0.8" '
        f'stroke-dasharray="5 4" stroke-opacity="0.7"/>'
    )
    for y, word in ((10, "front"), (SIDE - 3, "rear")):
        yield f'<text x="2" y="{y}" font-size="9" fill="{inks.soft}">{word}</text>'


def _rings(engaged: int, shots: Sequence[int], scale: float, inks: Palette) -> Iterator[str]:
    yield _ring(engaged * scale, f'stroke="{inks.line}" stroke-width="1.6"')
    yield _label(engaged * scale, f"{engaged}", inks, below=True)
    last = 0.0
    for each in reversed(shots):
        radius = each * scale
        yield _ring(radius, f'stroke="{inks.soft}" stroke-width="0.9" stroke-dasharray="3 3" stroke-opacity="0.8"')
        if not last or last - radius >= MIN_GAP:
            yield _label(radius, str(each), inks)
            last = radius


def _ring(radius: float, look: str) -> str:
    return f'<circle cx="{MIDDLE:g}" cy="{MIDDLE:g}" r="{radius:.1f}" fill="none" {look}/>'


def _label(radius: float, text: str, inks: Palette, *, below: bool = False) -> str:
    y = MIDDLE + radius + 9 if below else MIDDLE - radius - 2
    return f'<text x="{MIDDLE:g}" y="{y:.1f}" font-size="9" fill="{inks.line}" text-anchor="middle">{text}"</text>'


def _unit(kind: str, inks: Palette) -> Iterator[str]:
    shape = "M100 90l5 12h-10z" if kind == "warship" else "M100 91l8 14-8-4-8 4z"
    yield f'<path d="{shape}" fill="{inks.line}" stroke="{inks.line}" stroke-width="1"/>'
