"""The changes that a spectator sees, where an event changes more than one value of a unit."""

from __future__ import annotations

from dataclasses import replace

from systems.engine.events import Event
from systems.engine.facts import alters, shows
from systems.meks_and_mercs.battle import state as c
from systems.meks_and_mercs.battle.scenario_setup import support_unit_of
from systems.meks_and_mercs.battle.view import MekView
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.situation import BandView, Situation


def meet(situation: Situation, event: Event) -> Situation:
    """Put two units in contact, at Long if the event names no band."""
    band = event.number("band") if "band" in event.result else c.LONG
    return replace(situation, bands=(*situation.bands, BandView(event.unit or "", event.target or "", band, False)))


def break_contacts(situation: Situation, event: Event) -> Situation:
    """Break the unit's contacts; in a battle in one zone it withdraws with that."""
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
    """Remove the pairs of a unit that has gone elsewhere."""
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
    """Destroy a unit; a Mek that destroys a Mek scores it. MM-099."""
    by = event.result["by"]
    meks = {unit.key for unit in situation.units if unit.chassis in CATALOGUE.chassis}
    scores = by in meks and event.unit in meks and event.result["how"] != c.BY_MORALE
    gone = shows(destroyed=True, zone=0)(situation, event)
    if scores:
        gone = gone.changed(str(by), lambda unit: replace(unit, kills=unit.kills + 1))
    return drop_pairs(gone, event)


def is_issued(event: Event) -> bool:
    """Return True if a support roll brought the unit that was held ready for it."""
    return event.unit is not None and event.number("support") >= c.GUN_SLED


def issue(unit: MekView, event: Event) -> MekView:
    """Turn a unit held ready into the one that a support roll has brought."""
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
