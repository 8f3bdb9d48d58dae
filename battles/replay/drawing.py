"""The action on a drawing: shots, lines of fire, dice, effects, names of counters, and the tray."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from battles.replay.base import Row
from systems.battle_display import Situation
from systems.engine.events import MARKS
from systems.simulation.analysis import EventLine

Point = tuple[float, float]
AIM_OUTCOMES = {  # by kind of aim and success
    ("shot", True): "hit",
    ("shot", False): "miss",
    ("suppression", True): "suppressed",
    ("suppression", False): "missed",
    ("lock", True): "locked",
    ("lock", False): "no lock",
}
LANE_GAP = 28.0  # from the middle of a counter to the start of its lines


@dataclass(frozen=True, slots=True)
class Label:
    """A word on the drawing; empty: none."""

    at: Point
    text: str

    @property
    def x(self) -> str:
        return f"{self.at[0]:g}"

    @property
    def y(self) -> str:
        return f"{self.at[1]:g}"


@dataclass(frozen=True, slots=True)
class Lane:
    """A line as drawn. Lines between the same two units are numbered."""

    start: Point
    end: Point
    number: int

    @property
    def is_long(self) -> bool:
        """Whether its ends differ; units may share a place."""
        return hypot(self.end[0] - self.start[0], self.end[1] - self.start[1]) > 1

    @property
    def arrow(self) -> str:
        """Its path, with an arrowhead."""
        (x1, y1), (x2, y2) = self.start, self.end
        length = hypot(x2 - x1, y2 - y1) or 1.0
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        heads = [(x2 - 13 * ux + turn * 8 * uy, y2 - 13 * uy - turn * 8 * ux) for turn in (1, -1)]
        (ax, ay), (bx, by) = heads
        return f"M{x1:.1f},{y1:.1f}L{x2:.1f},{y2:.1f}M{ax:.1f},{ay:.1f}L{x2:.1f},{y2:.1f}L{bx:.1f},{by:.1f}"

    def label(self, text: str, part: float) -> Label:
        """Return a word beside it, at that fraction of its length."""
        (x1, y1), (x2, y2) = self.start, self.end
        return Label((round(x1 + (x2 - x1) * part, 1), round(y1 + (y2 - y1) * part + 6, 1)), text)


def describe_outcome(weapon: str, outcome: str) -> str:
    """Describe a shot: weapon and result."""
    return f"{weapon}: {outcome}" if weapon else outcome


def build_lanes(lines: Iterable[tuple[Hashable, Point, Point]]) -> list[Lane]:
    """Return each line from counter to counter. Lines with the same key lie side by side."""
    seen: Counter[Hashable] = Counter()
    found = []
    for key, (x1, y1), (x2, y2) in lines:
        length = hypot(x2 - x1, y2 - y1) or 1.0
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        number = seen[key]
        seen[key] += 1
        aside = 9 * ((number + 1) // 2) * (1 if number % 2 else -1)
        gap = min(LANE_GAP, length / 4)
        start = (x1 + ux * gap - uy * aside, y1 + uy * gap + ux * aside)
        end = (x2 - ux * gap - uy * aside, y2 - uy * gap + ux * aside)
        found.append(Lane(start, end, number))
    return found


MAX_SHOTS = 12  # shots drawn in a step; the others are only in the text
MAX_DICE, DICE_A_ROW = 10, 5
DIE_SIZE = 15
DIE_EYES = {  # pips of a die's faces, in columns and rows from its middle
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
DIGIT_WIDTH = 7.2  # width of a figure on a die
LETTER_WIDTH, LINE_HEIGHT = 8.6, 22  # width and height of a letter at a line of fire
BURSTS = ("kill", "critical", "fall", "heat", "hit", "objective", "support")  # worst first
ACTION_COLUMNS: Mapping[str, Sequence[tuple[str, str]]] = {  # as `Looks` has them
    "shots": (
        ("", "class"),
        (".fire--halo", "d"),
        (".fire--line", "d"),
    ),
    "words": (("", "x"), ("", "y"), ("", "")),
    "thrown": (
        ("", "class"),
        ("", "transform"),
        (".thrown__plain", "d"),
        (".thrown__made", "d"),
        (".thrown__failed", "d"),
        (".thrown__eyes", "d"),
        (".thrown__figures", "x"),
        (".thrown__figures", "y"),
        (".thrown__figures", ""),
    ),
    "bursts": (("", "class"), ("", "transform"), (".burst__word", "y"), (".burst__word", "")),
}
Box = tuple[float, float, float, float]  # left, top, right, bottom
Boxes = list[Box]


@dataclass(frozen=True, slots=True)
class Shot:
    """A line of fire with its weapon and result; without a lane it isn't drawn."""

    lane: Lane | None = None
    success: bool = False
    label: Label = Label((0, 0), "")

    @property
    def classes(self) -> str:
        return f"shot is-{'hit' if self.success else 'miss'}" if self.lane else "shot is-away"

    @property
    def path(self) -> str:
        return self.lane.arrow if self.lane and self.lane.is_long else ""

    @property
    def row(self) -> Row:
        return self.classes, self.path, self.path


