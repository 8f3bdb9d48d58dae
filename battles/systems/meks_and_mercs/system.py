"""Meks & Mercs as the engine meets it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from battles.documents import Setup
from battles.engine.dice import Dice, Log
from battles.engine.events import Event, Outcome, decode
from battles.systems.base import BattleSystem, Situation
from battles.systems.meks_and_mercs import events, notes, replay, setup
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

    def sentence(self, given: Setup, event: Event, names: Mapping[str, str]) -> str:
        slot = event.result.get("slot")
        weapon = system = ""
        if isinstance(slot, int):
            # a save speaks of the attacker's weapon, everything else of the unit's own
            owner = event.target if event.kind in ("save-rolled", "attack-dodged") else event.unit
            fielded = _fielded(given)[owner or ""]
            if event.kind == "system-lost":
                system = CATALOGUE.systems[fielded.systems[slot]].name
            elif slot >= 0:
                weapon = fielded.weapons[slot].name
        return events.sentence(event, names, weapon, system)

    def step_title(self, step: str) -> str:
        return events.STEPS[step]

    def unit_name(self, given: Setup, key: str) -> str:
        return _fielded(given)[key].name


@lru_cache(maxsize=64)
def _fielded_cached(text: str) -> dict[str, setup.Fielded]:
    given = Setup.model_validate_json(text)
    return {fielded.unit.key: fielded for fielded in setup.field_units(given)}


def _fielded(given: Setup) -> dict[str, setup.Fielded]:
    return _fielded_cached(given.model_dump_json())


SYSTEM = MeksAndMercs()
