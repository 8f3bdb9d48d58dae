"""One frame of a battle without a map: both sides across the range bands, closing and breaking off.

Side A is left of the middle and side B right of it. A unit's distance from the middle shows its range to the nearest
opponent in contact; a unit without contact is outside. All figures are in units of the drawing's view box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from battles.replay.drawing import Action, Point
from battles.replay.zone_drawing import (
    CHIT_HEIGHT,
    CHIT_WIDTH,
    Chit,
    chit_of,
    counter_off_map,
    draw_action_on,
    scatter_signs,
)
from battles.replay.zone_frames import MapReplay, ZoneFrame
from systems.spaces import ZoneView, zone_space

STRIPS = 8  # on each side of the middle, one for each band and one outside
STRIP, BESIDE_A_MAP = 105, 74  # their width
HEAD, FOOT = 34, 10
MAX_HEIGHT, MIN_LANE, MAX_LANE = 560, 46, 190
MAX_SIGNS = 60  # terrain signs that the field has room for
SCALES = (0.7, 1.45)  # of counters, smallest and largest


@dataclass(frozen=True, slots=True)
class Tie:
    """Two units in contact; without a path there is no contact."""

    path: str = ""
    band: int = 0

    @property
    def classes(self) -> str:
        return f"tie is-band-{self.band}" if self.path else "tie is-away"


@dataclass(frozen=True, slots=True)
class BandField:
    """The parts of the drawing that are the same in every frame."""

    strip: int
    lane: float
    height: float
    scale: float
    strips: tuple[tuple[int, str, str], ...]  # left edge, title, class
    look: str  # of the ground, of `systems.spaces.LOOKS`; empty beside a map, which shows it

    @property
    def view_box(self) -> str:
        return f"0 0 {self.width} {self.height:g}"

    @property
    def width(self) -> int:
        return STRIPS * self.strip

    @property
    def centre(self) -> int:
        return STRIPS // 2 * self.strip

    @property
    def signs(self) -> str:
        """The terrain signs, along the edges and between the lanes of units, as a path."""
        half = CHIT_HEIGHT * self.scale / 2 + 10
        lanes = round((self.height - HEAD - FOOT) / self.lane)
        middles = [HEAD + self.lane * (at + 0.5) - 6 for at in range(lanes)]
        clear = tuple((0.0, middle - half, float(self.width), middle + half) for middle in middles)
        area = (2.0, HEAD - 8.0, self.width - 2.0, self.height - 2)
        return scatter_signs(self.look, 0, area, clear, MAX_SIGNS)

    @property
    def middle(self) -> float:
        """The middle of a strip."""
        return self.strip / 2


@dataclass(frozen=True, slots=True)
class BandDrawing:
    """One frame, drawn."""

    chits: tuple[Chit, ...]  # in the order of the situation's units
    ties: tuple[Tie, ...]
    tracks: tuple[str, str]  # paths, side a and side b
    action: Action


def field_of(replay: MapReplay, bands: Sequence[str], look: str = "") -> BandField:
    """Return the field, sized for the largest number of units on it in any frame."""
    crowds = (sum(unit.side == side for unit in here_of(replay, frame)) for frame in replay.frames for side in (0, 1))
    most = max(crowds)
    lane = min(MAX_LANE, max(MIN_LANE, (MAX_HEIGHT - HEAD - FOOT) / max(1, most)))
    strip = BESIDE_A_MAP if replay.ground else STRIP
    scale = min(SCALES[1], (strip - 6) / CHIT_WIDTH, max(SCALES[0], (lane - 26) / CHIT_HEIGHT))
    out = [("Apart", "out"), *((band, str(at)) for at, band in reversed(list(enumerate(bands))))]
    strips = [*out, *reversed(out)]
    return BandField(
        strip,
        round(lane, 1),
        round(HEAD + max(2, most) * lane + FOOT, 1),
        round(scale, 2),
        tuple((at * strip, title, f"strip strip--{slug}") for at, (title, slug) in enumerate(strips)),
        look,
    )


def draw_bands(replay: MapReplay, frame: ZoneFrame, field: BandField) -> BandDrawing:
    """Return the frame on its field."""
    now, before = _lie(replay, frame, field), replay.before(frame)
    was = _lie(replay, before, field) if before.chapter.zone == frame.chapter.zone else now
    return BandDrawing(
        chits=tuple(now.get(unit.key, counter_off_map(replay, unit)) for unit in zone_space(frame.situation)),
        ties=_ties(replay, frame, now),
        tracks=(_tracks(frame, was, now, 0), _tracks(frame, was, now, 1)),
        action=draw_action_on(replay, frame, was, now, field.scale),
    )


def here_of(replay: MapReplay, frame: ZoneFrame) -> tuple[ZoneView, ...]:
    """Return the units on the field: all, or on a map those in the zone of the fight, even if they fall now."""
    if not replay.ground:
        return frame.units
    zone = frame.chapter.zone
    were = {unit.key for unit in replay.before(frame).units if unit.zone == zone}
    return tuple(unit for unit in frame.units if zone and (unit.zone == zone or unit.key in were))


def _lie(replay: MapReplay, frame: ZoneFrame, field: BandField) -> dict[str, Chit]:
    chits = {}
    lanes = [0, 0]
    for unit in here_of(replay, frame):
        x, y = _spot(replay, frame, unit, lanes[unit.side], field)
        lanes[unit.side] += 1
        left, top = x - CHIT_WIDTH * field.scale / 2, y - CHIT_HEIGHT * field.scale / 2
        chits[unit.key] = chit_of(replay, unit, round(left, 1), round(top, 1), field.scale)
    return chits


def _spot(replay: MapReplay, frame: ZoneFrame, unit: ZoneView, lane: int, field: BandField) -> Point:
    at = frame
    while unit.destroyed and at.number > 1:  # a destroyed unit lies where it fell
        at = replay.before(at)
        if not next(each for each in at.units if each.key == unit.key).destroyed:
            break
    out = strip_of(at, unit.key)
    x = field.strip * (0.5 + out)
    x = x if unit.side == 0 else field.width - x
    return x, HEAD + field.lane * (lane + 0.5) - 6


def strip_of(frame: ZoneFrame, key: str) -> int:
    """Return a unit's strip from the outside: 0 for no contact, up to 3 for Short range."""
    bands = [band for pair, band in _standing(frame) if key in pair]
    return 3 - min(bands) if bands else 0


