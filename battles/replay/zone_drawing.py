"""One frame of a replay on zones: zones with their terrain, counters, arrows, trays.

All numbers are in units of the drawing's view box.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from battles.replay.base import struck_path
from battles.replay.drawing import AIM_OUTCOMES, Action, Label, Point, Shot, build_lanes, describe_outcome, draw_action
from battles.replay.zone_frames import MapReplay, ZoneFrame, join_words
from systems.setups import SIDE_LETTERS
from systems.spaces import ZoneGround, ZoneView, zone_space

Box = tuple[float, float, float, float]  # left, top, right, bottom

TERRAIN_SIGNS: Mapping[str, tuple[str, ...]] = {  # by look of the zone: paths from the sign's middle, within SIGN_REACH
    "wood": (
        "m0,-17l7,11h-4l6,10h-18l6,-10h-4zm0,21v6",
        "m0,-15l6,9h-3l5,9h-16l5,-9h-3zm0,18v5",
        "m0,-14c8,0 12,5 10,11c-1,5 -5,7 -10,7c-5,0 -9,-2 -10,-7c-2,-6 2,-11 10,-11zm0,18v7",
    ),
    "plain": (
        "m-9,4h18m-13,0l-2,-6m6,6v-10m5,10l2,-7",
        "m-6,3h12m-8,0l-1,-5m4,5l1,-7",
        "m-16,1q8,-5 16,0t16,0",
    ),
    "highlands": (
        "m-17,11l12,-21l8,13l5,-7l9,15zm12,-21l2,10l-4,4",
        "m-13,9l10,-17l11,17zm10,-17l2,8l-3,3",
        "m-16,9c2,-11 7,-16 13,-16c8,0 14,6 18,16m-13,-9l2,5m5,-3l2,5",
    ),
    "moors": (
        "m-9,8h18m-13,0l-2,-9m6,9v-15m4,15l2,-12m-2,2l3,-3",
        "m-14,0q4,-4 7,0t7,0t7,0t7,0m-21,6q4,-4 7,0t7,0",
        "m-7,6h14m-9,0v-10m4,10l2,-8",
    ),
    "desert": (
        "m-18,6c6,-11 12,-12 18,-2c4,-7 11,-7 18,2",
        "m-5,1h3m5,-4h2m-7,8h2m6,-1h3",
        "m-13,5c4,-8 9,-9 14,-1q5,-4 11,1",
    ),
    "urban": (
        "m-9,12v-24h18v24zm5,-18h2m4,0h2m-8,7h2m4,0h2m-8,7h2m4,0h2",
        "m-11,9v-10l11,-8l11,8v10zm8,0v-6h6v6",
        "m-13,10v-15h11v15zm11,-8h13v8h-13m-7,-11h3m-3,5h3",
    ),
}
SIGN_REACH = 19.0  # from the middle of a sign to its farthest point, at its own size
SIZES = (0.8, 1.2)
SIGN_DISTANCE = 26.0  # minimum between the middles of two signs
MAX_SIGN_TRIES = 600

_SIGN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@lru_cache(maxsize=512)
def scatter_signs(look: str, seed: int, area: Box, clear: tuple[Box, ...], most: int) -> str:
    """Return a path of up to `most` signs of that look within the area, none of which touch the `clear` boxes.

    The zone's number is the seed: zones differ, and all steps of a replay show the same signs.
    """
    if look not in TERRAIN_SIGNS:
        return ""
    chance = Random(f"{look} {seed}")  # noqa: S311  a picture, no dice
    signs = sorted(_sign_places(chance, area, clear, most), key=lambda sign: sign[1])
    return "".join(_sign(x, y, size, chance.choice(TERRAIN_SIGNS[look])) for x, y, size in signs)


def _sign_places(chance: Random, area: Box, clear: Sequence[Box], most: int) -> Iterator[tuple[float, float, float]]:
    """Yield middles and sizes, none too near to another."""
    found: list[tuple[float, float]] = []
    left, top, right, bottom = area
    for _try in range(MAX_SIGN_TRIES):
        if len(found) == most:
            return
        size = SIZES[0] + (SIZES[1] - SIZES[0]) * chance.random()
        reach = SIGN_REACH * size
        x = left + reach + (right - left - 2 * reach) * chance.random()
        y = top + reach + (bottom - top - 2 * reach) * chance.random()
        if any(
            box[0] < x + reach and x - reach < box[2] and box[1] < y + reach and y - reach < box[3] for box in clear
        ):
            continue
        if all((x - other) ** 2 + (y - down) ** 2 >= SIGN_DISTANCE**2 for other, down in found):
            found.append((x, y))
            yield x, y, size


def _sign(x: float, y: float, size: float, path: str) -> str:
    """Return the sign at that place. All its steps are relative, so every number is scaled."""
    scaled = _SIGN_NUMBER.sub(lambda number: f"{float(number[0]) * size:.1f}".removesuffix(".0"), path)
    return f"M{x:.0f},{y:.0f}{scaled}"


ZONE = 220  # side of a zone
GAP = 4
EDGE = 20  # around the zones, for arrivals and departures
PITCH = ZONE + GAP
TRAY_HEIGHT = 128
HEAD = 30  # of a zone: number, terrain, marks
Packing = tuple[int, int, int, float]  # maximum per side, columns, rows, scale
CHIT_WIDTH, CHIT_HEIGHT = 66, 43  # of a counter at scale 1
PACKINGS: tuple[Packing, ...] = ((2, 2, 1, 1.45), (6, 3, 2, 1.0), (12, 4, 3, 0.7))
TRAY_PACKINGS: tuple[Packing, ...] = ((4, 4, 1, 0.75), (10, 5, 2, 0.5))
TRAY_TITLES = {"waiting": "Waiting", "left": "Left the map", "destroyed": "Destroyed"}
MAX_SIGNS = 22  # terrain signs that a zone has room for
RIM, BETWEEN = 54, 22  # maximum distance of terrain signs from its edges, and from the middle
LONG_NAME, NAME_WIDTH = 12, 62  # a longer name is squeezed; the width of its strip


@dataclass(frozen=True, slots=True)
class Chit:
    """A counter at its place; scale 0: it isn't shown."""

    x: float
    y: float
    scale: float
    classes: str
    hits: str
    name: str
    art: str  # its symbol
    parts: str  # path of the marks for lost parts
    tag: str  # the part of its name that differs from units of the same design

    @property
    def squeezed(self) -> int:
        """The width that a long name is squeezed into, because names are never cut; 0: unchanged."""
        return NAME_WIDTH if len(self.name) > LONG_NAME else 0

    @property
    def transform(self) -> str:
        return f"translate({self.x:g} {self.y:g}) scale({self.scale:g})"

    @property
    def middle(self) -> Point:
        half = self.scale / 2
        return round(self.x + CHIT_WIDTH * half, 1), round(self.y + CHIT_HEIGHT * half, 1)


