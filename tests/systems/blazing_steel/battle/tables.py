"""Small battles for tests: Warmechs placed by the test, and the steps of a turn with scripted dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from systems.blazing_steel.battle import play
from systems.blazing_steel.battle import state as c
from systems.blazing_steel.battle.events import ACTIONS, FACTS
from systems.blazing_steel.battle.initial_state import build_state
from systems.blazing_steel.battle.rules.actions import activate, clear_orders, declare
from systems.blazing_steel.battle.rules.movement import go
from systems.blazing_steel.battle.state import Disc, State, Unit, Weapon
from systems.blazing_steel.build import SYSTEM as ROSTERS
from systems.blazing_steel.build.drawing import map_table
from systems.blazing_steel.build.spec import WEAPON_SLOTS, WarmechSpec, parse_spec
from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.options import Options
from systems.engine.dice import Log, ScriptedDice
from systems.engine.events import Event
from systems.reading import read_setup
from systems.setups import Setup

CODES = {slug: code for code, slug in ACTIONS.items()}
NORTH, SOUTH, EAST, WEST = (0.0, 1.0), (0.0, -1.0), (1.0, 0.0), (-1.0, 0.0)
REFUSALS: Mapping[int, str | None] = {
    0: None,
    c.NOT_ACTIVE: "not-eligible",
    c.NO_ACTION_LEFT: "no-action-left",
    c.MUST_COOL: "must-cool",
    c.COOL_FIRST: "cool-first",
    c.BANNED_FROM_HEAT: "coolant-ban",
    c.FOLLOWER_TARGET: "follower-target",
    c.NOT_ON_TABLE: "no-target",
    c.NO_CONTACT_IN_ACTION_ONE: "no-contact-in-action-one",
    c.NO_WEAPON: "weapon-destroyed",
    c.NO_AMMO: "no-ammo",
    c.OUT_OF_ARC: "arc",
    c.NO_LINE_OF_SIGHT: "no-line-of-sight",
    c.SHORT_OUT_OF_RANGE: "short-weapon-out-of-range",
    c.NOT_SPOTTED: "not-spotted",
    c.NOT_IN_CONTACT: "not-in-contact",
    c.TOO_FAR: "too-far",
    c.WAY_BLOCKED: "blocked",
    c.NO_SUCH_SPECIAL: "no-such-special",
    c.CANNOT_MOVE: "cannot-move",
    c.TURNED_TOO_FAR: "turned-too-far",
}
Sketch = Mapping[str, Any]


def unit(
    design: str | Mapping[str, Any] = "hawker",
    x: float = 24,
    y: float = 10,
    face: tuple[float, float] = NORTH,
    **more: Any,
) -> Sketch:
    """Return a Warmech on the table: an example's slug or a spec, its place and facing, and fields of its record."""
    return {"design": design, "at": (float(x), float(y)), "face": face, **more}


def foe(design: str | Mapping[str, Any] = "hawker", x: float = 24, y: float = 20, **more: Any) -> Sketch:
    """Return a Warmech of the other side, facing south. See `unit`."""
    return unit(design, x, y, **{"face": SOUTH, **more})


def block(x: float, y: float, radius: float = 2) -> Disc:
    return Disc(c.BLOCK, float(x), float(y), float(radius))


def woods(x: float, y: float, radius: float = 3) -> Disc:
    return Disc(c.WOODS, float(x), float(y), float(radius))


def spec_of(design: str | Mapping[str, Any]) -> WarmechSpec:
    return ROSTERS.published[design].spec if isinstance(design, str) else parse_spec(dict(design))


