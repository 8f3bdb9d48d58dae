"""The toy as the engine meets it."""

from collections.abc import Mapping, Sequence
from typing import Any

from systems.battle import BattleSystem
from systems.documents import DocumentError, unknown_slug
from systems.engine.dice import Dice, Log
from systems.engine.events import Outcome, UnitOutcome
from systems.engine.facts import Fact, Facts, part, shows
from systems.hand import HandTerms
from systems.legality import Check
from systems.setups import Setup, SetupSide, SetupUnit
from systems.situation import Situation, UnitView

from . import rules
from .roster import HITS, POINTS, ToyRosters
from .state import SIDE_GONE, Battle, State, Unit

ROSTERS = ToyRosters()
PACKAGE = "tests.systems.toy"
STEPS = {"start": "Start", "fight": "Fight", "end": "End"}
FACTS = Facts(
    Fact("round-began", "TY-001", "start", "number", "A round begins."),
    Fact("moved", "TY-001", "fight", "unit place", "{unit} walks to {place} inches."),
    Fact(
        "struck", "TY-001", "fight", "unit target face left", "{unit} strikes at {target}: {left} left.",
        effect=shows("target", hits=part("left"), destroyed=lambda event: event.number("left") <= 0),
    ),
    Fact("ended", "TY-001", "end", "winner reason", "The battle is over."),
)  # fmt: skip


def kind_of(unit: SetupUnit) -> str:
    return unit.design if isinstance(unit.design, str) else ROSTERS.parse_spec(unit.design).kind


def fielded_units(setup: Setup) -> list[tuple[int, SetupUnit]]:
    return [(at, unit) for at, side in enumerate(setup.sides) for unit in side.units]


class ToyBattles(BattleSystem):
    slug = "toy"
    rules_version = 1
    records = f"{PACKAGE}.state"
    rules = (f"{PACKAGE}.rules", "systems.engine.ends", f"{PACKAGE}.tally")
    facts = FACTS
    steps: Mapping[str, str] = STEPS
    scenarios: Mapping[str, str] = {"skirmish": "Skirmish"}
    plain_scenario = "skirmish"
    terrains: Mapping[str, str] = {"carpet": "Carpet"}
    doctrines: Mapping[str, str] = {"charge": "Charge", "wait": "Wait"}
    forces: Mapping[str, Any] = {
        "red-box": {"name": "Red Box", "units": ["knight", "runner"]},
        "blue-box": {"name": "Blue Box", "units": ["runner", "runner"]},
    }
    hand = HandTerms(fields={"kills": "knock-outs", "hits_lost": "dents", "destroyed": "knocked out"}, hits="Dents")

    def check_setup(self, setup: Setup) -> None:
        if setup.scenario not in self.scenarios:
            raise unknown_slug("scenario", "scenario", str(setup.scenario), self.scenarios)
        if setup.terrain not in self.terrains:
            raise unknown_slug("terrain", "terrain", setup.terrain, self.terrains)
        for at, side in enumerate(setup.sides):
            if side.doctrine not in self.doctrines:
                raise unknown_slug(f"sides[{at}].doctrine", "doctrine", side.doctrine, self.doctrines)
            for place, unit in enumerate(side.units):
                path = f"sides[{at}].units[{place}]"
                if unit.pilot is not None:
                    raise DocumentError(f"{path}.pilot", "toys have no pilots")
                if kind_of(unit) not in HITS:
                    raise unknown_slug(f"{path}.design", "design", kind_of(unit), HITS)

    def prepare(self, setup: Setup) -> State:
        units = []
        for at, unit in fielded_units(setup):
            kind = kind_of(unit)
            doctrine = list(self.doctrines).index(setup.sides[at].doctrine)
            units.append(Unit(at, HITS[kind], HITS[kind], POINTS[kind], place=(0, 24)[at], doctrine=doctrine))
        return State(Battle(count=len(units)), units)

    def fight(self, state: State, dice: Dice, log: Log) -> None:
        rules.fight(state, dice, log)

    def outcome(self, setup: Setup, state: State) -> Outcome:
        b = state.battle
        units = tuple(
            UnitOutcome(
                key=unit.key,
                side=setup.sides[at].name,
                lost=end.hits <= 0,
                lost_by="hits" if end.hits <= 0 else None,
                killed_by=None,
                withdrew=False,
                hits=max(end.hits, 0),
                kills=end.kills,
            )
            for (at, unit), end in zip(fielded_units(setup), state.units, strict=True)
        )
        winner = setup.sides[b.winner].name if b.winner >= 0 else None
        reason = "one side left" if b.reason == SIDE_GONE else "round limit"
        return Outcome(winner=winner, draw=winner is None, reason=reason, rounds=b.round, units=units)

    def opening(self, setup: Setup) -> Situation:
        names = self.unit_names(setup)
        return Situation(
            tuple(
                UnitView(unit.key, names[unit.key], at, kind_of(unit), HITS[kind_of(unit)], HITS[kind_of(unit)])
                for at, unit in fielded_units(setup)
            )
        )

    def unit_names(self, setup: Setup) -> Mapping[str, str]:
        return {
            unit.key: f"{unit.name or kind_of(unit).title()} {unit.key.upper()}" for _, unit in fielded_units(setup)
        }

    def fielded(self, setup: Setup) -> tuple[tuple[str, int], ...]:
        return tuple((unit.key, at) for at, unit in fielded_units(setup))

    def worths(self, setup: Setup) -> Mapping[str, int]:
        return {unit.key: POINTS[kind_of(unit)] for _, unit in fielded_units(setup)}

    def terms(self, scenario: Any) -> None:
        return None

    def place_title(self, setup: Setup) -> str:
        return "on the carpet"

    def ground_told(self, setup: Setup) -> str:
        return "Carpet"

    def check_side(
        self,
        scenario: Any,
        side: int,
        units: Sequence[SetupUnit],
        support: Sequence[str],
        options: Mapping[str, object],
    ) -> Check:
        return Check(sum(POINTS[kind_of(unit)] for unit in units))

    def example(self) -> Setup:
        sides = [
            SetupSide(name=name, doctrine="charge", units=(SetupUnit(key=key, design="knight"),))
            for name, key in (("Attacker", "a1"), ("Defender", "b1"))
        ]
        return Setup(muster="setup/1", system="toy", scenario="skirmish", terrain="carpet", sides=(sides[0], sides[1]))
