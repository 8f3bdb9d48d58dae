"""A battle on a map of hexes as a row of frames: positions after each step, moves, and attacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from battles.replay.base import Frame, steps_of
from battles.replay.symbols import SymbolSet
from systems import battle_rules
from systems.battle import Chapter
from systems.battle_display import Situation
from systems.simulation.analysis import EventLine
from systems.simulation.records import Record
from systems.spaces.hex_map import HexAim, HexGround, HexPiece, HexSpace, HexStand, HexView, on_hexes


@dataclass(frozen=True, slots=True)
class HexTrack:
    """One move of a unit; `before` is None if it comes onto the map."""

    unit: str  # key
    side: int
    before: HexStand | None
    after: HexStand | None  # None: it leaves the map, without being destroyed


@dataclass(frozen=True, slots=True)
class HexFire:
    """An attack, with the positions of attacker and target at that moment."""

    aim: HexAim
    side: int
    start: HexStand
    end: HexStand
    weapon: str = ""


@dataclass(frozen=True, slots=True)
class HexPoints:
    """The action points of the unit whose turn it is."""

    unit: str
    left: int
    given: int


@dataclass(frozen=True, slots=True)
class HexFrame(Frame):
    """One step of a replay on a map of hexes."""

    ground: HexGround
    tracks: tuple[HexTrack, ...]
    fire: tuple[HexFire, ...]
    points: HexPoints | None = None  # None: it is nobody's turn
    fallen: Mapping[str, HexStand] = field(default_factory=dict)  # where destroyed units stood, by key

    @property
    def units(self) -> tuple[HexView, ...]:
        """The units on the map."""
        return tuple(unit for unit in on_hexes(self.situation) if unit.stand is not None)

    @property
    def pieces(self) -> tuple[tuple[HexPiece, ...], tuple[HexPiece, ...]]:
        """The pieces of both sides' units that are on the map by themselves."""
        units = on_hexes(self.situation)
        a, b = (tuple(piece for unit in units if unit.side == side for piece in unit.pieces) for side in range(2))
        return a, b


@dataclass(frozen=True)
class HexReplay:
    """Everything that the replay of a battle on hexes shows."""

    space: HexSpace
    frames: tuple[HexFrame, ...]
    names: Mapping[str, str]  # of all units, by key
    lost: str  # the word for a destroyed unit
    art: SymbolSet
    _seen: dict[tuple[int, HexStand], frozenset[int]] = field(default_factory=dict)

    @cached_property
    def changing(self) -> tuple[int, ...]:
        """The numbers of the hexes that change after the first frame."""
        first = self.frames[0].ground.cells
        others = {id(frame.ground.cells): frame.ground.cells for frame in self.frames}
        return tuple(at for at, cell in enumerate(first) if any(cells[at] != cell for cells in others.values()))

    @cached_property
    def most_fire(self) -> int:
        """The most attacks in a frame."""
        return max(len(frame.fire) for frame in self.frames)

    @cached_property
    def most_spots(self) -> int:
        """The most objectives and objects in a frame."""
        return max(len(frame.ground.spots) for frame in self.frames)

    @cached_property
    def most_pieces(self) -> tuple[int, int]:
        """The most small pieces of each side in a frame."""
        counts = [frame.pieces for frame in self.frames]
        return max(len(each[0]) for each in counts), max(len(each[1]) for each in counts)

    def seen(self, ground: HexGround, stand: HexStand) -> frozenset[int]:
        """Return the numbers of the hexes that a unit sees; `ground` is a frame's."""
        key = (id(ground.cells), stand)
        if key not in self._seen:
            cells = enumerate(ground.cells)
            self._seen[key] = frozenset(at for at, cell in cells if self.space.sees(ground, stand, cell))
        return self._seen[key]


def hex_replay(record: Record, lines: Sequence[EventLine]) -> HexReplay | None:
    """Return the record frame by frame, starting with the empty map; None for a battle that isn't on hexes.

    `lines` are all lines of the record, in order.
    """
    system = battle_rules(record.setup.system)
    space = system.space
    if not isinstance(space, HexSpace):
        return None
    ground = space.ground(record.setup)
    situation = system.opening(record.setup)
    points: HexPoints | None = None
    fallen: dict[str, HexStand] = {}
    opening = Chapter("The map")
    frames = [HexFrame(1, 0, 1, opening, (), situation, ground, (), ())]
    for step in steps_of(record, lines, opening):
        tracks: list[HexTrack] = []
        fire: list[HexFire] = []
        weapons: dict[str | None, str] = {}  # the last weapon of each unit
        for line in step.lines:
            weapons[line.event.unit] = line.weapon or weapons.get(line.event.unit, "")
            fire += _fire(situation, space.aim(line.event), weapons)
            before, situation = situation, system.follow(situation, line.event)
            ground = space.follow(ground, line.event)
            tracks += _tracks(before, situation)
            fallen |= _fallen(before, situation)
            points = _points(points, space.points_given(line.event), space.points_spent(line.event))
        last = frames[-1]
        if step.phase != last.phase and points is last.points:
            points = None  # that unit's turn is over
        frames.append(HexFrame(*step, situation, ground, tuple(tracks), tuple(fire), points, dict(fallen)))
    art = SymbolSet(record.setup, (frame.situation for frame in frames))
    return HexReplay(space, tuple(frames), dict(system.unit_names(record.setup)), system.hand.fields["destroyed"], art)


def _tracks(before: Situation, after: Situation) -> Iterator[HexTrack]:
    """Yield the units that changed hexes, arrived or left; turning on the spot doesn't count."""
    for old, new in zip(on_hexes(before), on_hexes(after), strict=True):
        if _hex(old) != _hex(new) and not new.destroyed:
            yield HexTrack(new.key, new.side, old.stand, new.stand)


def _fallen(before: Situation, after: Situation) -> Mapping[str, HexStand]:
    """Return the last positions of units that were destroyed on the map."""
    pairs = zip(on_hexes(before), on_hexes(after), strict=True)
    return {new.key: old.stand for old, new in pairs if new.destroyed and not old.destroyed and old.stand}


def _points(points: HexPoints | None, given: tuple[str, int] | None, spent: int) -> HexPoints | None:
    if given:
        return HexPoints(given[0], given[1], given[1])
    return replace(points, left=points.left - spent) if points and spent else points


def _hex(unit: HexView) -> tuple[int, int] | None:
    return (unit.stand.column, unit.stand.row) if unit.stand else None


def _fire(situation: Situation, aim: HexAim | None, weapons: Mapping[str | None, str]) -> Iterator[HexFire]:
    if aim is None:
        return
    units = {unit.key: unit for unit in on_hexes(situation)}
    one = units[aim.unit]
    end = HexStand(aim.column, aim.row, 0) if aim.target is None else units[aim.target].stand
    if one.stand is not None and end is not None:
        yield HexFire(aim, one.side, one.stand, end, weapons.get(aim.unit, ""))
