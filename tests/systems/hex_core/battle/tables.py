"""Small battles for tests: Units placed by the test, a map of a few hexes, scripted dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from systems.engine.dice import Log, ScriptedDice
from systems.engine.events import Event
from systems.hex_core.battle import play
from systems.hex_core.battle import state as c
from systems.hex_core.battle.events import FACTS
from systems.hex_core.battle.initial_state import build_state
from systems.hex_core.battle.rules.movement import begin_movement, begin_turn, step, step_refusal, turn_refusal, turn_to
from systems.hex_core.battle.state import Drone, State, Unit, Weapon
from systems.hex_core.build import SYSTEM as ROSTERS
from systems.hex_core.build.drawing import build_board
from systems.hex_core.build.spec import MachineSpec
from systems.hex_core.catalogue import CATALOGUE, COLUMNS
from systems.hex_core.options import Options
from systems.reading import read_setup
from systems.setups import Setup

REFUSALS: Mapping[int, str | None] = {
    0: None,
    **{
        getattr(c, name): name.lower().replace("_", "-")
        for name in [
            "NOT_FRONT_HEX",
            "NOT_ADJACENT",
            "OFF_BOARD",
            "RED_HEX",
            "GREEN_VEHICLE",
            "HEX_OCCUPIED",
            "NO_ELEVATION",
            "NOT_ENOUGH_SM",
            "NOT_IN_FOV",
            "OUT_OF_RANGE",
            "NO_LOS",
            "AREA_DESTROYED",
            "NOT_ENOUGH_AP",
            "PHASE_PASSED",
            "PHASE_FORFEITED",
            "ALREADY_ACTED",
            "MUST_KNEEL",
            "ONCE_PER_TURN",
            "DRONE_LIMIT",
            "CANNOT_ACT",
            "NO_FREE_HAND",
            "NOT_SAME_HEX",
            "GRAPPLE_NO_HANDS",
            "GRAPPLE_WRONG_PHASE",
            "GRAPPLE_ENDED",
            "OBJECTIVE_TOO_CLOSE",
            "OBJECTIVE_ZONE",
            "OBJECTIVE_BLOCKS",
        ]
    },
    c.IS_BUILDING: "building",
    c.ASSASSIN_CLASS_5: "assassin-class-5",
    c.WEAPON_NOT_READY: "weapon-not-ready",
    c.NOT_ALLOWED: "not-allowed",
}
Sketch = Mapping[str, Any]
Hex = tuple[int, int]


def number(place: Hex) -> int:
    return place[1] * COLUMNS + place[0]


def place(at: int) -> Hex:
    return at % COLUMNS, at // COLUMNS


def unit(design: str | Mapping[str, Any] = "warden", at: Hex = (7, 10), facing: int = 0, **more: Any) -> Sketch:
    """Return a Unit: an example's slug or a spec, its hex and facing, and fields of its record."""
    return {"design": design, "at": at, "facing": facing, **more}


def foe(design: str | Mapping[str, Any] = "warden", at: Hex = (7, 6), facing: int = 3, **more: Any) -> Sketch:
    """Return a Unit of the other side, facing down. See `unit`."""
    return unit(design, at, facing, **more)


def spec_of(design: str | Mapping[str, Any]) -> MachineSpec:
    return ROSTERS.published[design].spec if isinstance(design, str) else ROSTERS.parse_spec(dict(design))


def example(slug: str, **changes: Any) -> dict[str, Any]:
    """Return the spec of an example with some fields changed."""
    return {**ROSTERS.spec_json(ROSTERS.published[slug].spec), **changes}