@dataclass(frozen=True, slots=True)
class Thrown:
    """A unit's dice beside its counter: paths of undecided, successful and failed dice, and of all pips."""

    at: Point | None = None
    plain: str = ""
    made: str = ""
    failed: str = ""
    eyes: str = ""
    figures: tuple[str, str, str] = ("0", "0", "")  # x, y and digits of faces without pips

    @property
    def classes(self) -> str:
        return "thrown" if self.at else "thrown is-away"

    @property
    def transform(self) -> str:
        return _translate(self.at)

    @property
    def row(self) -> Row:
        if not self.at:
            return self.classes, *[None] * 8
        return self.classes, self.transform, self.plain, self.made, self.failed, self.eyes, *self.figures


@dataclass(frozen=True, slots=True)
class Burst:
    """An event of a unit, in a few words over its counter."""

    at: Point | None = None
    kind: str = ""  # of BURSTS
    word: str = ""
    above: float = 0.0  # distance of the word above the middle

    @property
    def classes(self) -> str:
        return f"burst is-{self.kind}" if self.at else "burst is-away"

    @property
    def transform(self) -> str:
        return _translate(self.at)

    @property
    def row(self) -> Row:
        return (self.classes, self.transform, f"{-self.above:g}", self.word) if self.at else (self.classes, *[None] * 3)


@dataclass(frozen=True, slots=True)
class Action:
    """Everything that happens in a step. All steps of a battle have the same number of parts."""

    shots: tuple[Shot, ...]
    thrown: tuple[Thrown, ...]  # in the order of the situation's units, like the bursts
    bursts: tuple[Burst, ...]

    @property
    def rows(self) -> Mapping[str, Iterable[Row]]:
        return {
            "shots": [shot.row for shot in self.shots],
            "words": [(shot.label.x, shot.label.y, shot.label.text) for shot in self.shots],
            "thrown": [thrown.row for thrown in self.thrown],
            "bursts": [burst.row for burst in self.bursts],
        }


def draw_action(
    before: Situation,
    after: Situation,
    lines: Sequence[EventLine],
    shots: Sequence[Shot],
    places: Mapping[str, Point],
    *,
    most: int,
    half: float,
    lost: str,
    size: float = 1.0,
) -> Action:
    """Return the action between two situations.

    `places` are the present or last positions of counters, by key; `most` is the largest number of shots in any step of
    the battle; `half` is the distance from the middle of a counter to its edge; `lost` is the game's word for a
    destroyed unit; `size` is the size of texts, 1 on the smallest drawing.
    """
    keys = [unit.key for unit in after.units]
    happened = _bursts(before, after, lines, lost)
    boxes = [
        _box(places[key][0], places[key][1] - half, word, size)
        for key, (_kind, word) in happened.items()
        if key in places
    ]
    counters = [(x - half, y - half, x + half, y + half) for x, y in places.values()]
    fired = [_with_label(shot, boxes, counters, size) for shot in shots[:MAX_SHOTS]]
    dice: dict[str, list[tuple[int, bool | None]]] = {}
    for line in lines:
        if line.faces and line.event.unit in places:
            dice.setdefault(line.event.unit or "", []).extend(line.dice)
    return Action(
        shots=(*fired, *[Shot()] * (min(most, MAX_SHOTS) - len(fired))),
        thrown=tuple(
            _draw_dice(places[key], dice[key][:MAX_DICE], half + 6) if key in dice else Thrown() for key in keys
        ),
        bursts=tuple(
            Burst(places[key], *happened[key], above=half + 5) if key in happened and key in places else Burst()
            for key in keys
        ),
    )