def _standing(frame: ZoneFrame) -> list[tuple[tuple[str, str], int]]:
    """Return the pairs in contact of which both still fight, with their bands."""
    fit = {unit.key for unit in frame.units if not unit.destroyed and not unit.withdrew}
    pairs = [((pair.a_key, pair.d_key), pair.band) for pair in frame.situation.bands if not pair.broken]
    return [(pair, band) for pair, band in pairs if fit.issuperset(pair)]


def _ties(replay: MapReplay, frame: ZoneFrame, chits: Mapping[str, Chit]) -> tuple[Tie, ...]:
    found = []
    for (one, other), band in _standing(frame):
        if one not in chits or other not in chits:
            continue
        (x1, y1), (x2, y2) = chits[one].middle, chits[other].middle
        found.append(Tie(f"M{x1:g},{y1:g}L{x2:g},{y2:g}", band))
    most = max(len(each.situation.bands) for each in replay.frames)
    return (*found, *[Tie()] * (most - len(found)))


def _tracks(frame: ZoneFrame, was: Mapping[str, Chit], now: Mapping[str, Chit], side: int) -> str:
    ways = [
        (was[unit.key].middle, now[unit.key].middle)
        for unit in frame.units
        if unit.side == side and unit.key in now and unit.key in was
    ]
    return "".join(f"M{x1:g},{y1:g}L{x2:g},{y2:g}" for (x1, y1), (x2, y2) in ways if x1 != x2)
