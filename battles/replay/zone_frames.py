"""A battle on zones as a row of frames: positions after each step, moves, and a summary in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice

from battles.replay.base import Frame, steps_of
from battles.replay.symbols import SymbolSet
from systems import battle_rules
from systems.battle import Chapter
from systems.battle_display import BandView, Situation
from systems.setups import unit_tags
from systems.simulation.analysis import EventLine
from systems.simulation.records import Record
from systems.spaces import Aim, Sight, ZoneGround, Zones, ZoneView, zone_space

MAX_PAIRS = 4  # pairs that a summary names; more are only counted


@dataclass(frozen=True, slots=True)
class Move:
    """Units that made the same move in one step; zone 0 is off the map."""

    side: int
    before: int
    zone: int
    units: tuple[str, ...]  # keys


@dataclass(frozen=True, slots=True)
class Fired:
    """A shot and its weapon."""

    aim: Aim
    weapon: str


@dataclass(frozen=True, slots=True)
class ZoneFrame(Frame):
    """One step of a replay on the map."""

    moves: tuple[Move, ...]
    sights: tuple[Sight, ...]  # of this round of the fight, so far
    says: tuple[str, ...]  # the changes, sentence by sentence
    fire: tuple[Fired, ...] = ()

    @property
    def units(self) -> tuple[ZoneView, ...]:
        """All units without reserves that haven't arrived."""
        return tuple(unit for unit in zone_space(self.situation) if not unit.is_reserve)


@dataclass(frozen=True, slots=True)
class MapReplay:
    """Everything that the replay of a game on the map shows."""

    ground: tuple[ZoneGround, ...]
    frames: tuple[ZoneFrame, ...]
    names: Mapping[str, str]  # of all units at the end, by key
    lost: str  # the word for a destroyed unit
    trays: tuple[str, ...]  # under the map, for units that aren't on it
    signs: tuple[str, ...]  # the signs that the legend explains
    art: SymbolSet

    @property
    def most_fire(self) -> int:
        """The most shots in a step."""
        return max(len(frame.fire) for frame in self.frames)

    def before(self, frame: ZoneFrame) -> ZoneFrame:
        """Return the step before, or the first."""
        return self.frames[max(0, frame.number - 2)]


def map_replay(record: Record, lines: Sequence[EventLine]) -> MapReplay | None:
    """Return the record frame by frame, starting with the opening position; None for a game without zones.

    A battle without a map has no ground. `lines` are all lines of the record, in order.
    """
    system = battle_rules(record.setup.system)
    space = system.space
    if not isinstance(space, Zones):
        return None
    ground = space.ground(record.setup, record.events)
    situation = system.opening(record.setup)
    names = dict(system.unit_names(record.setup))
    first = {unit.key: unit.name for unit in situation.units}
    tags = unit_tags((unit.key, at) for at, side in enumerate(record.setup.sides) for unit in side.units)
    fates = {fate["key"]: fate for fate in record.outcome["units"] if fate["lost"]}
    sights: dict[tuple[str, str], Sight] = {}
    opening = Chapter("Opening position")
    frames = [ZoneFrame(1, 0, 1, opening, (), situation, (), (), ())]
    for step in steps_of(record, lines, opening):
        before = situation
        fire: list[Fired] = []
        for line in step.lines:
            situation = system.follow(situation, line.event)
            if space.opens_round(line.event) or (ground and not step.chapter.zone):
                sights.clear()
            sight = space.sight(line.event)
            if sight:
                sights[sight.unit, sight.target] = sight
            aim = space.aim(line.event)
            if aim:
                fire.append(Fired(aim, line.weapon))
        names |= {
            u.key: f"{u.name} {tags.get(u.key, u.key.upper())}" for u in situation.units if u.name != first[u.key]
        }
        gone = [
            new.key for old, new in zip(before.units, situation.units, strict=True) if new.destroyed > old.destroyed
        ]
        causes = {key: system.cause_of_loss(record.setup, fates[key], names) for key in gone if key in fates}
        moves = _moves(before, situation)
        says = _changes(before, situation, moves, names, system.bands, causes)
        frames.append(ZoneFrame(*step, situation, moves, tuple(sights.values()), tuple(says), tuple(fire)))
    art = SymbolSet(record.setup, (frame.situation for frame in frames))
    return MapReplay(ground, tuple(frames), names, system.hand.fields["destroyed"], space.trays, space.signs, art)