class Table:
    """A battle in the middle of a turn in which side A leads. The first Warmech of each side is active."""

    def __init__(
        self,
        a: Sequence[Sketch],
        b: Sequence[Sketch] = (),
        *,
        terrain: Sequence[Disc] = (),
        table: str = "open",
        doctrines: tuple[str, str] = ("aggressive", "aggressive"),
        slot: int = 1,
        **options: object,
    ) -> None:
        named = {name.replace("_", "-"): value for name, value in options.items()}
        forces = [[spec_of(sketch["design"]) for sketch in force] for force in (a, b)]
        self.state: State = build_state(forces, doctrines, map_table(CATALOGUE.maps[table]), Options.read(named))
        if terrain:
            self.state.discs[:] = terrain
            self.state.battle.discs = len(terrain)
        self.count_a = len(a)
        for warmech, sketch in zip(self.state.units, [*a, *b], strict=True):
            warmech.x, warmech.y = sketch["at"]
            warmech.face_x, warmech.face_y = sketch["face"]
            for name, value in sketch.items():
                if name not in ("design", "at", "face"):
                    setattr(warmech, name, value)
        self.battle = self.state.battle
        self.battle.round = 1
        self.battle.lead = c.SIDE_A
        self.battle.slot = slot
        self.state.orders[c.LEAD].unit = 0
        if b:
            self.state.orders[c.FOLLOW].unit = self.count_a
        self.events: tuple[Event, ...] = ()

    def at(self, key: str) -> int:
        """Return the index of a Warmech in the state: "a1" is the first of side A."""
        return int(key[1:]) - 1 + (self.count_a if key[0] == "b" else 0)

    def __getitem__(self, key: str) -> Unit:
        return self.state.units[self.at(key)]

    def weapon(self, key: str, slot: str) -> Weapon:
        return self.state.weapons[self.at(key) * c.SLOTS + WEAPON_SLOTS.index(slot)]

    def order(self, side: str, action: str, target: str = "", slot: str = "") -> str | None:
        """Let the active Warmech of a side declare an action; return the refusal, or None."""
        at = WEAPON_SLOTS.index(slot) if slot else c.NOBODY
        who = self.at(target) if target else c.NOBODY
        return REFUSALS[declare(self.state, "ab".index(side), CODES[action], at, who, [])]

    def activate(self, key: str) -> str | None:
        """Make that Warmech the active one of its side; return the refusal, or None."""
        return REFUSALS[activate(self.state, "ab".index(key[0]), self.at(key), [])]

    def resolve(self, faces: Iterable[int] = (), **goes: tuple[float, ...]) -> Table:
        """Resolve the step with exactly these dice; return the table.

        Each keyword moves a Warmech to a place, optionally with a facing, in the order of the keywords.
        """
        log: Log = []
        dice = ScriptedDice(faces)
        play.open_step(self.state, log)
        for key, (x, y, *face) in goes.items():
            mover = self[key]
            face_x, face_y = face or (mover.face_x, mover.face_y)
            action = self.state.orders["ab".index(key[0])].action
            refused = REFUSALS[go(self.state, self.at(key), action, float(x), float(y), face_x, face_y, log)]
            assert refused is None, refused
        play.close_step(self.state, dice, log)
        assert not dice.faces, f"dice left over: {dice.faces}"
        self.events = self.events_from(log)
        return self

    def moves(self, key: str, x: float, y: float, face: tuple[float, float] | None = None) -> str | None:
        """Return why the declared movement may not end there, or None after moving."""
        mover = self[key]
        face_x, face_y = face or (mover.face_x, mover.face_y)
        action = self.state.orders["ab".index(key[0])].action
        return REFUSALS[go(self.state, self.at(key), action, float(x), float(y), face_x, face_y, [])]

    def next_action(self) -> Table:
        """Start action two."""
        self.battle.slot = 2
        clear_orders(self.state)
        return self

    def heat(self, side: str, faces: Iterable[int] = ()) -> Table:
        """Resolve the heat step of the active Warmech of a side."""
        log: Log = []
        dice = ScriptedDice(faces)
        play.add_heat(self.state, "ab".index(side), dice, log)
        assert not dice.faces, f"dice left over: {dice.faces}"
        self.events = self.events_from(log)
        return self

    def events_from(self, log: Log) -> tuple[Event, ...]:
        """Return the notes as events; Warmechs are named "a1", "b1" and so on."""
        keys = [f"a{at + 1}" for at in range(self.count_a)]
        keys += [f"b{at + 1}" for at in range(len(self.state.units) - self.count_a)]
        return FACTS.events(log, keys, "round-began")

    def event(self, kind: str, unit: str = "") -> Event:
        """Return the one event of that kind, optionally of one Warmech."""
        (found,) = [each for each in self.events if each.kind == kind and unit in ("", each.unit)]
        return found

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


def parts_of(event: Event) -> dict[str, int]:
    """Return the modifiers of an event by name."""
    return {part.name: part.value for part in event.modifiers}


def shot(table: Table, faces: Iterable[int], slot: str = "r1", target: str = "b1") -> Table:
    """Let a1 shoot, unanswered; return the table."""
    assert table.order("a", "shoot", target, slot) is None
    return table.resolve(faces)


def tn(table: Table, faces: Iterable[int], slot: str = "r1", target: str = "b1") -> int:
    """Return the TN of that shot."""
    return shot(table, faces, slot, target).event("shot-rolled").number("tn")


def document(
    a: Sequence[Any] = ("hawker",),
    b: Sequence[Any] = ("hawker",),
    *,
    doctrines: tuple[str, str] = ("aggressive", "aggressive"),
    scenario: Any = "skirmish",
    terrain: str = "standard",
    options: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """Return a set-up document; a force is a list of designs or of units."""
    return {
        "muster": "setup/1",
        "system": "blazing-steel",
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
