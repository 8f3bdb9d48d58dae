"""Small states for tests of the rules: built from a set-up document as a battle builds them, then arranged.

`play` and `run_step` run one step of the rules and return its events. `play` fails if the step rolls a die that was not
scripted or leaves one over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from systems.engine.dice import Log, ScriptedDice
from systems.engine.events import Event
from systems.meks_and_mercs.battle import SYSTEM
from systems.meks_and_mercs.battle.events import FACTS
from systems.meks_and_mercs.battle.play import roll_fire
from systems.meks_and_mercs.battle.rules import pair_of
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.battle.rules.fire import add_shot
from systems.meks_and_mercs.battle.rules.zone_combat import make_contact, start_round
from systems.meks_and_mercs.battle.state import LONG, SHORT, WEAPON_SLOTS, Firing, Shot, Sight, State
from systems.reading import read_setup
from systems.setups import Setup


def mek(
    chassis: str = "heavy",
    weapons: Sequence[str] = (),
    systems: Sequence[str] = (),
    *,
    level: str = "regular",
    skills: Sequence[str] = (),
    **condition: object,
) -> dict[str, Any]:
    """Return a Mek as a set-up names it; further keywords are its condition."""
    return {
        "design": {"chassis": chassis, "weapons": list(weapons), "systems": list(systems)},
        "pilot": {"experience": level, "skills": list(skills)},
        "condition": condition,
    }


def support(slug: str) -> dict[str, Any]:
    """Return a support unit as a set-up names it."""
    return {"design": slug}


INFANTRY = support("infantry")
COMMANDOS = support("commandos")


def setup(
    attackers: Sequence[dict[str, Any]],
    defenders: Sequence[dict[str, Any]],
    *,
    terrain: str = "plain",
    doctrines: tuple[str, str] = ("aggressive", "aggressive"),
    options: dict[str, object] | None = None,
) -> Setup:
    """Return a zone battle; the units' keys are a1, a2 ... and d1, d2 ..."""
    sides = [
        {
            "name": name,
            "doctrine": doctrine,
            "units": [{"key": f"{letter}{place}", **unit} for place, unit in enumerate(units, start=1)],
        }
        for name, letter, doctrine, units in zip(
            ("Attacker", "Defender"), "ad", doctrines, (attackers, defenders), strict=True
        )
    ]
    return read_setup(
        {
            "muster": "setup/1",
            "system": "meks-and-mercs",
            "scenario": "zone-battle",
            "terrain": terrain,
            "options": options or {},
            "sides": sides,
        }
    )


def battle(attackers: Sequence[dict[str, Any]], defenders: Sequence[dict[str, Any]], **conditions: Any) -> State:
    """Return the state before the first round; see `setup`."""
    return changed(SYSTEM.prepare(setup(attackers, defenders, **conditions)))


def changed(state: State) -> State:
    """Return the state with its caches cleared. Call it after changing numbers that fire depends on."""
    for sight_ in state.sights:
        sight_.stamp = -1
    for salvo in state.salvos:
        salvo.stamp = -1
    return state


def duel(attacker: dict[str, Any], defender: dict[str, Any], band: int = SHORT, **conditions: Any) -> State:
    """Return one unit against one, in contact at that band, at the start of a round."""
    return meet(battle([attacker], [defender], **conditions), band)


def meet(state: State, band: int = LONG) -> State:
    """Put all units in contact at that band, at the start of a round."""
    make_contact(state, 0, [])
    for pair in state.pairs:
        if pair.made:
            pair.band = band
    start_round(state, 0)
    return state


def keys_of(state: State) -> list[str]:
    return [f"a{place + 1}" for place in range(state.battle.attackers)] + [
        f"d{place + 1}" for place in range(state.battle.defenders)
    ]


def events_of(state: State, log: Log) -> tuple[Event, ...]:
    return FACTS.events(log, keys_of(state), "round-began")


