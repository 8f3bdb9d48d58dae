"""Symbols of units on a replay: one for each build of a side, used by the counters of all its units.

A symbol is the drawing of the build (`systems.artwork`) with fewer and coarser paths: on a map it is only twenty pixels
high.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from rosters.card_layout.page import SILHOUETTE_SIDE as SILHOUETTE
from rosters.card_layout.page import silhouette_path
from systems import battle_rules, roster_rules
from systems.artwork import Drawing, drawing, silhouette
from systems.artwork.canvas import ALWAYS, Mark
from systems.battle_display import Situation, UnitView
from systems.reading import spec_of
from systems.setups import SIDE_LETTERS, Setup, unit_tags

TAG_LENGTH = 4  # letters of a label that a counter has room for
SYMBOL_GRAIN = 5  # units of the drawing per unit of the symbol
SYMBOL_CACHE_SIZE = 256
MARK_LOOKS = {  # class of a path, by kind of mark
    "plate": "solid",
    "steel": "solid",
    "ink": "solid",
    "tint": "tint",
    "hole": "hole",
    "line": "stroke",
    "fine": "stroke",
    "hurt": "stroke",
}
Paths = tuple[tuple[str, str], ...]  # look and path data, in painting order
Shape = tuple[str, Paths]  # view box and paths
Points = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A unit as its counters show it."""

    name: str  # counters refer to it
    side: str  # side letter
    view_box: str
    paths: Paths

    def svg(self, colour: str = "") -> SafeString:
        """Return the symbol in that colour, by default in its side's."""
        fill = f' fill="{escape(colour)}"' if colour else ""
        paths = "".join(f'<path class="{look}" d="{data}"/>' for look, data in self.paths)
        return mark_safe(f'<symbol id="{self.name}" class="unit-art" viewBox="{self.view_box}"{fill}>{paths}</symbol>')


class SymbolSet:
    """The symbols of a battle, in the order in which their units appear, and each unit's symbol."""

    def __init__(self, setup: Setup, situations: Iterable[Situation]) -> None:
        self._tags = unit_tags((unit.key, at) for at, side in enumerate(setup.sides) for unit in side.units)
        self._names: dict[tuple[str, str], str] = {}  # by key and chassis: a unit from a support roll takes over a key
        found: dict[tuple[int, str, Paths], Symbol] = {}
        for situation in situations:
            for unit in situation.units:
                if (unit.key, unit.chassis) in self._names:
                    continue
                view_box, paths = self.shape(setup, unit)
                name = f"u-{len(found) + 1}"
                symbol = found.setdefault(
                    (unit.side, view_box, paths), Symbol(name, SIDE_LETTERS[unit.side], view_box, paths)
                )
                self._names[unit.key, unit.chassis] = f"#{symbol.name}"
        self.symbols: tuple[Symbol, ...] = tuple(found.values())

    def shape(self, setup: Setup, unit: UnitView) -> Shape:
        """Return view box and paths of the unit."""
        return shape_of(setup, unit)

    def tag_of(self, unit: UnitView) -> str:
        """Return the unit's label, as far as a counter has room for it."""
        return self._tags.get(unit.key, unit.key.upper())[:TAG_LENGTH]

    def of(self, unit: UnitView) -> str:
        """Return the symbol reference of the unit's counter."""
        return self._names[unit.key, unit.chassis]


def shape_of(setup: Setup, unit: UnitView) -> Shape:
    """Return view box and paths of the unit as built, without damage; its silhouette if its game has no drawing."""
    made = unit_drawing(setup, unit)
    if made is not None:
        return symbol_paths(made)
    return chassis_shape(unit.chassis)


def chassis_shape(chassis: str) -> Shape:
    """Return the silhouette of a chassis; empty if it has none."""
    shape = silhouette(chassis)
    paths = (("solid", silhouette_path(shape, 0, 0, SILHOUETTE)),) if shape else ()
    return f"0 0 {SILHOUETTE:g} {SILHOUETTE:g}", paths


def unit_drawing(setup: Setup, unit: UnitView) -> Drawing | None:
    """Return the drawing of the unit's build; None if its game has none."""
    rules = roster_rules(setup.system, setup.catalogue_release)
    model = battle_rules(setup.system).model_of(setup, unit)
    spec = spec_of(setup, model.design) if model else {}
    body = rules.body(rules.parse_spec(spec)) if spec else rules.support_body(unit.chassis)
    return drawing(body) if body else None


@lru_cache(maxsize=SYMBOL_CACHE_SIZE)
def symbol_paths(made: Drawing) -> Shape:
    """Return view box and paths of the drawing, as small as is still recognisable."""
    left, top, side = made.bounds
    box = f"{left // SYMBOL_GRAIN} {top // SYMBOL_GRAIN} {-(-side // SYMBOL_GRAIN)} {-(-side // SYMBOL_GRAIN)}"
    runs = groupby(made.seen(ALWAYS), key=lambda mark: MARK_LOOKS[mark.kind])
    return box, tuple((look, "".join(map(_path, marks))) for look, marks in runs)


def _path(mark: Mark) -> str:
    """Return the coarsened outlines. They all turn the same way, or they would cut holes in each other."""
    outlines = [_coarse(outline) for outline in mark.outlines]
    if mark.is_open:
        return "".join(_path_data(outline) for outline in outlines if len(outline) > 1)
    outlines = [outline for outline in outlines if len(outline) > 2]
    if outlines and _turn_of(outlines[0]) < 0:
        outlines = [outline[::-1] for outline in outlines]
    return "".join(f"{_path_data(outline)}z" for outline in outlines)


def _coarse(outline: Points) -> list[tuple[int, int]]:
    points = [(round(x / SYMBOL_GRAIN), round(y / SYMBOL_GRAIN)) for x, y in outline]
    return [point for point, _same in groupby(points)]


def _turn_of(outline: Points) -> int:
    """Return twice the area of the outline, negative if it turns the other way."""
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True))


def _path_data(points: Points) -> str:
    (x, y), *rest = points
    steps = []
    for right, down in rest:
        steps.append(f"{right - x} {down - y}")
        x, y = right, down
    return f"M{points[0][0]} {points[0][1]}l{' '.join(steps)}".replace(" -", "-")
