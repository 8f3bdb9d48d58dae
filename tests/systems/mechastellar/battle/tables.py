"""Small battles for tests: units placed by the test, attacks and turns with scripted dice."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from systems.engine.dice import Log, ScriptedDice
from systems.engine.events import Event
from systems.mechastellar.battle import play
from systems.mechastellar.battle import state as c
from systems.mechastellar.battle.events import FACTS
from systems.mechastellar.battle.initial_state import BattleUnit, build_state
from systems.mechastellar.battle.play_attack import attack
from systems.mechastellar.battle.rules import mark_engaged
from systems.mechastellar.battle.rules.rounds import begin_turn, highest_hp
from systems.mechastellar.battle.state import Disc, State, Unit, Weapon
from systems.mechastellar.build import SYSTEM as ROSTERS
from systems.mechastellar.build.scenario import map_table
from systems.mechastellar.build.spec import UnitSpec
from systems.mechastellar.catalogue import CATALOGUE
from systems.mechastellar.options import Options
from systems.reading import read_setup
from systems.setups import Setup

NORTH, SOUTH, EAST, WEST = (0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)
LEVELS = ("basic", "skilled", "ace")
Sketch = Mapping[str, Any]
FORCES = {
    "F1": ("green-viking",) * 3 + ("argonaut",) * 2 + ("gamma-apollo",),
    "F2": ("white-asura", "gamma-apollo", "cyclodom"),
    "F3": ("blue-djinn", "lunar-ravager", "dervish"),
    "F4": ("volt-lion", "deathly-beastman"),
    "F5": ("iron-castle", "iron-duke"),
    "F6": ("trident-drake", "dusk-wraith"),
    "F7": ("tankcrawler", "turtle-robo", "green-viking"),
    "F8": ("crimson-gallant", "laughing-joker"),
    "F9": ("midnight-manta", "falconeye", "argonaut"),
    "D1": ("gamma-apollo",),
    "D2": ("white-asura",),
    "D3": ("blue-djinn",),
    "D4": ("volt-lion",),
    "D5": ("trident-drake",),
}


def unit(design: str | UnitSpec = "gamma-apollo", x: float = 24, y: float = 10, **more: Any) -> Sketch:
    """Return a unit on the table: a sample's slug or a spec, its place and facing, and fields of its record.

    `level` seats another pilot.
    """
    return {"design": design, "at": (float(x), float(y)), "face": NORTH, **more}


def foe(design: str | UnitSpec = "gamma-apollo", x: float = 24, y: float = 20, **more: Any) -> Sketch:
    """Return a unit of the other side, facing south. See `unit`."""
    return unit(design, x, y, **{"face": SOUTH, **more})


def disc(x: float, y: float, radius: float = 2, kind: int = c.LOW, **more: int) -> Disc:
    return Disc(kind, float(x), float(y), float(radius), **{"destructible": 1, **more})


def spec_of(design: str | UnitSpec, level: int | None = None, **changes: Any) -> UnitSpec:
    spec = ROSTERS.published[design].spec if isinstance(design, str) else design
    return dataclasses.replace(spec, **changes, level=spec.level if level is None else level)


class Table:
    """A battle in Round 1, in the turn of a1, without terrain unless a test adds some."""

    def __init__(
        self,
        a: Sequence[Sketch],
        b: Sequence[Sketch] = (),
        *,
        terrain: Sequence[Disc] = (),
        table: str = "open",
        doctrines: tuple[str, str] = ("aggressive", "aggressive"),
        momentum: tuple[int, int] = (0, 0),
        **options: object,
    ) -> None:
        named = {name.replace("_", "-"): value for name, value in options.items()}
        forces = [
            [BattleUnit(found := spec_of(sketch["design"], sketch.get("level")), found.hp) for sketch in force]
            for force in (a, b)
        ]
        self.state: State = build_state(forces, doctrines, map_table(CATALOGUE.maps[table]), Options.read(named))
        if terrain:
            self.state.discs[:] = terrain
            self.state.battle.discs = len(terrain)
        self.count_a = len(a)
        for record, sketch in zip(self.state.units, [*a, *b], strict=True):
            record.x, record.y = sketch["at"]
            record.face_x, record.face_y = sketch["face"]
            for name, value in sketch.items():
                if name not in ("design", "at", "face", "level"):
                    setattr(record, name, value)
        self.battle = self.state.battle
        self.battle.round = 1
        for side in range(2):
            self.state.sides[side].momentum = momentum[side]
            if (a, b)[side]:
                self.state.sides[side].commander = highest_hp(self.state, side)
        mark_engaged(self.state)
        self.events: tuple[Event, ...] = ()
        if a:
            begin_turn(self.state, 0, [])

    def at(self, key: str) -> int:
        """Return the index of a unit in the state: "a1" is the first of side A."""
        return int(key[1:]) - 1 + (self.count_a if key[0] == "b" else 0)

    def __getitem__(self, key: str) -> Unit:
        return self.state.units[self.at(key)]

    def weapon(self, key: str, slug: str) -> int:
        """Return the index of a unit's weapon in the state."""
        found = self[key]
        named = [each for each in CATALOGUE.weapons.values() if each.slug == slug]
        for at in range(found.weapon, found.weapon + found.weapons):
            if any(_is_same(self.state.weapons[at], each) for each in named):
                return at
        raise AssertionError(f"{key} has no {slug}")

    def run(self, what: Any, faces: Iterable[int] = ()) -> Table:
        """Run a function of state, dice and log with exactly these dice; return the table."""
        log: Log = []
        dice = ScriptedDice(faces)
        what(self.state, dice, log)
        assert not dice.faces, f"dice left over: {dice.faces}"
        self.events = self.events_from(log)
        return self

    def attack(self, slug: str, faces: Iterable[int], target: str = "b1", by: str = "a1") -> Table:
        """Make one attack, with all reactions by the AI on both sides."""
        weapon = self.weapon(by, slug)
        return self.run(
            lambda s, dice, log: attack(s, self.at(by), weapon, self.at(target), 0, c.PLAIN, dice, log), faces
        )

    def activate(self, key: str, faces: Iterable[int] = ()) -> Table:
        """Activate a unit, played by the AI."""
        return self.run(lambda s, dice, log: play.activate(s, self.at(key), dice, log), faces)

    def events_from(self, log: Log) -> tuple[Event, ...]:
        """Return the notes as events; units are named "a1", "b1" and so on."""
        keys = [f"a{at + 1}" for at in range(self.count_a)]
        keys += [f"b{at + 1}" for at in range(len(self.state.units) - self.count_a)]
        return FACTS.events(log, keys, "round-began")

    def event(self, kind: str, unit: str = "") -> Event:
        """Return the one event of that kind, optionally of one unit."""
        (found,) = [each for each in self.events if each.kind == kind and unit in ("", each.unit)]
        return found

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