class SixSided(ScriptedDice):
    """Scripted dice for a system with no dice but d6."""

    def face(self, sides: int) -> int:
        assert sides == 6
        return super().face(sides)


def play(
    step: Callable[..., object], state: State, faces: Iterable[int], *given: object, choices: Iterable[int] = ()
) -> tuple[Event, ...]:
    """Run a step of the rules that rolls exactly these dice; return its events."""
    log: Log = []
    dice = SixSided(faces, choices)
    step(state, *given, dice, log)
    assert not dice.faces, f"dice left over: {dice.faces}"
    assert not dice.choices, f"choices left over: {dice.choices}"
    return events_of(state, log)


def run_step(step: Callable[..., object], state: State, *given: object) -> tuple[Event, ...]:
    """Run a step of the rules that rolls no dice; return its events."""
    log: Log = []
    step(state, *given, log)
    return events_of(state, log)


def hit(state: State, *, by: int = 0, on: int = 1, slot: int = 0, band: int = SHORT, attack: int = 1) -> Shot:
    """Add a shot that has hit and waits for its save."""
    state.battle.attacks = attack
    add_shot(state, by, on, slot, band)
    return state.shots[state.battle.shots - 1]


def order(state: State, *slots: int, unit: int = 0, target: int = 1, gunnery: int = 0) -> State:
    """Write a fire plan that no AI style might make."""
    for firing, slot in zip(firings(state, unit), slots, strict=False):
        firing.slot, firing.target, firing.gunnery = slot, target, gunnery
    state.units[unit].firings = len(slots)
    return state


def firings(state: State, unit: int = 0) -> list[Firing]:
    """Return the firings of a unit's fire plan, used or not."""
    room = WEAPON_SLOTS + 1
    return state.firings[unit * room : (unit + 1) * room]


def planned(state: State, unit: int = 0) -> list[tuple[int, int]]:
    """Return weapon and target of each firing of a unit's plan."""
    return [(each.slot, each.target) for each in firings(state, unit)[: state.units[unit].firings]]


def fired(state: State, *faces: int, by: int = 0, on: int = 1, slot: int = 0, gunnery: int = 0) -> list[Event]:
    """Return the rolls of one weapon fired alone, to hit or for kills on infantry."""
    for unit in state.units:
        unit.firings = 0
    events = play(roll_fire, order(state, slot, unit=by, target=on, gunnery=gunnery), faces)
    return [event for event in events if event.kind in ("shot-rolled", "kills-rolled")]


def critical(state: State, *faces: int, choices: Iterable[int] = (), by: int = 0, on: int = 1) -> tuple[Event, ...]:
    """Return what follows a Hit with a critical, which costs the Hit."""
    state.battle.shots = 0
    hit(state, by=by, on=on)
    saved, taken, checked, *rest = play(apply_damage, state, [1, 6, *faces], choices=choices)
    assert [saved.kind, taken.kind, checked.kind] == ["save-rolled", "hit-taken", "critical-checked"]
    return tuple(rest)


def rating(state: State, unit: int) -> int:
    """Return the heat rating in the unit's `heat-used` event. The unit has carried heat from then on."""
    state.units[unit].carried_heat = 1
    used = [event for event in play(roll_fire, state, []) if event.kind == "heat-used"]
    return dict(zip([event.unit for event in used], [event.result["rating"] for event in used], strict=True))[
        keys_of(state)[unit]
    ]


def sight(state: State, one: int, other: int) -> Sight:
    """Return what a unit knows of another."""
    return state.sights[one * len(state.units) + other]


def band(state: State, one: int, other: int) -> int:
    return pair_of(state, one, other).band


def kinds(events: Iterable[Event]) -> list[str]:
    return [event.kind for event in events]


def only(events: Iterable[Event], kind: str) -> Event:
    """Return the one event of that kind."""
    (found,) = [event for event in events if event.kind == kind]
    return found


def modifiers(event: Event) -> dict[str, int]:
    return {modifier.name: modifier.value for modifier in event.modifiers}
