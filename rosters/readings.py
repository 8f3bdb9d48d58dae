"""Facts that the rules give for a unit's spec and damage, cached per process, because rosters have many equal units.

They depend only on the rule system, its catalogue version, the spec and the damage, which are the cache key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from systems import roster_rules
from systems.ledger import WOUNDED, PilotRecord
from systems.legality import BillLine, Check
from systems.releases import FIRST_RELEASE

READINGS_CACHE_SIZE = 4096  # the longest companies of a large site, a few hundred bytes each


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The facts about a spec in its condition, by its rules."""

    spec: object  # as parsed by the rule system
    check: Check
    size: str
    size_name: str
    armor: int | None
    hits: int
    hits_left: int
    state: tuple[tuple[str, str], ...]  # label and value of everything wrong with it besides lost hits
    damage: tuple[BillLine, ...]  # what a repair would cost, part by part
    needs_pilot: bool
    is_resting: bool
    resting: str  # why, in a few words; empty: it isn't
    is_own_pilot: bool

    def stays_home(self, pilot: PilotRecord | None) -> bool:
        """Return whether it rests, or is its own pilot and wounded: other units can get another pilot."""
        return self.is_resting or (self.is_own_pilot and pilot is not None and pilot.status == WOUNDED)


def reading_of(
    system: str, spec: Mapping[str, object], condition: Mapping[str, object], release: str = FIRST_RELEASE
) -> Reading:
    """Return the facts about a spec in that condition, by that catalogue version; raises DocumentError."""
    return _cached_reading(system, release, json.dumps(spec), json.dumps(condition))


@lru_cache(maxsize=READINGS_CACHE_SIZE)
def _cached_reading(system: str, release: str, spec_text: str, condition_text: str) -> Reading:
    rules, given, condition = roster_rules(system, release), json.loads(spec_text), json.loads(condition_text)
    spec = rules.parse_spec(given)
    sheet = rules.datasheet(spec, name="", design_name="", condition=condition)
    is_resting = rules.is_resting(condition)
    return Reading(
        spec=spec,
        check=rules.check_design(spec),
        size=sheet.size,
        size_name=sheet.size_name,
        armor=sheet.armor,
        hits=sheet.hits,
        hits_left=sheet.hits_left,
        state=sheet.state,
        damage=rules.repair_bill(spec, condition),
        needs_pilot=rules.needs_pilot(given),
        is_resting=is_resting,
        is_own_pilot=rules.is_own_pilot(spec),
        resting=rules.describe_condition(condition) if is_resting else "",
    )