def _is_same(record: Weapon, weapon: Any) -> bool:
    mine = (record.melee, record.dice, record.hits, record.range, record.dmg, record.pen)
    return mine == (weapon.is_melee, weapon.dice, weapon.hits, weapon.range_in, weapon.dmg, weapon.pen or 0)


def parts_of(event: Event) -> dict[str, int]:
    """Return the modifiers of an event by name."""
    return {part.name: part.value for part in event.modifiers}


def document(
    a: Sequence[Any] = ("gamma-apollo",),
    b: Sequence[Any] = ("gamma-apollo",),
    *,
    doctrines: tuple[str, str] = ("aggressive", "aggressive"),
    scenario: Any = "versus",
    terrain: str = "standard",
    options: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """Return a set-up document; a force is a list of designs or of units."""
    return {
        "muster": "setup/1",
        "system": "mechastellar",
        "scenario": scenario,
        "terrain": terrain,
        "options": dict(options or {}),
        "sides": [
            {
                "name": name,
                "doctrine": doctrine,
                "units": [
                    {
                        "key": f"{letter}{place}",
                        **(each if isinstance(each, dict) and "design" in each else {"design": each}),
                    }
                    for place, each in enumerate(force, start=1)
                ],
            }
            for name, letter, force, doctrine in zip(("Red", "Blue"), "ab", (a, b), doctrines, strict=True)
        ],
    }


def setup(*forces: Any, **given: Any) -> Setup:
    return read_setup(document(*forces, **given))
