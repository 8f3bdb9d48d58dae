"""Meks & Mercs as the engine meets it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from battles.documents import Setup, SetupSide, SetupUnit
from battles.engine.dice import Dice, Log
from battles.engine.events import Event, Outcome, decode
from battles.systems.base import BattleSystem, Situation, Trial
from battles.systems.meks_and_mercs import events, luck, notes, replay, scenario_setup, setup
from battles.systems.meks_and_mercs.rules import game
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
        f"{PACKAGE}.doctrine_map",
        f"{PACKAGE}.rules.contact",
        f"{PACKAGE}.rules.detection",
        f"{PACKAGE}.rules.fire",
        f"{PACKAGE}.rules.damage",
        f"{PACKAGE}.rules.support",
        f"{PACKAGE}.rules.zone_battle",
        f"{PACKAGE}.rules.movement_phase",
        f"{PACKAGE}.rules.victory",
        f"{PACKAGE}.rules.game",
        f"{PACKAGE}.tally",
    )
    doctrines = setup.DOCTRINES
    scenarios = setup.SCENARIOS
    terrains: Mapping[str, str] = {terrain.slug: terrain.name for terrain in CATALOGUE.terrain.values()} | {
        setup.PRINTED: "As printed"
    }
    bands = events.BANDS

    def check_setup(self, given: Setup) -> None:
        if setup.scenario_of(given) is not None:
            scenario_setup.check_game(given)
        else:
            setup.check_setup(given)

    def prepare(self, given: Setup) -> State:
        if setup.scenario_of(given) is not None:
            return scenario_setup.prepare_game(given)
        return setup.prepare(given)

    def fight(self, state: State, dice: Dice, log: Log) -> None:
        game.fight(state, dice, log)

    def events(self, given: Setup, log: Log) -> tuple[Event, ...]:
        keys = [key for key, _side in self.fielded(given)]
        if setup.scenario_of(given) is None:
            return decode(log, events.EVENTS, keys, notes.ROUND_BEGAN)
        return decode(log, events.EVENTS, [*keys, events.OFF_BOARD, events.MINES], notes.TURN_BEGAN)

    def outcome(self, given: Setup, state: State) -> Outcome:
        return setup.outcome(given, state)

    def opening(self, given: Setup) -> Situation:
        return replay.opening(given)

    def follow(self, situation: Situation, event: Event) -> Situation:
        return replay.follow(situation, event)

    def narrator(self, given: Setup) -> Callable[[Event], str]:
        names = dict(self.unit_names(given)) | events.OFF_MAP_NAMES
        units = {fielded.unit.key: fielded for fielded in setup.field_units(given)}
        weapons = {key: tuple(weapon.name for weapon in fielded.weapons) for key, fielded in units.items()}
        weapons[events.OFF_BOARD] = events.OFF_BOARD_WEAPONS
        sides = [side.name for side in given.sides]

        def tell(event: Event) -> str:
            if event.kind == "support-rolled" and event.unit and units[event.unit].role == "support":
                brought = scenario_setup.brought_by(int(event.result["support"] or 0))
                names[event.unit] = f"{brought.name} {event.unit.upper()}"
                weapons[event.unit] = tuple(CATALOGUE.weapons[slug].name for slug in brought.weapons)
            slot = event.result.get("slot")
            weapon = system = ""
            if isinstance(slot, int) and slot >= 0:
                # a save and a dodge speak of the attacker's weapon, everything else of the unit's own
                owner = (event.target if event.step == "damage" and event.target else event.unit) or ""
                if event.kind == "system-lost":
                    system = CATALOGUE.systems[units[owner].systems[slot]].name
                else:
                    weapon = weapons[owner][slot]
            if event.kind in events.MAP_SENTENCES:
                return events.map_sentence(event, names, sides, weapon)
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

    def fielded(self, given: Setup) -> tuple[tuple[str, int], ...]:
        return tuple((fielded.unit.key, fielded.side) for fielded in setup.field_units(given))

    def round_title(self, given: Setup, number: int) -> str:
        return f"{'Turn' if setup.scenario_of(given) is not None else 'Round'} {number}"

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
