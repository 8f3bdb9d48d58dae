"""Silhouettes as path data: the same shapes as on the screen, from `static/img/counters.svg`."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from pathlib import Path

SILHOUETTES_FILE = Path(__file__).resolve().parents[3] / "static" / "img" / "counters.svg"
SILHOUETTE_SIDE = 64.0  # of the square in which silhouettes are defined
CORNERS = 12  # corners that replace half a circle
_STEP = re.compile(r"([MLaz])([^MLaz]*)")


@lru_cache(maxsize=1)
def _shapes() -> dict[str, str]:
    """Return path data by name."""
    source = SILHOUETTES_FILE.read_text(encoding="utf-8")
    return dict(re.findall(r'<symbol id="(\w+)"[^>]*><path [^>]*d="([^"]+)"', source))


@lru_cache(maxsize=512)
def silhouette_path(shape: str, x: float, y: float, side: float, *, turned: bool = False) -> str:
    """Return a silhouette in a square of `side` mm at that top left corner; empty if unknown. `turned`: upside down."""
    scale = -side / SILHOUETTE_SIDE if turned else side / SILHOUETTE_SIDE
    left, top = (x + side, y + side) if turned else (x, y)
    parts = []
    for step, numbers in _STEP.findall(_shapes().get(shape, "")):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        match step:
            case "a":
                across, along, *flags, right, down = values
                kept = " ".join(f"{flag:.0f}" for flag in flags)
                parts.append(
                    f"a{across * abs(scale):.3f} {along * abs(scale):.3f} {kept} {right * scale:.3f} {down * scale:.3f}"
                )
            case "z":
                parts.append("z")
            case _:
                parts.append(f"{step}{left + values[0] * scale:.3f} {top + values[1] * scale:.3f}")
    return "".join(parts)


@lru_cache(maxsize=64)
def silhouette_outlines(shape: str) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Return a silhouette's outlines in its own square of SIDE, with curves as corners; empty if there is none."""
    outlines: list[list[tuple[float, float]]] = []
    for step, numbers in _STEP.findall(_shapes().get(shape, "")):
        values = [float(number) for number in re.findall(r"-?[\d.]+", numbers)]
        if step == "M":
            outlines.append([(values[0], values[1])])
        elif step == "L":
            outlines[-1].append((values[0], values[1]))
        elif step == "a":  # half a circle or an ellipse, to a point relative to this one
            across, along, _, _, sweep, right, down = values
            x, y = outlines[-1][-1]
            begins = math.atan2(-down / 2 / along, -right / 2 / across)
            turn = math.pi / CORNERS * (1 if sweep else -1)
            outlines[-1] += [
                (
                    x + right / 2 + across * math.cos(begins + at * turn),
                    y + down / 2 + along * math.sin(begins + at * turn),
                )
                for at in range(1, CORNERS + 1)
            ]
    return tuple(tuple(outline) for outline in outlines)
