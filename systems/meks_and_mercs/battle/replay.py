"""What a spectator sees: the opening position and how each event changes it. Plays back without the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from systems.battle import BandView, Situation, UnitView
from systems.engine.events import Event
from systems.meks_and_mercs.battle.scenario_setup import brought_by, placements
from systems.meks_and_mercs.battle.setup import field_units, scenario_of
from systems.meks_and_mercs.battle.state import BY_MORALE, GUN_SLED, LONG
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.setups import Setup, once_a_setup


@once_a_setup
def opening(setup: Setup) -> Situation:
    """All units as they enter the battle; nobody is in contact yet."""
    posts = placements(setup) if scenario_of(setup) is not None else ()
    units = tuple(
        UnitView(
            key=fielded.unit.key,
            name=fielded.name,
            side=fielded.side,
            chassis=fielded.chassis,
            hits=fielded.full_hits if fielded.condition.hits is None else fielded.condition.hits,
            max_hits=fielded.full_hits,
            destroyed=False,
            withdrew=False,
            wounded=bool(fielded.condition.wounded),
            legs=fielded.condition.legs,
            weapons=tuple(
                (weapon.name, slot not in fielded.condition.weapons_lost) for slot, weapon in enumerate(fielded.weapons)
            ),
            systems=tuple(
                (CATALOGUE.systems[slug].name, slot not in fielded.condition.systems_lost)
                for slot, slug in enumerate(fielded.systems)
            ),
            zone=posts[at].zone if posts else 0,
            dug_in=bool(fielded.condition.dug_in),
            decoy=fielded.role == "decoy",
        )
        for at, fielded in enumerate(field_units(setup))
    )
    return Situation(units, ())


def follow(situation: Situation, event: Event) -> Situation:
    """The situation after one more event; one that changes nothing to be seen gives the same back."""
    r = event.result
    match event.kind:
        case "contact-made":
            a, d = event.unit or "", event.target or ""
            return replace(situation, bands=(*situation.bands, BandView(a, d, LONG, False)))
        case "contact-broken":
            return replace(
                situation,
                units=_changed(situation, event.unit, lambda unit: replace(unit, withdrew=unit.zone == 0)),
                bands=tuple(
                    replace(band, broken=True) if event.unit in (band.a_key, band.d_key) else band
                    for band in situation.bands
                ),
            )
        case "band-changed":
            pair = {event.unit, event.target}
            return replace(
                situation,
                bands=tuple(
                    replace(band, band=int(r["band"] or 0)) if {band.a_key, band.d_key} == pair else band
                    for band in situation.bands
                ),
            )
        case "hit-taken" | "overheat-taken":
            return _with(situation, event, lambda unit: replace(unit, hits=int(r["hits"] or 0)))
        case "pilot-wounded":
            return _with(situation, event, lambda unit: replace(unit, wounded=True))
        case "leg-damaged":
            return _with(situation, event, lambda unit: replace(unit, legs=int(r["legs"] or 0)))
        case "weapon-destroyed":
            return _with(situation, event, lambda unit: replace(unit, weapons=_lost(unit.weapons, int(r["slot"] or 0))))
        case "heat-rolled" if r["overheated"]:
            return _with(situation, event, lambda unit: replace(unit, weapons=_lost(unit.weapons, int(r["slot"] or 0))))
        case "system-lost":
            return _with(situation, event, lambda unit: replace(unit, systems=_lost(unit.systems, int(r["slot"] or 0))))
        case "kills-taken":
            total = int(r["total"] or 0)
            return _with(
                situation, event, lambda unit: replace(unit, infantry_kills=total, hits=max(0, unit.max_hits - total))
            )
        case "unit-destroyed":
            return _destroyed(situation, event)
    return _follow_on_map(situation, event)


def _follow_on_map(situation: Situation, event: Event) -> Situation:
    """The situation after an event that only a game on the map knows."""
    r = event.result
    match event.kind:
        case "support-rolled" if event.unit and int(r["support"] or 0) >= GUN_SLED:
            return _with(situation, event, lambda unit: _issued(unit, int(r["support"] or 0)))
        case "unit-placed" | "infantry-landed":
            return _with(situation, event, lambda unit: replace(unit, zone=int(r["zone"] or 0)))
        case "unit-arrived":
            return _with(situation, event, lambda unit: replace(unit, zone=int(r["zone"] or 0), dug_in=False))
        case "unit-moved":
            moved = _with(situation, event, lambda unit: replace(unit, zone=int(r["zone"] or 0), dug_in=False))
            return _apart(moved, event.unit)
        case "unit-left":
            left = _with(situation, event, lambda unit: replace(unit, zone=0, dug_in=False, withdrew=True))
            return _apart(left, event.unit)
        case "mek-hidden":
            return _with(situation, event, lambda unit: replace(unit, hidden=True))
        case "unit-revealed":
            return _with(situation, event, lambda unit: replace(unit, hidden=False))
        case "thing-found" if r["what"] == 2:
            return _with(situation, event, lambda unit: replace(unit, hidden=False))
        case "hawkeye-swept" if r["success"]:
            return replace(situation, units=_changed(situation, event.target, _uncovered))
        case "revealed-at":
            a, d = event.unit or "", event.target or ""
            return replace(situation, bands=(*situation.bands, BandView(a, d, int(r["band"] or 0), False)))
        case "contact-reopened":
            pair = (event.unit, event.target)
            return replace(situation, bands=tuple(band for band in situation.bands if (band.a_key, band.d_key) != pair))
        case "decoy-removed":
            gone = _with(situation, event, lambda unit: replace(unit, destroyed=True, zone=0))
            return _apart(gone, event.unit)
        case "unit-repaired":
            return _with(situation, event, _repaired)
        case "unit-dug-in":
            return _with(situation, event, lambda unit: replace(unit, dug_in=True))
    return situation


def _uncovered(unit: UnitView) -> UnitView:
    return replace(unit, hidden=False)


def _issued(unit: UnitView, result: int) -> UnitView:
    """A unit held ready as the one that a support roll has brought."""
    brought = brought_by(result)
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


def _repaired(unit: UnitView) -> UnitView:
    return replace(
        unit,
        hits=unit.max_hits,
        legs=0,
        weapons=tuple((name, True) for name, _intact in unit.weapons),
        systems=tuple((name, True) for name, _intact in unit.systems),
    )


def _apart(situation: Situation, key: str | None) -> Situation:
    """The situation without the pairs of a unit that has gone elsewhere."""
    return replace(situation, bands=tuple(band for band in situation.bands if key not in (band.a_key, band.d_key)))


def _destroyed(situation: Situation, event: Event) -> Situation:
    by = event.result["by"]
    sizes = {unit.key: unit.chassis in CATALOGUE.chassis for unit in situation.units}
    scores = sizes.get(str(by), False) and sizes[event.unit or ""] and event.result["how"] != BY_MORALE
    units = _changed(situation, event.unit, lambda unit: replace(unit, destroyed=True, zone=0))
    if scores:
        units = tuple(replace(unit, kills=unit.kills + 1) if unit.key == by else unit for unit in units)
    return Situation(units, tuple(band for band in situation.bands if event.unit not in (band.a_key, band.d_key)))


def _changed(situation: Situation, key: str | None, change: Callable[[UnitView], UnitView]) -> tuple[UnitView, ...]:
    return tuple(change(unit) if unit.key == key else unit for unit in situation.units)


def _with(situation: Situation, event: Event, change: Callable[[UnitView], UnitView]) -> Situation:
    return replace(situation, units=_changed(situation, event.unit, change))


def _lost(slots: tuple[tuple[str, bool], ...], slot: int) -> tuple[tuple[str, bool], ...]:
    return tuple((name, intact and at != slot) for at, (name, intact) in enumerate(slots))
