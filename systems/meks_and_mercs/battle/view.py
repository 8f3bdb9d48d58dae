"""A unit of Meks & Mercs as a spectator sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from systems.situation import UnitView
from systems.spaces.zones import ZoneView

Slots = tuple[tuple[str, bool], ...]  # name, still intact


@dataclass(frozen=True, slots=True)
class MekView(ZoneView):
    """A Mek, a vehicle, a strongpoint or commandos."""

    legs: int = 0  # damaged
    weapons: Slots = ()
    systems: Slots = ()
    infantry_kills: int = 0  # taken by a strongpoint
    hidden: bool = False  # from the enemy
    dug_in: bool = False
    decoy: bool = False

    @property
    def lost_parts(self) -> tuple[str, ...]:
        return tuple(name for name, intact in (*self.weapons, *self.systems) if not intact)

    @property
    def struck(self) -> int:
        return len(self.lost_parts) + self.legs

    @property
    def kept(self) -> Mapping[str, int | tuple[int, ...]]:
        return {
            "legs": self.legs,
            "weapons_lost": _destroyed_slots(self.weapons),
            "systems_lost": _destroyed_slots(self.systems),
        }

    @property
    def marks(self) -> tuple[str, ...]:
        known = (("hidden", self.hidden), ("dug-in", self.dug_in), ("decoy", self.decoy))
        return tuple(mark for mark, on in known if on)

    @property
    def harm(self) -> tuple[str, ...]:
        return (f"legs −{self.legs}",) if self.legs else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Its zone, whether it is hidden or dug in, and its damage."""
        seen = f"{', hidden' if self.hidden else ''}{', dug in' if self.dug_in else ''}"
        return (*((f"zone {self.zone}{seen}",) if self.zone else ()), *self.harm)

    def describe_end(self, cause: str) -> str:
        return "is removed, a decoy" if self.decoy else super(MekView, self).describe_end(cause)

    def told_since(self, before: UnitView) -> tuple[str, ...]:
        return tuple(self._changes(before)) if isinstance(before, MekView) else ()

    def _changes(self, before: MekView) -> Iterator[str]:
        if self.legs > before.legs:
            yield "has a leg damaged"
        pairs = zip((*before.weapons, *before.systems), (*self.weapons, *self.systems), strict=True)
        yield from (f"loses its {name}" for (name, had), (_name, has) in pairs if had and not has)
        if self.hidden != before.hidden:
            yield "hides" if self.hidden else "is hidden no longer"
        if self.dug_in and not before.dug_in:
            yield "digs in"


def _destroyed_slots(slots: Slots) -> tuple[int, ...]:
    return tuple(slot for slot, (_name, intact) in enumerate(slots) if not intact)