class Table:
    """A battle in the middle of a Round: the first Unit of side A has its turn, with this pool."""

    def __init__(
        self,
        a: Sequence[Sketch],
        b: Sequence[Sketch] = (),
        *,
        hexes: Mapping[str, Sequence[Hex]] | None = None,
        buildings: Mapping[Hex, int] | None = None,
        heights: Mapping[Hex, int] | None = None,
        mission: str = "elimination",
        doctrines: tuple[str, str] = ("aggressive", "aggressive"),
        pool: int = 0,
        **options: object,
    ) -> None:
        named = {name.replace("_", "-"): value for name, value in options.items()}
        colours = {colour: tuple(places) for colour, places in (hexes or {}).items()}
        board = build_board("Any", colours, dict(buildings or {}), dict(heights or {}))
        forces = [[spec_of(sketch["design"]) for sketch in force] for force in (a, b)]
        self.state: State = build_state(forces, doctrines, mission, board, Options.read(named))
        self.count_a = len(a)
        self.log: Log = []
        for each, sketch in zip(self.state.units, [*a, *b], strict=True):
            each.at, each.facing = number(sketch["at"]), sketch["facing"]
            each.level = self.state.hexes[each.at].level
            for name, value in sketch.items():
                if name not in ("design", "at", "facing"):
                    setattr(each, name, value)
        self.battle = self.state.battle
        self.battle.round = 1
        self.battle.first = c.SIDE_A
        begin_turn(self.state, 0, [])
        begin_movement(self.state, 0)
        self.state.units[0].pool = pool

    def at(self, key: str) -> int:
        """Return the index of a Unit in the state: "a1" is the first of side A."""
        return int(key[1:]) - 1 + (self.count_a if key[0] == "b" else 0)

    def __getitem__(self, key: str) -> Unit:
        return self.state.units[self.at(key)]

    def weapon(self, key: str, slot: int) -> Weapon:
        return self.state.weapons[self.at(key) * c.SLOTS + slot]

    def drone(self, key: str, at: int) -> Drone:
        return self.state.drones[self[key].first_drone + at]

    def dp(self, key: str, area: int = c.TORSO) -> int:
        return self.state.areas[self.at(key) * c.AREAS + area].dp

    def set_dp(self, key: str, area: int, dp: int) -> None:
        self.state.areas[self.at(key) * c.AREAS + area].dp = dp

    def hex_of(self, key: str) -> Hex:
        return place(self[key].at)

    def run(self, rule: Callable[..., Any], *args: Any, dice: Iterable[int] = ()) -> Any:
        """Run a rule with exactly these dice; return its result."""
        scripted = ScriptedDice(dice)
        found = rule(self.state, *args, scripted, self.log)
        assert scripted.faces == [], f"{scripted.faces} were not rolled"
        return found

    def do(self, rule: Callable[..., Any], *args: Any) -> Any:
        """Run a rule that rolls no dice; return its result."""
        return rule(self.state, *args, self.log)

    def ask(self, rule: Callable[..., Any], *args: Any) -> Any:
        """Ask a rule for its refusal; return the refusal's slug."""
        found = rule(self.state, *args)
        return REFUSALS[found]

    def step(self, key: str, to: Hex, dice: Iterable[int] = ()) -> str | None:
        """Take a step; return the slug of the refusal if there is one."""
        refusal = step_refusal(self.state, self.at(key), number(to))
        if not refusal:
            self.run(step, self.at(key), number(to), dice=dice)
        return REFUSALS[refusal]

    def turn(self, key: str, facing: int) -> str | None:
        refusal = turn_refusal(self.state, self.at(key))
        if not refusal:
            self.do(turn_to, self.at(key), facing)
        return REFUSALS[refusal]

    def play_turn(self, key: str, dice: Iterable[int]) -> None:
        self.run(play.play_turn, self.at(key), dice=dice)

    @property
    def events(self) -> tuple[Event, ...]:
        keys = [f"a{at + 1}" for at in range(self.count_a)]
        keys += [f"b{at + 1}" for at in range(len(self.state.units) - self.count_a)]
        return FACTS.events(self.log, keys, "round-began")

    def events_of(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.kind == kind]


def squad(name: str) -> tuple[str, ...]:
    """Return the Units of a sample squad, or the one Unit of that name."""
    return CATALOGUE.squads[name].units if name in CATALOGUE.squads else (name,)


def document(
    a: Sequence[Any],
    b: Sequence[Any],
    *,
    doctrines: tuple[str, str] = ("aggressive", "aggressive"),
    mission: Any = "elimination",
    terrain: str = "open-plain",
    **options: object,
) -> dict[str, Any]:
    """Return a set-up document of published designs or specs."""
    return {
        "muster": "setup/1",
        "system": "hex-core",
        "scenario": mission,
        "terrain": terrain,
        "options": {name.replace("_", "-"): value for name, value in options.items()},
        "sides": [
            {
                "name": name,
                "doctrine": doctrine,
                "units": [{"key": f"{letter}{at}", "design": design} for at, design in enumerate(units, start=1)],
            }
            for name, letter, doctrine, units in zip(("Red", "Blue"), "ab", doctrines, (a, b), strict=True)
        ],
    }


def setup(a: Sequence[Any], b: Sequence[Any], **given: Any) -> Setup:
    """Return the set-up read from `document`."""
    return read_setup(document(a, b, **given))
