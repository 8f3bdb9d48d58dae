"""What the rules say of a unit as it is built and damaged, worked out once a process: rosters are full of the same.

It rests on nothing but the rule system, the release of its catalogue, the build and the damage, which are the key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from systems import roster_rules
from systems.ledger import WOUNDED, PilotRecord
from systems.legality import BillLine, Check
from systems.releases import FIRST

KEPT = 4096  # the longest companies of a large house, a few hundred bytes each


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A build in its condition, by its rules."""

    spec: object  # as the rule system has it
    check: Check
    size: str
    size_name: str
    armor: int | None
    hits: int
    hits_left: int
    state: tuple[tuple[str, str], ...]  # label and value of what is wrong with it beside its hits
    damage: tuple[BillLine, ...]  # what a repair would cost, part by part
    needs_pilot: bool
    is_resting: bool
    resting: str  # why, in a few words; empty: it isn't
    is_own_pilot: bool

    def stays_home(self, pilot: PilotRecord | None) -> bool:
        """Whether it rests, or is the one that is wounded: a pilot's wound keeps no other unit at home, for another may sit
        there."""
        return self.is_resting or (self.is_own_pilot and pilot is not None and pilot.status == WOUNDED)


def reading_of(
    system: str, spec: Mapping[str, object], condition: Mapping[str, object], release: str = FIRST
) -> Reading:
    """What the system says of a build in that condition, by that release of its catalogue; raises DocumentError."""
    return _read(system, release, json.dumps(spec), json.dumps(condition))


@lru_cache(maxsize=KEPT)
def _read(system: str, release: str, spec_text: str, condition_text: str) -> Reading:
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