def _moves(before: Situation, after: Situation) -> tuple[Move, ...]:
    """Return the moves of units that changed zones, arrived or left; destroyed units don't move."""
    ways: dict[tuple[int, int, int], list[str]] = {}
    for old, new in zip(zone_space(before), zone_space(after), strict=True):
        if old.zone != new.zone and not new.destroyed:
            ways.setdefault((new.side, old.zone, new.zone), []).append(new.key)
    return tuple(Move(*way, tuple(keys)) for way, keys in ways.items())


def _changes(
    before: Situation,
    after: Situation,
    moves: Iterable[Move],
    names: Mapping[str, str],
    bands: Sequence[str],
    causes: Mapping[str, str],
) -> Iterator[str]:
    """Yield the visible changes, in sentences; `causes` of losses are by the unit's key."""
    for move in moves:
        who = join_words([names[key] for key in move.units])
        s = "s" if len(move.units) == 1 else ""
        if not move.before:
            yield f"{who} enter{s} zone {move.zone}."
        elif not move.zone:
            yield f"{who} leave{s} the map from zone {move.before}."
        else:
            yield f"{who} move{s} from zone {move.before} to zone {move.zone}."
    for old, new in zip(zone_space(before), zone_space(after), strict=True):
        parts = list(_unit_changes(old, new, causes.get(new.key, ""))) if not new.is_reserve else []
        if parts:
            yield f"{names[new.key]} {join_words(parts)}."
    yield from _band_changes(before, after, names, bands)


def _unit_changes(old: ZoneView, new: ZoneView, cause: str) -> Iterator[str]:
    """Yield the changes of a unit other than its position; each part follows its name."""
    if new.destroyed and not old.destroyed:
        yield new.describe_end(cause)
        return
    if old.name != new.name:
        return  # a unit from the support roll has taken its place in the list
    lost = old.hits - new.hits
    if lost > 0:
        yield f"loses {lost} Hit{'s' if lost > 1 else ''} ({new.hits} left)"
    elif lost < 0:
        yield f"is repaired to {new.hits} Hits"
    if new.wounded and not old.wounded:
        yield "has its pilot wounded"
    yield from new.describe_changes(old)
    if new.withdrew and not old.withdrew and old.zone == new.zone:
        yield "breaks off"


def _band_changes(before: Situation, after: Situation, names: Mapping[str, str], bands: Sequence[str]) -> Iterator[str]:
    old = {(pair.a_key, pair.d_key): pair for pair in before.bands}

    def is_new(pair: BandView) -> bool:
        return old.get((pair.a_key, pair.d_key)) != pair

    changed = [pair for pair in after.bands if is_new(pair)]
    broken = [pair for pair in changed if pair.broken]
    standing = [pair for pair in changed if not pair.broken]
    for reach, pairs in groupby(sorted(standing, key=lambda pair: pair.band), key=lambda pair: pair.band):
        yield _pairs(list(pairs), names, f"at {bands[reach]}")
    if broken:
        yield _pairs(broken, names, "out of contact")


def _pairs(pairs: Sequence[BandView], names: Mapping[str, str], where: str) -> str:
    named_pairs = [f"{names[pair.a_key]} and {names[pair.d_key]}" for pair in islice(pairs, MAX_PAIRS)]
    more = len(pairs) - len(named_pairs)
    return f"Now {where}: {'; '.join(named_pairs)}{f'; {more} more pairs' if more > 1 else '; one more pair' if more else ''}."


def join_words(parts: Sequence[str]) -> str:
    """Join words: "One, two and three"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
