"""The action of a step, on its drawing: shots with their weapons, dice as rolled, and the effect on each unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from battles.replay.fire import Label, Lane, Point
from battles.replay.parts import Row
from systems.engine.facts import MARKS
from systems.simulation.timeline import EventLine
from systems.situation import Situation

MAX_SHOTS = 12  # most shots drawn in a step; the rest is described beside it
MAX_DICE, DICE_A_ROW = 10, 5
DIE_SIZE = 15
DIE_EYES = {  # eyes of a die's faces, in columns and rows from its middle
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
DIGIT_WIDTH = 5.6  # width of a figure on a die
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
Boxes = list[tuple[float, float, float, float]]  # left, top, right, bottom of each text


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
    """A unit's dice beside its counter: paths of undecided, successful and failed dice, and of all eyes."""

    at: Point | None = None
    plain: str = ""
    made: str = ""
    failed: str = ""
    eyes: str = ""
    figures: tuple[str, str, str] = ("0", "0", "")  # across, down and digits of the faces without eyes

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
    """The event of a unit, in a few words over its counter."""

    at: Point | None = None
    kind: str = ""  # of BURSTS
    word: str = ""
    above: float = 0.0  # how far over the middle the word is

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
    """Everything that happens in a step; every step of a battle has the same number of parts."""

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
    """Return what happens between two situations.

    `places` are the counters' positions by key, present or last; `most` is the largest number of shots in any step of
    the battle; `half` is the height from the middle of a counter to its edge; `lost` is the game's word for a destroyed
    unit; texts are `size` times as large as on the smallest drawing.
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
        thrown=tuple(_draw_dice(places[key], dice[key][:MAX_DICE], half + 6) if key in dice else Thrown() for key in keys),
        bursts=tuple(
            Burst(places[key], *happened[key], above=half + 5) if key in happened and key in places else Burst()
            for key in keys
        ),
    )


def _bursts(before: Situation, after: Situation, lines: Iterable[EventLine], lost: str) -> dict[str, tuple[str, str]]:
    """Return kind and words of what happened to each unit, by key, for units that anything happened to."""
    found: dict[str, list[tuple[str, str]]] = {}
    for old, new in zip(before.units, after.units, strict=True):
        if old.name != new.name:
            continue  # another unit has taken its place in the list
        told = found.setdefault(new.key, [])
        if new.destroyed and not old.destroyed:
            told.append(("kill", lost))
        elif new.hits < old.hits:
            told.append(("hit", f"−{old.hits - new.hits}"))
        told += [("critical", f"{part} lost") for part in new.lost_parts if part not in old.lost_parts][:2]
    for line in lines:
        told = found.get(line.marked, [])
        if line.mark and line.mark not in [kind for kind, _word in told]:
            told.append((line.mark, MARKS[line.mark].lower()))
    return {
        key: (min((kind for kind, _word in told), key=BURSTS.index), " · ".join(word for _kind, word in told[:3]))
        for key, told in found.items()
        if told
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
    told = (figures[0] or "0", figures[1] or "0", "".join(digit for _x, _y, digit in digits))
    lies = (at[0], round(at[1] + below, 1))
    return Thrown(lies, paths[None], paths[True], paths[False], eyes, told)


def _box(x: float, y: float, word: str, size: float) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a word centred there."""
    half = len(word) * LETTER_WIDTH * size / 2
    return x - half, y - LINE_HEIGHT * size, x + half, y


def _with_label(shot: Shot, boxes: Boxes, counters: Boxes, size: float) -> Shot:
    """Return the shot with its label at a free place along the line; without a label if there is none."""
    if shot.lane is None:
        return shot
    places = [shot.lane.label(shot.label.text, part) for part in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)]
    wanted = [_box(*place.at, place.text, size) for place in places]
    free = [at for at, box in enumerate(wanted) if not any(_labels_overlap(box, other) for other in boxes)]
    if not free:
        return Shot(shot.lane, shot.success)
    best = next((at for at in free if not any(_labels_overlap(wanted[at], other) for other in counters)), free[0])
    boxes.append(wanted[best])
    return Shot(shot.lane, shot.success, places[best])


def _labels_overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _translate(at: Point | None) -> str:
    return f"translate({at[0]:g} {at[1]:g})" if at else ""


def with_sign(value: int) -> str:
    """Return the number with its sign: `+1`, `−2`, `0`."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"