@dataclass(frozen=True, slots=True)
class Square:
    """A zone as drawn."""

    ground: ZoneGround
    x: int
    y: int
    classes: str
    label: str
    more: tuple[str, str]  # number of units of each side without a place: "+3"
    is_exit_up: bool
    is_exit_down: bool

    @property
    def marks(self) -> tuple[tuple[str, int], ...]:
        """The symbols of the zone's marks, each with its x."""
        slugs = []
        for mark in self.ground.marks:
            side, _, does = mark.partition(" ")
            if mark == "key zone":
                slugs.append("key")
            elif side in ("attacker", "defender"):
                slugs.append(("arrives-" if does == "arrives" else "start-") + ("a" if side == "attacker" else "b"))
        return tuple((slug, self.x + ZONE - 18 - 22 * at) for at, slug in enumerate(slugs))

    @property
    def signs(self) -> str:
        """The terrain signs, along its edges and between both sides, as a path."""
        half = (ZONE - HEAD) / 2
        clear: list[Box] = []
        for at in range(2):
            top, bottom = self.y + HEAD + half * at, self.y + HEAD + half * (at + 1)
            clear.append((self.x + RIM, top + BETWEEN, self.x + ZONE - RIM, bottom - BETWEEN))
            clear.append((self.x + ZONE - RIM, bottom - 30, self.x + ZONE, bottom - 2))  # the counts of `more_places`
        area = (self.x + 2.0, self.y + HEAD - 2.0, self.x + ZONE - 2.0, self.y + ZONE - 2.0)
        return scatter_signs(self.ground.look, self.ground.number, area, tuple(clear), MAX_SIGNS)

    @property
    def more_places(self) -> tuple[tuple[str, str, float, float], ...]:
        """Side, text and position of both numbers of units without a place."""
        half = (ZONE - HEAD) / 2
        right = self.x + ZONE - 6
        return tuple(
            (letter, text, right, self.y + HEAD + half * (at + 1) - 8)
            for at, (letter, text) in enumerate(zip(SIDE_LETTERS, self.more, strict=True))
        )


