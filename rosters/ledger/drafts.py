"""Drafts of the ledger entries of a game, made from the company's record at that time. This module uses no database.

Services write the drafts. For a ruling on an earlier match, they are made from the record at that match. Levels, skills
and fates are decided by the campaign rules, which pass plain facts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rosters.entries.company import Fought, Game, Kill, Returned
from rosters.entries.units_and_pilots import (
    Assigned,
    Damaged,
    Destroyed,
    Died,
    Experience,
    Promoted,
    Recovered,
    Repaired,
    SkillGained,
    SkillRolled,
    Unhurt,
    Wounded,
)
from rosters.ledger.projection import Projection
from systems.ledger import ACTIVE, READY, WOUNDED, CompanyRecord, Kind, PostedEntry, UnitRecord
from systems.report_fields import UnitFate
from systems.roster import RosterSystem
from systems.season import FateRoll, GameSide, SideAfter, UnitAfter

KIND_OF_FATE: Mapping[str, type[Kind]] = {"unhurt": Unhurt, "injured": Wounded, "killed": Died}
NOT_WRITTEN = 10**15  # first ID of entries that aren't written yet

Rules = RosterSystem[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """The result of a battle for a unit and its pilot."""

    unit: int | None  # None if it was bought only for this battle
    pilot: int | None
    name: str = ""  # name and spec, for a unit that doesn't belong to the company
    spec: Mapping[str, object] = field(default_factory=dict)
    fate: UnitFate = UnitFate()
    note: str = ""  # text that its game adds to the sentence that it fought
    recorded: Mapping[str, int] = field(default_factory=dict)  # numbers that its game adds to its record, by label
    # Its condition before and after the battle, in its game's format; parts that are missing are undamaged.
    began: Mapping[str, object] = field(default_factory=dict)
    after: Mapping[str, object] = field(default_factory=dict)
    wounded_by: str = ""  # name of the unit that wounded the pilot
    killed_by: str = ""  # name of the unit that destroyed it
    cause: str = ""  # what destroyed it, as text that follows "destroyed: "
    victims: tuple[str, ...] = ()  # names of the units it destroyed


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """The effects of a game on a company by the campaign rules, with the pilots who took part."""

    before: GameSide[object]
    after: SideAfter
    took_part: tuple[int, ...]  # IDs of pilots
    seed: int  # of the dice
    facts: Mapping[str, object]  # facts about the game, besides its income


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry that isn't written yet. `ref` is its cause reference, if that differs from the reference of its act."""

    kind: str
    unit: int | None = None
    pilot: int | None = None
    points: int = 0
    facts: Mapping[str, object] = field(default_factory=dict)
    reverses: int | None = None
    ref: str = ""

    def posted(self, number: int) -> PostedEntry:
        """Return the entry as if it were booked, for calculating the record."""
        return PostedEntry(
            id=number, kind=self.kind, unit=self.unit, pilot=self.pilot, points=self.points, facts=self.facts,
            reverses=self.reverses,
        )  # fmt: skip


class _Drafter:
    """Collects drafts, and keeps the company's state after them."""

    def __init__(self, record: CompanyRecord) -> None:
        self.projection = Projection(record)
        self.drafts: list[Draft] = []

    def write(
        self,
        kind: type[Kind],
        *,
        facts: Mapping[str, object],
        unit: int | None = None,
        pilot: int | None = None,
        points: int = 0,
    ) -> None:
        draft = Draft(kind=kind.slug, unit=unit, pilot=pilot, points=points, facts=facts)
        self.projection.take(draft.posted(NOT_WRITTEN + len(self.drafts)))
        self.drafts.append(draft)

    def empty_seat(self, unit: int, pilot: int) -> None:
        facts = {"from": self.projection.pilots[pilot].name, "to": None}
        self.write(Assigned, unit=unit, facts=facts)

    def seats_of(self, pilot: int) -> list[int]:
        return [unit.id for unit in self.projection.units.values() if unit.pilot == pilot]


