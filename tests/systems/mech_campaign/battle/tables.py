"""Small battles for tests: units placed by the test, on a table with its terrain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from systems.engine.dice import Log, ScriptedDice
from systems.engine.events import Event
from systems.mech_campaign.battle.events import FACTS
from systems.mech_campaign.battle.initial_state import BattleUnit, StartPosition, build_state
from systems.mech_campaign.battle.rules.scenarios import disc_radius
from systems.mech_campaign.battle.state import AWAY, DEAD, HILL, NOBODY, RUBBLE, TABLE, UNDER, WORKS, Disc, State, Unit
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.options import Options
from systems.reading import read_setup
from systems.setups import Setup

DISCS = {"rubble": RUBBLE, "hill": HILL, "works": WORKS}
STATUS = {"table": TABLE, "away": AWAY, "under": UNDER, "dead": DEAD}
WORDS = {code: word for word, code in STATUS.items()}
REFUSALS = [None, *(slug for slug, entry in CATALOGUE.refusals.items() if entry.of == "action")]
FORCES: Mapping[str, list[str]] = {
    "line-lance": ["heavy-mech"] * 2 + ["light-mech"] * 2 + ["track"],
    "picket": ["heavy-mech"] * 2 + ["light-mech"] * 2 + ["drone", "gun-sentry"],
    "scouts": ["heavy-mech"] + ["light-mech"] * 3 + ["drone"],
    "hammer": ["heavy-mech"] * 3 + ["light-mech", "gun-sentry"],
    "rock-rats": ["heavy-mech"] + ["light-mech"] * 2 + ["track"] * 2,
    "skeleton": ["heavy-mech"] + ["light-mech"] * 2 + ["track"],
}
Sketch = Mapping[str, Any]  # kind, pos, face, damage, status, suppression


def unit(kind: str = "heavy-mech", x: int = 1800, y: int = 600, **more: Any) -> dict[str, Any]:
    """Return a unit on the table; lengths in hundredths of an inch."""
    return {"kind": kind, "pos": [x, y], **more}


def disc(kind: str, x: int, y: int) -> Disc:
    return Disc(DISCS[kind], x, y, disc_radius(DISCS[kind]))


def _unit_documents(sketch: Sketch, side: int) -> BattleUnit:
    x, y = sketch.get("pos") or (0, 0)
    face_x, face_y = sketch.get("face") or (0, 1 - 2 * side)
    return BattleUnit(
        sketch.get("kind", "heavy-mech"),
        sketch.get("damage", 0),
        StartPosition(STATUS[sketch.get("status", "table")], x, y, face_x, face_y),
    )


class Table:
    """A battle in the middle of a turn; `a` is the side whose turn it is."""

    def __init__(
        self,
        a: Sequence[Sketch],
        b: Sequence[Sketch] = (),
        *,
        terrain: Sequence[Disc] = (),
        doctrines: tuple[str, str] = ("aggressive", "aggressive"),
        scenario: str = "claim-dispute",
        turn: int = 4,
        turn_limit: int | None = None,
        points: int = 20,
        **options: object,
    ) -> None:
        terms = CATALOGUE.scenarios[scenario]
        if turn_limit:
            terms = replace(terms, turn_limit=turn_limit)
        named = {name.replace("_", "-"): value for name, value in options.items()}
        forces = [[_unit_documents(sketch, side) for sketch in force] for side, force in enumerate((a, b))]
        self.state: State = build_state(forces, doctrines, terms, Options.read(named), terrain)
        self.state.battle.turn = turn
        self.state.battle.points = points
        self.count_a = len(a)
        for unit, sketch in zip(self.state.units, [*a, *b], strict=True):
            unit.suppression = sketch.get("suppression", 0)

    def at(self, key: str) -> int:
        """Return the index of a unit in the state: "a1" is the first of side A."""
        return int(key[1:]) - 1 + (self.count_a if key[0] == "b" else 0)

    def __getitem__(self, key: str) -> Unit:
        return self.state.units[self.at(key)]

    def mark(self, key: str, lock: str) -> Table:
        """Put a lock marker on a unit, placed by another; return the table."""
        self[key].lock = self.at(lock)
        return self

    def play(self, step: Callable[..., Any], *given: object, faces: Iterable[int] = ()) -> Any:
        """Run a step that rolls exactly these dice; return its result, with its events in `events`."""
        log: Log = []
        dice = ScriptedDice(faces)
        found = step(self.state, *given, dice, log)
        assert not dice.faces, f"dice left over: {dice.faces}"
        self.events = self.events_from(log)
        return found

    def run_step(self, step: Callable[..., Any], *given: object) -> Any:
        """Run a step that rolls no dice and keeps a log; return its result."""
        log: Log = []
        found = step(self.state, *given, log)
        self.events = self.events_from(log)
        return found

    def events_from(self, log: Log) -> tuple[Event, ...]:
        """Return the notes as events; units are named "a1", "b1" and so on."""
        b = self.state.battle
        keys = [f"a{at + 1}" for at in range(b.count_a)] + [f"b{at + 1}" for at in range(b.count_b)]
        return FACTS.events(log, keys, "turn-began")

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


class LedgerDice:
    """The test dice of the ledger's section 6.10."""

    def __init__(self, seed: int) -> None:
        self.number = seed
        self.rolled: list[int] = []

    def face(self, sides: int) -> int:
        self.number = 48271 * self.number % 2147483647
        self.rolled.append(1 + sides * self.number // 2147483647)
        return self.rolled[-1]

    def choice(self, count: int) -> int:
        raise AssertionError("this system makes no choices by chance")


def side_of(code: int) -> str:
    """Return the letter of a side, "draw" for none."""
    return "draw" if code == NOBODY else "AB"[code]


def document(
    a: str | Sequence[Any] = "line-lance",
    b: str | Sequence[Any] = "line-lance",
    *,
    doctrines: tuple[str, str] = ("aggressive", "cautious"),
    scenario: Any = "claim-dispute",
    terrain: str = "rolled",
    options: Mapping[str, object] | None = None,
) -> dict[str, Any]:
    """Return a set-up document; a force is a sample force's name, kinds of units, or units."""
    sides = []
    for name, letter, force, doctrine in zip(("Red", "Blue"), "ab", (a, b), doctrines, strict=True):
        units = FORCES[force] if isinstance(force, str) else force
        sides.append(
            {
                "name": name,
                "doctrine": doctrine,
                "units": [
                    {"key": f"{letter}{place}", **({"design": unit} if isinstance(unit, str) else unit)}
                    for place, unit in enumerate(units, start=1)
                ],
            }
        )
    return {
        "muster": "setup/1",
        "system": "mech-campaign",
        "scenario": scenario,
        "terrain": terrain,
        "options": dict(options or {}),
        "sides": sides,
    }


def setup(*forces: Any, **given: Any) -> Setup:
    return read_setup(document(*forces, **given))