@dataclass(frozen=True, slots=True)
class Tray:
    """A box under the map for units that aren't on it."""

    slug: str
    title: str
    x: int
    y: int
    more: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Drawing:
    """One frame, drawn."""

    squares: tuple[Square, ...]
    trays: tuple[Tray, ...]
    chits: tuple[Chit, ...]  # in the order of the situation's units
    arrows: tuple[str, str]  # paths, side a and side b
    action: Action  # outside of fights, which have their own drawing


def width_of(replay: MapReplay) -> int:
    """Return the width of the drawing: of its columns or of its trays."""
    columns = max(len(replay.trays), *(ground.column for ground in replay.ground))
    return 2 * EDGE + columns * PITCH - GAP


def tray_top(replay: MapReplay) -> int:
    """Return the top of the trays, below the map."""
    return 2 * EDGE + max(ground.row for ground in replay.ground) * PITCH - GAP


def draw(replay: MapReplay, frame: ZoneFrame, chosen: int) -> Drawing:
    """Return the frame; `chosen` is the zone of the close view, 0 for none."""
    units = zone_space(frame.situation)
    chits, more = place_counters(replay, frame)
    return Drawing(
        squares=tuple(_square(replay, ground, frame, chosen, more[ground.number]) for ground in replay.ground),
        trays=tuple(
            Tray(slug, TRAY_TITLES[slug], EDGE + at * PITCH, tray_top(replay), (more[slug][0], more[slug][1]))
            for at, slug in enumerate(replay.trays)
        ),
        chits=tuple(chits.get(unit.key, counter_off_map(replay, unit)) for unit in units),
        arrows=(_arrows(replay, frame, 0), _arrows(replay, frame, 1)),
        action=draw_action_on(
            replay, frame, *({}, {}) if frame.chapter.zone else (place_counters(replay, replay.before(frame))[0], chits)
        ),
    )


def place_counters(replay: MapReplay, frame: ZoneFrame) -> tuple[dict[str, Chit], Mapping[object, list[str]]]:
    """Return the counters by key, and the number of units without a place, by zone or tray."""
    chits: dict[str, Chit] = {}
    more: dict[object, list[str]] = {}
    for place in [ground.number for ground in replay.ground] + list(replay.trays):
        sides = [
            [unit for unit in frame.units if unit.side == side and (unit.zone or tray_of(unit)) == place]
            for side in range(2)
        ]
        more[place] = lay(replay, chits, place, sides)
    return chits, more


def draw_action_on(
    replay: MapReplay, frame: ZoneFrame, before: Mapping[str, Chit], now: Mapping[str, Chit], scale: float = 1.0
) -> Action:
    """Return the action at the positions of the counters; for destroyed units, at their last positions."""
    was = replay.before(frame).situation
    fallen = {
        new.key for old, new in zip(was.units, frame.situation.units, strict=True) if new.destroyed > old.destroyed
    }
    places = {key: chit.middle for key, chit in now.items()}
    places |= {key: chit.middle for key, chit in before.items() if key in fallen}
    fire = [each for each in frame.fire if each.aim.unit in places and each.aim.target in places]
    lines = build_lanes(((e.aim.unit, e.aim.target), places[e.aim.unit], places[e.aim.target]) for e in fire)
    shots = [
        Shot(
            lane,
            each.aim.success,
            Label((0, 0), describe_outcome(each.weapon, AIM_OUTCOMES[each.aim.what, each.aim.success])),
        )
        for each, lane in zip(fire, lines, strict=True)
    ]
    most, half, situation = replay.most_fire, CHIT_HEIGHT * scale / 2, frame.situation
    return draw_action(was, situation, frame.lines, shots, places, most=most, half=half, lost=replay.lost)


