"""Toy Soldiers' battles: SYSTEM for the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from systems.battle import BattleSystem
from systems.battle_display import Situation, UnitView
from systems.catalogue import FIRST_RELEASE, load_forces, load_versions
from systems.documents import DocumentError, unknown_slug
from systems.engine.dice import Dice, Log
from systems.engine.events import Outcome, UnitOutcome
from systems.legality import Check
from systems.setups import Setup, SetupSide, SetupUnit
from tests.toy.battle import events, rules
from tests.toy.battle.state import SIDE_GONE, Battle, State, Unit
from tests.toy.build import HAND, ToyRosters
from tests.toy.build import SYSTEM as ROSTERS
from tests.toy.catalogue import Toy

PACKAGE = "tests.toy.battle"


def fielded_units(setup: Setup) -> list[tuple[int, SetupUnit]]:
    return [(at, unit) for at, side in enumerate(setup.sides) for unit in side.units]


class ToyBattles(BattleSystem):
    slug = "toy"
    versions = load_versions(Path(__file__).with_name("versions.toml"))
    rules_version = versions[-1].number
    records = f"{PACKAGE}.state"
    rules = (f"{PACKAGE}.rules", "systems.engine.ends", f"{PACKAGE}.tally")
    facts = events.FACTS
    steps: Mapping[str, str] = events.STEPS
    scenarios: Mapping[str, str] = {"skirmish": "Skirmish"}
    plain_scenario = "skirmish"
    terrains: Mapping[str, str] = {"carpet": "Carpet"}
    doctrines: Mapping[str, str] = {"charge": "Charge", "wait": "Wait"}
    forces = load_forces(Path(__file__).parents[1])
    hand = HAND

    def __init__(self, rosters: ToyRosters = ROSTERS) -> None:
        self.rosters = rosters

    def toy_of(self, unit: SetupUnit, release: str, path: str = "units") -> Toy:
        """Return the kind of a unit. Raise DocumentError for a kind that the release doesn't have or, by its slug, doesn't offer any more."""
        rosters = self.rosters.of(release)
        if not isinstance(unit.design, str):
            return rosters.parse_spec(unit.design, f"{path}.design").toy
        if unit.design not in rosters.published:
            raise unknown_slug(f"{path}.design", "design", unit.design, rosters.published)
        return rosters.published[unit.design].spec.toy

    def check_setup(self, setup: Setup) -> None:
        if not isinstance(setup.scenario, str) or setup.scenario not in self.scenarios:
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
                self.toy_of(unit, setup.catalogue_release, path)

    def prepare(self, setup: Setup) -> State:
        units = []
        for at, unit in fielded_units(setup):
            toy = self.toy_of(unit, setup.catalogue_release)
            doctrine = list(self.doctrines).index(setup.sides[at].doctrine)
            units.append(Unit(at, toy.hits, toy.hits, toy.points, place=(0, 24)[at], doctrine=doctrine))
        return State(Battle(count=len(units)), units)

    def begin(self, state: State, dice: Dice, log: Log) -> None:
        rules.begin(state, dice, log)

    def go_on(self, state: State, dice: Dice, log: Log) -> bool:
        return rules.go_on(state, dice, log)

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
        toys = [(at, unit.key, self.toy_of(unit, setup.catalogue_release)) for at, unit in fielded_units(setup)]
        return Situation(tuple(UnitView(key, names[key], at, toy.counter, toy.hits, toy.hits) for at, key, toy in toys))

    def unit_names(self, setup: Setup) -> Mapping[str, str]:
        return {
            unit.key: f"{unit.name or self.toy_of(unit, setup.catalogue_release).name} {unit.key.upper()}"
            for _, unit in fielded_units(setup)
        }

    def fielded(self, setup: Setup) -> tuple[tuple[str, int], ...]:
        return tuple((unit.key, at) for at, unit in fielded_units(setup))

    def worths(self, setup: Setup) -> Mapping[str, int]:
        return {unit.key: self.toy_of(unit, setup.catalogue_release).points for _, unit in fielded_units(setup)}

    def check_side(
        self,
        scenario: Any,
        side: int,
        units: Sequence[SetupUnit],
        support: Sequence[str],
        options: Mapping[str, object],
        release: str = FIRST_RELEASE,
    ) -> Check:
        return Check(sum(self.toy_of(unit, release).points for unit in units))

    def example(self) -> Setup:
        sides = [
            SetupSide(name=name, doctrine="charge", units=(SetupUnit(key=key, design="knight"),))
            for name, key in (("Attacker", "a1"), ("Defender", "b1"))
        ]
        return Setup(muster="setup/1", system="toy", scenario="skirmish", terrain="carpet", sides=(sides[0], sides[1]))


SYSTEM = ToyBattles()
