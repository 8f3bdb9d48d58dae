"""Meks & Mercs as the engine meets it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from battles.documents import Setup, SetupSide, SetupUnit
from battles.engine.dice import Dice, Log
from battles.engine.events import Event, Outcome, decode
from battles.systems.base import BattleSystem, Situation, Trial
from battles.systems.meks_and_mercs import events, luck, notes, replay, setup
from battles.systems.meks_and_mercs.rules import zone_battle
from battles.systems.meks_and_mercs.state import State
from rosters.systems.meks_and_mercs.catalogue import CATALOGUE

PACKAGE = "battles.systems.meks_and_mercs"


class MeksAndMercs(BattleSystem):
    slug = "meks-and-mercs"
    rules_version = 1
    records = f"{PACKAGE}.state"
    rules = (
        f"{PACKAGE}.rules.facts",
        f"{PACKAGE}.rules.firepower",
        f"{PACKAGE}.doctrine",
        f"{PACKAGE}.rules.contact",
        f"{PACKAGE}.rules.detection",
        f"{PACKAGE}.rules.fire",
        f"{PACKAGE}.rules.damage",
        f"{PACKAGE}.rules.zone_battle",
        f"{PACKAGE}.tally",
    )
    doctrines = setup.DOCTRINES
    scenarios = setup.SCENARIOS
    terrains: Mapping[str, str] = {terrain.slug: terrain.name for terrain in CATALOGUE.terrain.values()}
    bands = events.BANDS

    def check_setup(self, given: Setup) -> None:
        setup.check_setup(given)

    def prepare(self, given: Setup) -> State:
        return setup.prepare(given)

    def fight(self, state: State, dice: Dice, log: Log) -> None:
        zone_battle.fight(state, dice, log)

    def events(self, given: Setup, log: Log) -> tuple[Event, ...]:
        keys = [unit.key for side in given.sides for unit in side.units]
        return decode(log, events.EVENTS, keys, notes.ROUND_BEGAN)

    def outcome(self, given: Setup, state: State) -> Outcome:
        return setup.outcome(given, state)

    def opening(self, given: Setup) -> Situation:
        return replay.opening(given)

    def follow(self, situation: Situation, event: Event) -> Situation:
        return replay.follow(situation, event)

    def narrator(self, given: Setup) -> Callable[[Event], str]:
        names = self.unit_names(given)
        units = {fielded.unit.key: fielded for fielded in setup.field_units(given)}

        def tell(event: Event) -> str:
            slot = event.result.get("slot")
            weapon = system = ""
            if isinstance(slot, int) and slot >= 0:
                # a save and a dodge speak of the attacker's weapon, everything else of the unit's own
                owner = units[(event.target if event.step == "damage" and event.target else event.unit) or ""]
                if event.kind == "system-lost":
                    system = CATALOGUE.systems[owner.systems[slot]].name
                else:
                    weapon = owner.weapons[slot].name
            return events.sentence(event, names, weapon, system)

        return tell

    def step_title(self, step: str) -> str:
        return events.STEPS[step]

    def unit_names(self, given: Setup) -> Mapping[str, str]:
        units = setup.field_units(given)
        same = Counter(fielded.name for fielded in units)
        return {
            fielded.unit.key: fielded.name if same[fielded.name] == 1 else f"{fielded.name} {fielded.unit.key.upper()}"
            for fielded in units
        }

    def worths(self, given: Setup) -> Mapping[str, int]:
        return {fielded.unit.key: setup.worth(fielded, given) for fielded in setup.field_units(given)}

    def trial(self, given: Setup, event: Event) -> Trial | None:
        return luck.trial_of(event, given)

    def example(self) -> Setup:
        return Setup(
            muster="setup/1",
            system=self.slug,
            scenario=setup.ZONE_BATTLE,
            terrain="plain",
            sides=(
                SetupSide(name="Attacker", doctrine="aggressive", units=(SetupUnit(key="a1", design="wasp"),)),
                SetupSide(name="Defender", doctrine="cautious", units=(SetupUnit(key="d1", design="draken"),)),
            ),
        )


SYSTEM = MeksAndMercs()