def result_drafts(
    record: CompanyRecord,
    units: Sequence[UnitResult],
    *,
    rules: Rules,
    title: str = "",
    keeps_units: bool = True,
) -> list[Draft]:
    """Draft the effects of a battle on units and pilots.

    Pilots get games and kills even if they or their unit have left the roster since. A unit that has left keeps its
    state. Other units get their condition after the battle. If a unit was changed elsewhere since the battle started,
    the battle's damage and repairs are applied to its current condition, and its other damage stays.
    A wound is recorded, but a pilot whose Mek comes home is unhurt after the game.
    Neither damage nor losses are drafted if units are bought again for each game (`keeps_units` is False), or if the
    game decides about them in the aftermath.
    """
    drafter = _Drafter(record)
    about = {"battle": title} if title else {}
    for result in units:
        _draft_unit(drafter, result, rules, about, keeps_units and rules.keeps_damage)
    return drafter.drafts


def aftermath_drafts(record: CompanyRecord, aftermath: Aftermath, *, rules: Rules, title: str = "") -> list[Draft]:
    """Draft the effects of a game on pilots, units and balance; `record` already includes the result.

    Wounded pilots who didn't take part have missed their game and are fit again. Units and pilots that were lent for
    the game leave.
    """
    drafter = _Drafter(record)
    about = {"battle": title} if title else {}
    seed = {"seed": str(aftermath.seed)}
    before = {flight.key: flight.before for flight in aftermath.before.flights}
    pilots = [(int(flight.key), before[flight.key], flight) for flight in aftermath.after.flights]
    for pilot, was, _ in pilots:
        for skill in was.skills[len(record.pilots[pilot].skills) :]:  # earned earlier, but not chosen in time
            facts = {"skill": skill, "name": rules.skill_names[skill], "earned": True, "unasked": True}
            drafter.write(SkillGained, pilot=pilot, facts=facts)
    for known in list(drafter.projection.pilots.values()):
        if known.status == WOUNDED and known.id not in aftermath.took_part:
            drafter.write(Recovered, pilot=known.id, facts=about)
    for unit in aftermath.after.units:
        _draft_unit_after(drafter, unit, about, seed)
    for pilot, _, flight in pilots:
        if flight.fate:
            _draft_fate(drafter, pilot, flight.fate, {**about, **seed})
    for pilot, was, flight in pilots:
        if points := flight.after.points - was.points:
            drafter.write(Experience, pilot=pilot, facts={**about, "count": points})
    for pilot, was, flight in pilots:
        if flight.promoted:
            level = {"from": was.level, "to": flight.after.level, "name": rules.level_names[flight.after.level]}
            drafter.write(Promoted, pilot=pilot, facts={**about, **level})
    for pilot, _, flight in pilots:
        if roll := flight.skill:
            rolled = {"face": roll.face, "bonus": roll.bonus, "needed": roll.needed, "gained": roll.gained}
            drafter.write(SkillRolled, pilot=pilot, facts={**about, **seed, **rolled, "default": roll.default})
    _draft_game(drafter, aftermath, about)
    _draft_returns(drafter, about)
    return drafter.drafts


def _draft_game(drafter: _Drafter, aftermath: Aftermath, about: Mapping[str, str]) -> None:
    takings = aftermath.after.takings
    booking = {
        "result": aftermath.before.result,
        "season_points": takings.season_points,
        "income": takings.income,
        "repaid": takings.repaid,
        "gifts": list(takings.gifts),
        **({"lapsed": takings.lapsed} if takings.lapsed else {}),
        "seed": str(aftermath.seed),
    }
    points = takings.income - takings.repaid + sum(takings.gifts) - takings.lapsed
    drafter.write(Game, points=points, facts={**about, **booking, **aftermath.facts})


