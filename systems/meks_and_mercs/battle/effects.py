"""A unit as spectators see it, how events change it, and what destroyed it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from systems.battle_display import BandView, Situation, UnitView
from systems.engine.events import Event, alters, shows
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.scenario_setup import support_unit_of
from systems.meks_and_mercs.battle.setup import MINES, OFF_BOARD
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.spaces import ZoneView

Slots = tuple[tuple[str, bool], ...]  # name, whether still intact


@dataclass(frozen=True, slots=True)
class MekView(ZoneView):
    """A Mek, a vehicle, a strongpoint or commandos."""

    legs: int = 0  # damaged legs
    weapons: Slots = ()
    systems: Slots = ()
    infantry_kills: int = 0  # losses of a strongpoint
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
        return "turns out to be a decoy" if self.decoy else super(MekView, self).describe_end(cause)

    def describe_changes(self, before: UnitView) -> tuple[str, ...]:
        return tuple(self._changes(before)) if isinstance(before, MekView) else ()

    def _changes(self, before: MekView) -> Iterator[str]:
        if self.legs > before.legs:
            yield "has a leg damaged"
        pairs = zip((*before.weapons, *before.systems), (*self.weapons, *self.systems), strict=True)
        yield from (f"loses its {name}" for (name, had), (_name, has) in pairs if had and not has)
        if self.hidden != before.hidden:
            yield "hides" if self.hidden else "is no longer hidden"
        if self.dug_in and not before.dug_in:
            yield "digs in"


def _destroyed_slots(slots: Slots) -> tuple[int, ...]:
    return tuple(slot for slot, (_name, intact) in enumerate(slots) if not intact)


def meet(situation: Situation, event: Event) -> Situation:
    """Put two units in contact, at Long if the event names no band."""
    band = event.number("band") if "band" in event.result else c.LONG
    return replace(situation, bands=(*situation.bands, BandView(event.unit or "", event.target or "", band, False)))


def break_contacts(situation: Situation, event: Event) -> Situation:
    """Break the unit's contacts; in a one-zone battle this means it withdraws."""
    bands = (replace(band, broken=True) if event.unit in (band.a_key, band.d_key) else band for band in situation.bands)
    return replace(_leave_fight(situation, event), bands=tuple(bands))


_leave_fight = alters(lambda unit, _event: replace(unit, withdrew=unit.zone == 0))


def change_band(situation: Situation, event: Event) -> Situation:
    pair, now = {event.unit, event.target}, event.number("band")
    bands = (replace(band, band=now) if {band.a_key, band.d_key} == pair else band for band in situation.bands)
    return replace(situation, bands=tuple(bands))


def drop_pair(situation: Situation, event: Event) -> Situation:
    pair = (event.unit, event.target)
    return replace(situation, bands=tuple(band for band in situation.bands if (band.a_key, band.d_key) != pair))


def drop_pairs(situation: Situation, event: Event) -> Situation:
    """Remove the pairs of a unit that has moved elsewhere."""
    bands = (band for band in situation.bands if event.unit not in (band.a_key, band.d_key))
    return replace(situation, bands=tuple(bands))


def lose_weapon(unit: MekView, event: Event) -> MekView:
    return replace(unit, weapons=_lost(unit.weapons, event.number("slot")))


def lose_system(unit: MekView, event: Event) -> MekView:
    return replace(unit, systems=_lost(unit.systems, event.number("slot")))


def _lost(slots: tuple[tuple[str, bool], ...], slot: int) -> tuple[tuple[str, bool], ...]:
    return tuple((name, intact and at != slot) for at, (name, intact) in enumerate(slots))


def lose_squads(unit: MekView, event: Event) -> MekView:
    total = event.number("total")
    return replace(unit, infantry_kills=total, hits=max(0, unit.max_hits - total))


def destroy(situation: Situation, event: Event) -> Situation:
    """Destroy a unit; a Mek that destroys another Mek scores a kill. MM-099."""
    by = event.result["by"]
    meks = {unit.key for unit in situation.units if unit.chassis in CATALOGUE.chassis}
    scores = by in meks and event.unit in meks and event.result["how"] != c.BY_MORALE
    gone = shows(destroyed=True, zone=0)(situation, event)
    if scores:
        gone = gone.changed(str(by), lambda unit: replace(unit, kills=unit.kills + 1))
    return drop_pairs(gone, event)


def is_issued(event: Event) -> bool:
    """Return True if a support roll brought the unit held ready for it."""
    return event.unit is not None and event.number("support") >= c.GUN_SLED


def issue(unit: MekView, event: Event) -> MekView:
    """Turn a unit held ready into the unit that a support roll brought."""
    brought = support_unit_of(event.number("support"))
    hits = brought.hits or 1
    return replace(
        unit,
        name=brought.name,
        chassis=brought.slug,
        hits=hits,
        max_hits=hits,
        weapons=tuple((CATALOGUE.weapons[slug].name, True) for slug in brought.weapons),
        systems=tuple((CATALOGUE.systems[slug].name, True) for slug in brought.systems),
    )


def repair(unit: MekView, event: Event) -> MekView:
    return replace(
        unit,
        hits=unit.max_hits,
        legs=0,
        weapons=tuple((name, True) for name, _intact in unit.weapons),
        systems=tuple((name, True) for name, _intact in unit.systems),
    )


NON_UNIT_DESTROYERS = {OFF_BOARD: "fire from off the board", MINES: "a mine"}  # destroyers that aren't units


def describe_loss(lost_by: object, by: str) -> str:
    """Describe the cause of a loss.

    `lost_by` is as in an outcome; `by` is the destroyer's name, "" if there is none.
    """
    doer = f" by {by}" if by else ""
    match lost_by:
        case "explosion":
            return f"reactor explosion, critical hit{doer}"
        case "hits":
            return f"no Hits left, the last taken{doer}" if by else "no Hits left"
        case "overheating":
            return "no Hits left, burnt by its own heat"
        case "morale":
            return "it broke under its losses"
        case "transport":
            return f"aboard its transport, destroyed{doer}"
        case "identification":
            return f"a decoy, seen through{doer}"
    return doer.strip()
