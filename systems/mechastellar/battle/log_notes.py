"""Places, directions and dice as whole numbers, for log notes, which the compiled run doesn't keep."""

from __future__ import annotations

from math import floor
from typing import ClassVar, NamedTuple

from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.state import Clash, State

DIRECTION_LENGTH = 1000  # length of a direction vector in a note


class PlaceNote(NamedTuple):
    """A place in hundredths of an inch, and a direction."""

    x: int
    y: int
    ahead_x: int
    ahead_y: int


class PathNote(NamedTuple):
    """The straight path of a unit in a Move Action, and its final facing."""

    from_x: int
    from_y: int
    x: int
    y: int
    ahead_x: int
    ahead_y: int


class DiceNote(tuple[int, ...]):
    """All dice of a roll."""

    _fields: ClassVar = ("faces",)

    def _asdict(self) -> dict[str, int]:
        return {f"face{at}": face for at, face in enumerate(self, start=1)}


class Hits(NamedTuple):
    """The flat Hits of an attack, by source."""

    weapon: int
    bonus: int
    support: int
    advantage: int
    high: int
    penalty: int


class DefenceNote(NamedTuple):
    """The flat DEF against an attack, by source."""

    profile: int
    shield: int
    barrier: int
    cover: int
    support: int
    guarded: int
    opened: int
    challenge: int


def hundredths(inches: float) -> int:
    """Return a length or coordinate in hundredths of an inch, to the nearest."""
    return floor(inches * 100.0 + 0.5)


def place_note(s: State, i: int) -> PlaceNote:
    """Return the place and facing of a unit."""
    u = s.units[i]
    ahead = floor(u.face_x * DIRECTION_LENGTH + 0.5), floor(u.face_y * DIRECTION_LENGTH + 0.5)
    return PlaceNote(hundredths(u.x), hundredths(u.y), *ahead)


def path_note(s: State, i: int) -> PathNote:
    """Return the path of a unit in the current Move Action."""
    u = s.units[i]
    return PathNote(hundredths(u.moved_from_x), hundredths(u.moved_from_y), *place_note(s, i))


def hit_dice(s: State, count: int) -> DiceNote:
    """Return the dice of the attack pool."""
    return DiceNote(s.faces[at].hit for at in range(count))


def guard_dice(s: State, count: int) -> DiceNote:
    """Return the dice of the defence pool."""
    return DiceNote(s.faces[at].guard for at in range(count))


def other_dice(s: State, count: int) -> DiceNote:
    """Return the dice of saves and other rolls."""
    return DiceNote(s.faces[at].other for at in range(count))


def hits_of(p: Clash) -> Hits:
    """Return an attack's flat Hits before skills."""
    known = p.bonus_hits + p.support + 2 * p.advantage + p.high_hits - p.penalty
    return Hits(p.hits - known, p.bonus_hits, p.support, 2 * p.advantage, p.high_hits, -p.penalty)


def guards_of(p: Clash) -> DefenceNote:
    """Return the flat DEF against an attack before skills."""
    shield, barrier, cover = (p.item_def if p.item == each else 0 for each in (c.SHIELD, c.BARRIER, c.COVER))
    guarded = 1 if p.reply == c.GUARD else 0
    known = p.item_def + p.guard_support + guarded - p.opened + p.challenge
    return DefenceNote(p.guard - known, shield, barrier, cover, p.guard_support, guarded, -p.opened, p.challenge)