def _draft_unit(
    drafter: _Drafter, result: UnitResult, rules: Rules, about: Mapping[str, str], keeps_units: bool
) -> None:
    lost = {"lost": True, **_loss(result)} if result.fate.is_lost else {}
    note = {"told": result.note} if result.note else {}
    recorded = {"recorded": dict(result.recorded)} if result.recorded else {}
    flew = {"in": result.name} if result.unit is None else {}
    drafter.write(Fought, unit=result.unit, pilot=result.pilot, facts={**about, **flew, **lost, **note, **recorded})
    if result.fate.kills:
        kills = {**about, "count": result.fate.kills, "victims": list(result.victims)}
        drafter.write(Kill, unit=result.unit, pilot=result.pilot, facts=kills)
    if result.pilot is not None and "wounded" in result.fate:
        by = {"by": result.wounded_by} if result.wounded_by else {}
        drafter.write(Wounded, pilot=result.pilot, unit=result.unit, facts={**about, **by})
    if keeps_units and result.unit is not None and drafter.projection.units[result.unit].status == READY:
        _draft_damage(drafter, drafter.projection.units[result.unit], result, rules, about)


def _loss(result: UnitResult) -> dict[str, str]:
    return {"by": result.killed_by, **({"cause": result.cause} if result.cause else {})}


def _draft_damage(
    drafter: _Drafter, unit: UnitRecord, result: UnitResult, rules: Rules, about: Mapping[str, str]
) -> None:
    spec = rules.parse_spec(unit.spec)
    if result.fate.is_lost and not rules.loss_is_final(spec):
        return
    # A lost unit keeps its condition after the battle, even if it was changed elsewhere meanwhile.
    home = (
        result.after if result.fate.is_lost else rules.condition_home(spec, result.began, result.after, unit.condition)
    )
    facts = {**about, "from": unit.condition, "to": home}
    if result.fate.is_lost:
        drafter.write(Destroyed, unit=unit.id, facts={**facts, **_loss(result)})
        if unit.pilot is not None:
            drafter.empty_seat(unit.id, unit.pilot)
    elif sum(line.points for line in rules.repair_bill(spec, home)) < sum(
        line.points for line in rules.repair_bill(spec, unit.condition)
    ):
        drafter.write(Repaired, unit=unit.id, facts={**facts, "told": "was mended"})
    elif home != unit.condition:
        drafter.write(Damaged, unit=unit.id, facts=facts)


def _draft_unit_after(drafter: _Drafter, after: UnitAfter, about: Mapping[str, str], seed: Mapping[str, str]) -> None:
    unit = drafter.projection.units[int(after.key)]
    if unit.status != READY:
        return
    rolled = {**seed, "face": after.face} if after.face else {}
    facts = {**about, "told": after.phrase, **rolled, "from": unit.condition, "to": dict(after.condition or {})}
    if after.condition is not None:
        drafter.write(Damaged if after.condition else Repaired, unit=unit.id, facts=facts)
        return
    drafter.write(Destroyed, unit=unit.id, facts=facts)
    if unit.pilot is not None:
        drafter.empty_seat(unit.id, unit.pilot)


def _draft_returns(drafter: _Drafter, about: Mapping[str, object]) -> None:
    for unit in list(drafter.projection.units.values()):
        if unit.lent and unit.status == READY:
            drafter.write(Returned, unit=unit.id, facts=about)
    for pilot in list(drafter.projection.pilots.values()):
        if pilot.lent and pilot.status in (ACTIVE, WOUNDED):
            drafter.write(Returned, pilot=pilot.id, facts=about)


def _draft_fate(drafter: _Drafter, pilot: int, rolled: FateRoll, about: Mapping[str, str]) -> None:
    facts = {**about, "face": rolled.face, "exploded": rolled.exploded}
    if rolled.fate == "injured":
        facts["misses"] = 1
    elif rolled.fate == "killed":
        for seat in drafter.seats_of(pilot):
            drafter.empty_seat(seat, pilot)
    drafter.write(KIND_OF_FATE[rolled.fate], pilot=pilot, facts=facts)
