"""A battle's map, hex by hex: published or player-made. Hexes are numbered row by row (HX-A01)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from systems.hex_core.catalogue import CATALOGUE, DEPLOYMENT_ROWS, Hex
from systems.hex_core.catalogue import COLUMNS as COLUMNS
from systems.hex_core.catalogue import ROWS as ROWS
from systems.spaces.hex_map import HexCell, HexGround, HexSpot, HexTerrain, Look
from systems.spaces.hexes import hex_at

HEXES = COLUMNS * ROWS
FLOORS_A_LEVEL = 5  # HX-D62
OPEN = "grey"
LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        "grey": "plain",
        "red": "barred",
        "green": "woods",
        "tan": "sand",
        "black": "smoke",
        "white": "snow",
        "light-blue": "shallows",
        "dark-blue": "deep",
    }
)
TERRAIN = {
    terrain.slug: HexTerrain(terrain.slug, terrain.name, LOOKS[terrain.slug]) for terrain in CATALOGUE.terrain.values()
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A map; all lists are by hex number."""

    name: str
    colours: tuple[str, ...]
    levels: tuple[int, ...]  # level of the ground, including water
    floors: tuple[int, ...]  # floors of the building; 0: none
    objectives: tuple[int, ...] = ()  # placed by the map's author; empty: by the players
    starts: tuple[frozenset[int], frozenset[int]]  # both sides' deployment hexes
    columns: int = COLUMNS
    rows: int = ROWS

    @property
    def plain_starts(self) -> tuple[frozenset[int], frozenset[int]]:
        """The deployment hexes, unless the map's author set others."""
        return plain_starts(self.columns, self.rows)

    @property
    def ground(self) -> HexGround:
        """The map, for drawings."""
        return HexGround(
            self.columns,
            self.rows,
            tuple(map(self.cell, range(HEXES))),
            tuple(
                HexSpot(f"Objective {number}", str(number), at % self.columns, at // self.columns)
                for number, at in enumerate(self.objectives, start=1)
            ),
        )

    def cell(self, at: int) -> HexCell:
        """Return one hex, for drawings."""
        side = next((side for side, start in enumerate(self.starts) if at in start), None)
        column, row = at % self.columns, at // self.columns
        terrain, level, floors = TERRAIN[self.colours[at]], self.levels[at], self.floors[at]
        return HexCell(column, row, terrain, level, floors, level + floors // FLOORS_A_LEVEL if floors else 0, side)


def hex_number(place: Hex) -> int:
    """Return the number of a hex; -1 if it is off the map."""
    return hex_at(*place, COLUMNS, ROWS)


def plain_starts(columns: int = COLUMNS, rows: int = ROWS) -> tuple[frozenset[int], frozenset[int]]:
    """Return the three rows nearest each side's edge. HX-059, HX-D07."""
    hexes, deep = columns * rows, DEPLOYMENT_ROWS * columns
    return frozenset(range(hexes - deep, hexes)), frozenset(range(deep))


def turn_board(board: Board) -> Board:
    """Return the map as it lies on a deep board, rotated by a quarter turn. HX-D02.

    Its left edge is side B's, its right edge side A's.
    """
    columns, rows = board.rows, board.columns
    old = [(board.rows - 1 - column) * board.columns + row for row in range(rows) for column in range(columns)]
    new = {before: after for after, before in enumerate(old)}
    turned = replace(
        board,
        columns=columns,
        rows=rows,
        colours=tuple(board.colours[at] for at in old),
        levels=tuple(board.levels[at] for at in old),
        floors=tuple(board.floors[at] for at in old),
        objectives=tuple(new[at] for at in board.objectives),
        starts=plain_starts(columns, rows),
    )
    if board.starts == board.plain_starts:
        return turned
    side_a, side_b = (frozenset(new[at] for at in start) for start in board.starts)
    return replace(turned, starts=(side_a, side_b))


@cache
def published_board(slug: str) -> Board:
    """Return a map from the catalogue; raises KeyError."""
    found = CATALOGUE.maps[slug]
    return build_board(found.name, found.hexes, {(column, row): floors for column, row, floors in found.buildings})


def build_board(
    name: str,
    hexes: Mapping[str, tuple[Hex, ...]],
    buildings: Mapping[Hex, int],
    heights: Mapping[Hex, int] = MappingProxyType({}),
    objectives: tuple[Hex, ...] = (),
    starts: tuple[frozenset[int], frozenset[int]] | None = None,
) -> Board:
    """Return a map with these contents; all other hexes are grey, at level 0."""
    colours = [OPEN] * HEXES
    for colour, places in hexes.items():
        for place in places:
            colours[hex_number(place)] = colour
    levels = [CATALOGUE.terrain[colour].level for colour in colours]
    for place, level in heights.items():
        levels[hex_number(place)] = level
    floors = [0] * HEXES
    for place, count in buildings.items():
        floors[hex_number(place)] = count
    return Board(
        name=name,
        colours=tuple(colours),
        levels=tuple(levels),
        floors=tuple(floors),
        objectives=tuple(map(hex_number, objectives)),
        starts=starts or plain_starts(),
    )