def _bursts(before: Situation, after: Situation, lines: Iterable[EventLine], lost: str) -> dict[str, tuple[str, str]]:
    """Return kind and words of the events of each unit, by key; units without events are missing."""
    found: dict[str, list[tuple[str, str]]] = {}
    for old, new in zip(before.units, after.units, strict=True):
        if old.name != new.name:
            continue  # another unit has taken its place in the list
        events = found.setdefault(new.key, [])
        if new.destroyed and not old.destroyed:
            events.append(("kill", lost))
        elif new.hits < old.hits:
            events.append(("hit", f"−{old.hits - new.hits}"))
        events += [("critical", f"{part} lost") for part in new.lost_parts if part not in old.lost_parts][:2]
    for line in lines:
        events = found.get(line.marked_unit, [])
        if line.mark and line.mark not in [kind for kind, _word in events]:
            events.append((line.mark, MARKS[line.mark].lower()))
    return {
        key: (min((kind for kind, _word in events), key=BURSTS.index), " · ".join(word for _kind, word in events[:3]))
        for key, events in found.items()
        if events
    }


def _draw_dice(at: Point, dice: Sequence[tuple[int, bool | None]], below: float) -> Thrown:
    paths = {None: "", True: "", False: ""}
    eyes = ""
    digits: list[tuple[float, float, str]] = []
    for number, (face, made) in enumerate(dice):
        row, column = divmod(number, DICE_A_ROW)
        across = min(len(dice), DICE_A_ROW)
        x = column * (DIE_SIZE + 3) - (across * (DIE_SIZE + 3) - 3) / 2
        y = row * (DIE_SIZE + 3)
        paths[made] += f"M{x:g},{y:g}h{DIE_SIZE}v{DIE_SIZE}h-{DIE_SIZE}z"
        for right, down in DIE_EYES.get(face, ()):
            eyes += f"M{x + DIE_SIZE / 2 + right * DIE_SIZE / 4:g},{y + DIE_SIZE / 2 + down * DIE_SIZE / 4:g}h0"
        if face not in DIE_EYES:
            left = x + (DIE_SIZE - DIGIT_WIDTH * len(str(face))) / 2
            digits += [(left + DIGIT_WIDTH * at, y + DIE_SIZE - 3, digit) for at, digit in enumerate(str(face))]
    figures = (" ".join(f"{x:g}" for x, _y, _digit in digits), " ".join(f"{y:g}" for _x, y, _digit in digits))
    face_figures = (figures[0] or "0", figures[1] or "0", "".join(digit for _x, _y, digit in digits))
    lies = (at[0], round(at[1] + below, 1))
    return Thrown(lies, paths[None], paths[True], paths[False], eyes, face_figures)


def _box(x: float, y: float, word: str, size: float) -> Box:
    """Return left, top, right and bottom of a word centred there."""
    half = len(word) * LETTER_WIDTH * size / 2
    return x - half, y - LINE_HEIGHT * size, x + half, y


def _with_label(shot: Shot, boxes: Boxes, counters: Boxes, size: float) -> Shot:
    """Return the shot with its label at a free place along the line, or without a label if there is none."""
    if shot.lane is None:
        return shot
    places = [shot.lane.label(shot.label.text, part) for part in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)]
    wanted = [_box(*place.at, place.text, size) for place in places]
    free = [at for at, box in enumerate(wanted) if not any(_overlap(box, other) for other in boxes)]
    if not free:
        return Shot(shot.lane, shot.success)
    best = next((at for at in free if not any(_overlap(wanted[at], other) for other in counters)), free[0])
    boxes.append(wanted[best])
    return Shot(shot.lane, shot.success, places[best])


