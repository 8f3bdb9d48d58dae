"""Small zone battles for tests of the rules: read from a set-up document, then arranged as an example needs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from systems.engine.dice import Dice, Log
from systems.engine.events import Event
from systems.meks_and_mercs.battle import SYSTEM
from systems.meks_and_mercs.battle.play import plan, play_detection, roll_fire
from systems.meks_and_mercs.battle.rules import pair_of, weapon_of
from systems.meks_and_mercs.battle.rules.damage import apply_damage
from systems.meks_and_mercs.battle.rules.fire import add_shot
from systems.meks_and_mercs.battle.rules.zone_combat import start_round
from systems.meks_and_mercs.battle.state import LONG, NOBODY, WEAPON_SLOTS, Sight, State, Unit, Weapon
from systems.reading import read_setup

Sketch = str | Mapping[str, object]  # a published design, or the result of `unit`


def unit(
    design: str | Mapping[str, object],
    *,
    experience: str = "regular",
    skills: Sequence[str] = (),
    hits: int | None = None,
    legs: int = 0,
    wounded: bool = False,
) -> dict[str, object]:
    """Return a unit of a set-up document, without its key. An undamaged design with a Regular needs only its name."""
    sketch: dict[str, object] = {"design": design}
    if experience != "regular" or skills:
        sketch["pilot"] = {"experience": experience, "skills": list(skills)}
    condition = {"hits": hits, "legs": legs, "wounded": wounded}
    condition = {name: value for name, value in condition.items() if value}
    return sketch | {"condition": condition} if condition else sketch


def mek(chassis: str, weapons: Sequence[str] = (), systems: Sequence[str] = ()) -> dict[str, object]:
    """Return the spec of a Mek that no rulebook publishes."""
    return {"chassis": chassis, "weapons": list(weapons), "systems": list(systems)}


class Table:
    """A zone battle at the start of a round, all units in contact at one band. Units are called a1, a2, d1 ..."""

    def __init__(
        self,
        attackers: Sequence[Sketch],
        defenders: Sequence[Sketch],
        *,
        terrain: str = "plain",
        band: int = LONG,
        options: Mapping[str, object] | None = None,
        doctrines: tuple[str, str] = ("aggressive", "aggressive"),
    ) -> None:
        sides = [
            {
                "name": name,
                "doctrine": doctrine,
                "units": [_keyed(f"{letter}{place}", sketch) for place, sketch in enumerate(sketches, start=1)],
            }
            for name, letter, doctrine, sketches in (
                ("Attacker", "a", doctrines[0], attackers),
                ("Defender", "d", doctrines[1], defenders),
            )
        ]
        self.setup = read_setup(
            {
                "muster": "setup/1",
                "system": SYSTEM.slug,
                "scenario": "zone-battle",
                "terrain": terrain,
                "options": dict(options or {}),
                "sides": sides,
            }
        )
        self.keys = [unit.key for side in self.setup.sides for unit in side.units]
        self.state: State = SYSTEM.prepare(self.setup)
        self.log: Log = []
        for pair in self.state.pairs:
            pair.made = 1
            pair.band = band
        start_round(self.state, 0)

    def at(self, key: str) -> int:
        """The unit's place in the state's list."""
        return self.keys.index(key)

    def __getitem__(self, key: str) -> Unit:
        return self.state.units[self.at(key)]

    def weapon(self, key: str, slot: int) -> Weapon:
        return weapon_of(self.state, self.at(key), slot)

    def sight(self, key: str, enemy: str) -> Sight:
        """Return what the unit knows of an enemy."""
        return self.state.sights[self.at(key) * len(self.keys) + self.at(enemy)]

    def band(self, key: str, enemy: str) -> int:
        return pair_of(self.state, self.at(key), self.at(enemy)).band

    def set_band(self, key: str, enemy: str, band: int) -> None:
        pair_of(self.state, self.at(key), self.at(enemy)).band = band

    def aim(self, key: str, enemy: str, *slots: int) -> Table:
        """Plan the unit's fire: these weapons at this enemy, in this order, after what is planned already."""
        shooter = self[key]
        for slot in slots or (NOBODY,):
            firing = self.state.firings[self.at(key) * (WEAPON_SLOTS + 1) + shooter.firings]
            firing.slot, firing.target, firing.gunnery = slot, self.at(enemy), 0
            shooter.firings += 1
        return self

    def detect(self, dice: Dice) -> None:
        play_detection(self.state, 0, dice, self.log)

    def plan(self) -> None:
        """Plan the fire of all units, by their AI styles."""
        plan(self.state, [])

    def fire(self, dice: Dice) -> None:
        roll_fire(self.state, dice, self.log)

    def damage(self, dice: Dice) -> None:
        apply_damage(self.state, dice, self.log)

    def hit(self, key: str, enemy: str, slot: int) -> None:
        """Add a hit by the unit's weapon on the enemy, waiting for its save."""
        self.state.battle.attacks += 1
        add_shot(self.state, self.at(key), self.at(enemy), slot, self.band(key, enemy))

    @property
    def events(self) -> tuple[Event, ...]:
        """The events so far."""
        return SYSTEM.events(self.setup, self.log)

    def events_of(self, kind: str) -> list[Event]:
        """Return the events of one kind so far."""
        return [event for event in self.events if event.kind == kind]


def total(event: Event) -> int:
    """Return the event's last die with its modifiers."""
    return event.faces[-1] + sum(modifier.value for modifier in event.modifiers)


def _keyed(key: str, sketch: Sketch) -> dict[str, object]:
    body = {"design": sketch} if isinstance(sketch, str) else dict(sketch)
    if "design" not in body:
        body = {"design": body}
    return {"key": key, **body}
