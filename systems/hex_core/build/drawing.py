"""A machine as an SVG, area by area, and its body; and a battle's map, hex by hex.

A body has core, held and mounted equipment, armour. A map is published or player-made, and its hexes are numbered row
by row (HX-A01).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from types import MappingProxyType

from systems.artwork.canvas import Body, Frame, Mounted, Place, build_facts
from systems.hex_core.build.spec import MachineSpec, spec_json
from systems.hex_core.catalogue import BOTH, CARRIED, CATALOGUE, DEPLOYMENT_ROWS, Hex
from systems.hex_core.catalogue import COLUMNS as COLUMNS
from systems.hex_core.catalogue import ROWS as ROWS
from systems.spaces.hex_map import HexCell, HexGround, HexSpot, HexTerrain, Look
from systems.spaces.hexes import hex_at

WIDTH, HEIGHT = 320, 236
BOX_W = 92
LINE = 12  # distance between two names
NAME_SIZE = 11.5  # 6 pt if the drawing fills half a page
MAX_LETTERS = 18
# Horizontal centre, top and height of each area: a mech from the front, a vehicle from above.
MECH = {
    "head": (160, 4, 46),
    "arm-r": (54, 56, 46),
    "torso": (160, 56, 62),
    "arm-l": (266, 56, 46),
    "leg-r": (106, 150, 46),
    "leg-l": (214, 150, 46),
}
VEHICLE = {
    "cockpit": (160, 4, 62),
    "inner-wing-l": (106, 72, 46),
    "inner-wing-r": (214, 72, 46),
    "outer-wing-l": (54, 124, 46),
    "outer-wing-r": (266, 124, 46),
    "tail": (160, 176, 46),
}
HANDS = {"right": (54, 108), "left": (266, 108)}  # below the arms; mechs face the reader
BOTH_HANDS = (160, 124)
CARRIED_Y = 212


@dataclass(frozen=True, slots=True)
class Machine:
    """The contents of a drawing: DP by area, names of weapons and shields by place, drones."""

    is_vehicle: bool
    dp: Mapping[str, int]
    held: Mapping[str, tuple[str, ...]]
    drones: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Palette:
    line: str = "currentColor"
    soft: str = "currentColor"
    armed: str = "currentColor"  # light fill of an area with equipment
    font: str = ""


SCREEN = Palette()


def machine_svg(machine: Machine, inks: Palette = SCREEN) -> str:
    """Return the drawing as an SVG element with alternative text."""
    font = f' font-family="{escape(inks.font)}"' if inks.font else ""
    drawn = "".join((*_areas(machine, inks), *_hands(machine, inks), *_stowed(machine, inks)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="machine" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"{font}>'
        f"<title>{escape(describe_machine(machine))}</title>{drawn}</svg>"
    )


def describe_machine(machine: Machine) -> str:
    """Describe the drawing in words."""
    areas = "; ".join(
        f"{CATALOGUE.areas[slug].name} {dp}{_with(machine.held.get(slug, ()))}" for slug, dp in machine.dp.items()
    )
    hands = [
        f"{words} {', '.join(machine.held[place])}"
        for place, words in (
            ("right", "right hand"),
            ("left", "left hand"),
            ("both", "both hands"),
            ("carried", "carried"),
        )
        if place in machine.held
    ]
    drones = [f"drones {', '.join(machine.drones)}"] if machine.drones else []
    equipment = "; ".join((*hands, *drones))
    return f"DP by area: {areas}." + (f" {equipment[0].upper()}{equipment[1:]}." if equipment else "")


def _with(names: tuple[str, ...]) -> str:
    return f" with {', '.join(names)}" if names else ""


def _areas(machine: Machine, inks: Palette) -> Iterator[str]:
    for slug, (x, top, height) in (VEHICLE if machine.is_vehicle else MECH).items():
        names = machine.held.get(slug, ())
        fill = f'fill="{inks.armed}" fill-opacity="0.14"' if names else 'fill="none"'
        yield (
            f'<rect x="{x - BOX_W / 2:g}" y="{top}" width="{BOX_W}" height="{height}" rx="3" {fill} stroke="{inks.line}" '
            f'stroke-width="{1.6 if slug in ("torso", "cockpit") else 1}"/>'
        )
        yield _text(x, top + 12, CATALOGUE.areas[slug].name, NAME_SIZE, inks.soft)
        yield _text(x, top + 27, str(machine.dp[slug]), 14, inks.line, is_bold=True)
        yield from _names(x, top + 39, names, inks)


def _hands(machine: Machine, inks: Palette) -> Iterator[str]:
    """Yield the equipment in the hands, with a line from each arm; nothing for vehicles."""
    if machine.is_vehicle:
        return
    for place, (x, y) in HANDS.items():
        held = machine.held.get(place, ())
        is_in_both = "both" in machine.held
        yield f'<path d="M{x} {y - 6}v6" stroke="{inks.soft}" stroke-width="1"/>'
        if not is_in_both or held:
            yield from _names(x, y + 10, held or ("empty hand",), inks)
    if names := machine.held.get("both"):
        (right, y), (left, _), (x, at) = HANDS["right"], HANDS["left"], BOTH_HANDS
        yield (
            f'<path d="M{right} {y}v{at + 5 - y}H{x - 50}M{left} {y}v{at + 5 - y}H{x + 50}" fill="none" '
            f'stroke="{inks.soft}" stroke-width="1"/>'
        )
        yield from _names(x, at + 8, names, inks)


def _stowed(machine: Machine, inks: Palette) -> Iterator[str]:
    lines = [
        f"{word}: {', '.join(names)}"
        for word, names in (("Carried", machine.held.get("carried", ())), ("Drones", machine.drones))
        if names
    ]
    top = CARRIED_Y if not machine.is_vehicle else CARRIED_Y + 20
    for at, line in enumerate(lines):
        yield _text(WIDTH / 2, top + at * LINE + 4, _short(line, 56), NAME_SIZE, inks.line)


def _names(x: float, y: float, names: tuple[str, ...], inks: Palette) -> Iterator[str]:
    for at, name in enumerate(names):
        yield _text(x, y + at * LINE, _short(name), NAME_SIZE, inks.line)


def _short(name: str, most: int = MAX_LETTERS) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _text(x: float, y: float, text: str, size: float, ink: str, *, is_bold: bool = False) -> str:
    weight = ' font-weight="700"' if is_bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{ink}" text-anchor="middle"{weight}>{escape(text)}</text>'
    )


FRAMES: Mapping[str, Frame] = {
    "terrestrial": "tank",
    "aerial": "jet",
    "aquatic": "boat",
    "extraterrestrial": "space",
}
MOUNT_PLACES: Mapping[str, Place] = {
    "left": "left-arm",
    "right": "right-arm",
    BOTH: "right-arm",
    CARRIED: "back",
    "head": "head",
    "torso": "chest",
    "arm-l": "left-arm",
    "arm-r": "right-arm",
    "leg-l": "left-leg",
    "leg-r": "right-leg",
    "tail": "head",
    "cockpit": "chest",
    "inner-wing-l": "left-arm",
    "inner-wing-r": "right-arm",
    "outer-wing-l": "left-leg",
    "outer-wing-r": "right-leg",
}
ON_A_TANK: Mapping[Place, Place] = {
    "left-arm": "turret", "right-arm": "turret", "chest": "turret", "left-leg": "hull", "right-leg": "hull",
    "head": "back", "back": "back",
}  # fmt: skip
KINDS = {
    "vulcan": "rotary",
    "beam-pistol": "pistol",
    "machine-gun": "machine-gun",
    "assault-rifle": "rifle",
    "beam-rifle": "beam-rifle",
    "gatling-gun": "gatling",
    "bazooka": "bazooka",
    "sniper-rifle": "sniper",
    "missile-pod": "six-pack",
    "beam-cannon": "beam-cannon",
    "combat-knife": "knife",
    "beam-saber": "saber",
    "heat-axe": "axe",
    "great-sword": "great-sword",
    "lance": "lance",
}
GEAR = {
    "thrusters": "pack",
    "high-thrusters": "boosters",
    "jump": "jets",
    "flight": "wings",
    "marine-kit": "fins",
    "transform-terrestrial": "wheels",
    "transform-aerial": "folded-wings",
    "transform-aquatic": "keels",
    "transform-extraterrestrial": "tanks",
    "capacitor": "coil",
    "coolant-loop": "loop",
    "winter-joints": "joints",
    "reinforced-grip": "grip",
    "smoke-filters": "filters",
    "range-finder": "finder",
}
DRAWN_DP, DRAWN_MOVE = 75, 5
MUCH_ARMOUR = 12


def machine_body(spec: MachineSpec, condition: Mapping[str, object] = {}) -> Body:
    frame = FRAMES.get(spec.core, "robot")
    areas = ((MOUNT_PLACES[area.slug], min(1.0, spec.armour[area.index] / MUCH_ARMOUR)) for area in spec.areas)
    return Body(
        frame=frame,
        bulk=min(1.0, max(0.0, spec.total_dp - 20) / (DRAWN_DP - 20)),
        speed=min(1.0, spec.movement / DRAWN_MOVE),
        plate=min(1.0, sum(more for more in spec.armour if more > 0) / (4 * MUCH_ARMOUR)),
        mounted=tuple(_mounted(spec, frame)),
        gear=tuple(_gear(spec)),
        areas=tuple((place, more) for place, more in areas if more > 0),
        hurt=("chest",) if condition.get("repair") else (),
        facts=build_facts(spec_json(spec)),
    )


def _mounted(spec: MachineSpec, frame: Frame) -> Iterator[Mounted]:
    for armed in spec.weapons:
        place = MOUNT_PLACES[armed.place]
        size = 1.0 if armed.is_in_hand or armed.is_carried else 0.82
        yield Mounted(KINDS[armed.weapon], ON_A_TANK[place] if frame == "tank" else place, size)
    for held in spec.shields:
        yield Mounted(held.shield, MOUNT_PLACES[held.place])


def _gear(spec: MachineSpec) -> Iterator[str]:
    for slug in (*spec.systems, *spec.mods):
        yield GEAR[slug]
    for at, slug in enumerate(spec.drones):
        yield "headed-drone" if at < spec.royroy else slug
    for _ in spec.traits:
        yield "stripes"


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