def _translate(at: Point | None) -> str:
    return f"translate({at[0]:g} {at[1]:g})" if at else ""


def with_sign(value: int) -> str:
    """Return the number with its sign: `+1`, `−2`, `0`."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


NAME_COLUMNS = (("", ""), ("", "x"), ("", "y"))  # of names, as `Looks` has them
# width of a letter, height above the baseline, depth below it
NAME_LETTER_WIDTH, NAME_HEIGHT, NAME_DEPTH = 7.4, 14.0, 4.0
COUNTER_HALF = 28.0  # from the middle of a counter of size 1 to its edge, including its marks


@dataclass(frozen=True, slots=True)
class NamedCounter:
    """The position of a counter, and the name of its unit."""

    at: Point | None  # None: it isn't shown
    size: float
    name: str
    is_busy: bool = False  # dice are below it and words above


@dataclass(frozen=True, slots=True)
class CounterName:
    """A name centred at its place; empty: there was no room for it."""

    text: str = ""
    x: float = 0.0
    y: float = 0.0

    @property
    def row(self) -> tuple[str, str, str]:
        return self.text, f"{self.x:g}", f"{self.y:g}"

    @property
    def box(self) -> Box:
        half = len(self.text) * NAME_LETTER_WIDTH / 2
        return self.x - half, self.y - NAME_HEIGHT, self.x + half, self.y + NAME_DEPTH


def place_names(counters: Sequence[NamedCounter], taken: Sequence[Box], within: Box) -> tuple[CounterName, ...]:
    """Return each name below its counter, else above, else beside, so that it covers nothing and crosses no edge."""
    boxes = [*taken, *(_counter_box(counter.at, counter.size) for counter in counters if counter.at)]
    found = []
    for counter in counters:
        free = (
            place
            for place in _name_places(counter)
            if _holds(within, place.box) and not any(_overlap(place.box, other) for other in boxes)
        )
        name = next(free, CounterName())
        if name.text:
            boxes.append(name.box)
        found.append(name)
    return tuple(found)


def _name_places(counter: NamedCounter) -> list[CounterName]:
    if counter.at is None:
        return []
    (x, y), half, text = counter.at, COUNTER_HALF * counter.size, counter.name
    aside = half + 4 + len(text) * NAME_LETTER_WIDTH / 2
    beside = [
        CounterName(text, round(x + aside, 1), round(y + 6, 1)),
        CounterName(text, round(x - aside, 1), round(y + 6, 1)),
    ]
    upright = [
        CounterName(text, x, round(y + half + NAME_HEIGHT, 1)),
        CounterName(text, x, round(y - half - 12 * counter.size, 1)),
    ]
    return beside if counter.is_busy else upright + beside


def _counter_box(at: Point, size: float) -> Box:
    half = COUNTER_HALF * size
    return at[0] - half, at[1] - half, at[0] + half, at[1] + half


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _holds(area: Box, box: Box) -> bool:
    return area[0] <= box[0] and area[1] <= box[1] and box[2] <= area[2] and box[3] <= area[3]


TRAY_HEAD, TRAY_ROW = 34, 74  # heights of its heading, and of its counters with their names
TRAY_HEIGHT = TRAY_HEAD + TRAY_ROW
TRAY_HEADING_WIDTH = 120.0  # width of its heading
TRAY_PITCH = 124  # from one counter to the next if there is room: the width of a name
MIDDLE = TRAY_HEAD + 24  # from its top to the middle of its counters


def tray_places(keys: Sequence[str], width: float, top: float) -> dict[str, Point]:
    """Return the positions of counters in a tray of that width, from the left."""
    pitch = min(TRAY_PITCH, width / max(1, len(keys)))
    return {key: (round(pitch * (at + 0.5), 1), top + MIDDLE) for at, key in enumerate(keys)}


def tray_heading_box(top: float) -> Box:
    """Return the box that the heading covers."""
    return 0.0, top, TRAY_HEADING_WIDTH, top + TRAY_HEAD - 8