def lay(replay: MapReplay, chits: dict[str, Chit], place: int | str, sides: Sequence[Sequence[ZoneView]]) -> list[str]:
    """Place the units, side A above and side B below; return the number of each side's units without a place."""
    if isinstance(place, int):
        x, y = _corner(replay.ground[place - 1])
        top, half, width = y + HEAD, (ZONE - HEAD) / 2, ZONE
        packings = PACKINGS
    else:
        x, y = EDGE + replay.trays.index(place) * PITCH, tray_top(replay)
        top, half, width, packings = y + 26, (TRAY_HEIGHT - 34) / 2, ZONE, TRAY_PACKINGS
    most = max(len(units) for units in sides)
    room, columns, rows, scale = next((packing for packing in packings if most <= packing[0]), packings[-1])
    step_x, step_y = (width - 8) / columns, half / rows
    more = []
    for side, units in enumerate(sides):
        visible = units if len(units) <= room else units[: room - 1]
        for at, unit in enumerate(visible):
            left = x + 4 + (at % columns) * step_x + (step_x - CHIT_WIDTH * scale) / 2
            above = top + side * half + (at // columns) * step_y + (step_y - CHIT_HEIGHT * scale) / 2
            chits[unit.key] = chit_of(replay, unit, round(left, 1), round(above, 1), scale)
        more.append(f"+{len(units) - len(visible)}" if len(units) > len(visible) else "")
    return more


def _tag(replay: MapReplay, name: str, unit: ZoneView) -> str:
    """Return the part of the name that differs from units of the same design; empty for the only one."""
    tag = replay.art.tag_of(unit)
    return tag if name.endswith(f" {tag}") else ""


def counter_off_map(replay: MapReplay, unit: ZoneView) -> Chit:
    """Return the counter of a unit that isn't shown."""
    name = replay.names[unit.key]
    return Chit(0, 0, 0, "chit is-away", "", name, replay.art.of(unit), "", _tag(replay, name, unit))


def chit_of(replay: MapReplay, unit: ZoneView, x: float, y: float, scale: float) -> Chit:
    """Return the counter of a unit with its upper left corner at (x, y)."""
    name = replay.names[unit.key]
    state = state_of(unit)
    classes = ["chit", f"side-{SIDE_LETTERS[unit.side]}"] + ([f"is-{state}"] if state else [])
    if unit.wounded and state != "wounded":
        classes.append("is-wounded")
    classes += [f"is-{mark}" for mark in unit.marks]
    art, parts = replay.art.of(unit), "" if unit.destroyed else struck_path(unit.struck, 4, -4)
    return Chit(x, y, scale, " ".join(classes), str(unit.hits), name, art, parts, _tag(replay, name, unit))


def _square(replay: MapReplay, ground: ZoneGround, frame: ZoneFrame, chosen: int, more: Sequence[str]) -> Square:
    here = [unit for unit in frame.units if unit.zone == ground.number]
    is_contested = len({unit.side for unit in here}) > 1
    is_fight = frame.chapter.zone == ground.number
    classes = ["zone"]
    classes += ["is-contested"] if is_contested else []
    classes += ["is-fight"] if is_fight else []
    classes += ["is-chosen"] if chosen == ground.number else []
    x, y = _corner(ground)
    exits = [mark for mark in ground.marks if mark.startswith("exit")]
    return Square(
        ground=ground,
        x=x,
        y=y,
        classes=" ".join(classes),
        label=_label(replay, ground, here, is_contested, is_fight),
        more=(more[0], more[1]),
        is_exit_up=any("top" in mark for mark in exits),
        is_exit_down=any("bottom" in mark for mark in exits),
    )


def _label(replay: MapReplay, ground: ZoneGround, here: Sequence[ZoneView], is_contested: bool, is_fight: bool) -> str:
    what = " fight" if is_fight else " contested" if is_contested else ""
    parts = [f"Zone {ground.number} {ground.terrain_name}{what}", *ground.marks]  # begins as it reads on the map
    for side, word in enumerate(("attacker", "defender")):
        own = [replay.names[unit.key] for unit in here if unit.side == side]
        if own:
            parts.append(f"{word}: {join_words(own)}")
    return ", ".join(parts) if here else ", ".join([*parts, "empty"])


def _arrows(replay: MapReplay, frame: ZoneFrame, side: int) -> str:
    parts = []
    for move in frame.moves:
        if move.side != side:
            continue
        ends = [_middle(replay.ground[zone - 1]) if zone else None for zone in (move.before, move.zone)]
        edge = _way_out(replay, replay.ground[(move.before or move.zone) - 1])
        start, end = ends[0] or edge, ends[1] or edge
        if start and end:
            parts.append(_arrow(start, end, *_part(bool(ends[0]), bool(ends[1])), side))
    return "".join(parts)


def state_of(unit: ZoneView) -> str:
    """Return the worst state of a unit, in a word; empty if it has none."""
    if unit.destroyed:
        return "destroyed"
    return "withdrew" if unit.withdrew and not unit.zone else "wounded" if unit.wounded else ""


def tray_of(unit: ZoneView) -> str:
    """Return the tray of a unit that is off the map; empty for one that is on it."""
    if unit.zone:
        return ""
    return "destroyed" if unit.destroyed else "left" if unit.withdrew else "waiting"


def _corner(ground: ZoneGround) -> tuple[int, int]:
    return EDGE + (ground.column - 1) * PITCH, EDGE + (ground.row - 1) * PITCH


def _middle(ground: ZoneGround) -> tuple[float, float]:
    x, y = _corner(ground)
    return x + ZONE / 2, y + ZONE / 2


def _way_out(replay: MapReplay, ground: ZoneGround) -> tuple[float, float] | None:
    """Return the point at the map's edge where a zone's units arrive and leave; None for a zone in the middle."""
    x, y = _middle(ground)
    right, bottom = width_of(replay) - 2, tray_top(replay) - 2
    columns, rows = max(each.column for each in replay.ground), max(each.row for each in replay.ground)
    if any("top" in mark for mark in ground.marks):
        return x, 2
    if any("bottom" in mark for mark in ground.marks):
        return x, bottom
    if ground.column in (1, columns):
        return (2 if ground.column == 1 else right), y
    return (x, 2 if ground.row == 1 else bottom) if ground.row in (1, rows) else None


def _part(is_from_zone: bool, is_to_zone: bool) -> tuple[float, float]:
    """Return the part of the way that an arrow covers: across the border, or between zone and edge."""
    if not is_from_zone:
        return 0, 0.5
    return (0.38, 0.6) if is_to_zone else (0.4, 1)


def _arrow(start: tuple[float, float], end: tuple[float, float], first: float, last: float, side: int) -> str:
    """Return a path with an arrowhead along part of the way, beside the path of the other side."""
    (x1, y1), (x2, y2) = start, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    if abs(uy) >= abs(ux):
        ox, oy = (18 if side == 0 else 42), 0  # between the name of a zone and its marks
    else:
        ox, oy = 0, (-40 if side == 0 else 40)
    points = [(x1 + (x2 - x1) * part + ox, y1 + (y2 - y1) * part + oy) for part in (first, last)]
    (ax, ay), (bx, by) = points
    head = [(bx - 16 * ux + turn * 11 * uy, by - 16 * uy - turn * 11 * ux) for turn in (1, -1)]
    (h1x, h1y), (h2x, h2y) = head
    return f"M{ax:.0f},{ay:.0f}L{bx:.0f},{by:.0f}M{h1x:.0f},{h1y:.0f}L{bx:.0f},{by:.0f}L{h2x:.0f},{h2y:.0f}"
