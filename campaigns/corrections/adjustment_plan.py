"""Plan the ledger entries of a ruling on a company. Reads the request; writes no rows."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import pydantic

from campaigns.army_lists.legality import company_value, limit_of
from campaigns.corrections.effects import Change, record_changes
from campaigns.models import Enrolment
from rosters import hooks
from rosters.entries import units_and_pilots
from rosters.entries.company import Adjusted, Reinstated, Restored, Taken
from rosters.ledger.drafts import NOT_WRITTEN, Draft
from rosters.ledger.projection import Projection, describe_entry, plain, project_entries
from rosters.ledger.records import company_entries
from rosters.models import Company
from rosters.services import RefusedError
from rosters.services.base import clean_text, free_name
from rosters.services.companies import MAX_PILOTS
from rosters.services.units import MAX_UNITS
from systems import roster_rules
from systems.documents import Document, DocumentError
from systems.ledger import (
    ACTIVE,
    DEAD,
    DESTROYED,
    READY,
    RETIRED,
    WOUNDED,
    CompanyRecord,
    Kind,
    PilotRecord,
    Subject,
    UnitRecord,
)
from systems.roster import AnyRoster
from systems.setups import canonical
from systems.text import pluralize

AdjustmentKind = Literal[
    "points", "grant-unit", "take-unit", "destroy-unit", "restore-unit", "repair-unit", "harm-unit",
    "grant-pilot", "wound-pilot", "heal-pilot", "kill-pilot", "return-pilot", "experience", "promote", "skill",
]  # fmt: skip
MAX_ADJUSTMENTS = 40  # in one ruling
MAX_POINTS = 1000  # points or experience, given or taken at once
Number = Annotated[int, pydantic.Field(ge=1, le=2**53)]
Count = Annotated[int, pydantic.Field(ge=-100_000, le=100_000)]
Slug = Annotated[str, pydantic.Field(min_length=1, max_length=40)]

FIELDS_BY_KIND: Mapping[str, tuple[str, ...]] = {  # the fields of each; those in brackets are optional
    "points": ("count",),
    "grant-unit": ("design", "(name)"),
    "take-unit": ("unit",),
    "destroy-unit": ("unit",),
    "restore-unit": ("unit",),
    "repair-unit": ("unit",),
    "harm-unit": ("unit", "count"),
    "grant-pilot": ("name", "(callsign)", "level"),
    "wound-pilot": ("pilot",),
    "heal-pilot": ("pilot",),
    "kill-pilot": ("pilot",),
    "return-pilot": ("pilot",),
    "experience": ("pilot", "count"),
    "promote": ("pilot", "level"),
    "skill": ("pilot", "skill"),
}


class Adjustment(Document):
    """One change that the ruling makes. `count`: points or experience (negative allowed), or the damage to a unit."""

    what: AdjustmentKind
    unit: Number | None = None  # id of a unit of the company
    pilot: Number | None = None  # id of a pilot of the company
    count: Count | None = None
    design: Slug | None = None  # of a published design
    name: Annotated[str, pydantic.Field(max_length=60)] | None = None
    callsign: Annotated[str, pydantic.Field(max_length=30)] | None = None
    level: Slug | None = None
    skill: Slug | None = None


def validate_adjustments(asked: Sequence[Adjustment]) -> tuple[Adjustment, ...]:
    """Return the adjustments if each has exactly the fields that go with it. Raise DocumentError otherwise."""
    if not asked:
        raise DocumentError("adjustments", "are missing. Choose at least one")
    if len(asked) > MAX_ADJUSTMENTS:
        raise DocumentError("adjustments", f"are more than {MAX_ADJUSTMENTS}. Make two rulings")
    for at, each in enumerate(asked):
        needs = FIELDS_BY_KIND[each.what]
        given = each.model_dump(exclude_none=True, exclude={"what"})
        known = [name.strip("()") for name in needs]
        for name in needs:
            if name in known and name not in given:
                raise DocumentError(f"adjustments[{at}].{name}", f"is required for {each.what!r}")
        for name in given:
            if name not in known:
                raise DocumentError(f"adjustments[{at}].{name}", f"is not allowed for {each.what!r}")
    return tuple(asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewUnit:
    """A unit that the ruling grants; its row is not written yet."""

    name: str
    design_name: str
    spec: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPilot:
    name: str
    callsign: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustmentPreview:
    """Everything that a ruling on a company would do. `token` identifies the state it was made from."""

    company: str
    sentences: tuple[str, ...]  # the ledger entries as sentences
    changes: tuple[Change, ...]
    notes: tuple[str, ...]
    balance_before: int
    balance_after: int
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustmentPlan:
    """A preview with the entries to write. Entries refer to new units and pilots by negative numbers."""

    preview: AdjustmentPreview
    drafts: tuple[Draft, ...]
    units: Mapping[int, NewUnit]
    pilots: Mapping[int, NewPilot]


def adjustment_plan(enrolment: Enrolment, asked: Sequence[Adjustment]) -> AdjustmentPlan:
    """Build the plan. Raise RefusedError, with the place of the adjustment, if something isn't possible.

    Entries name the campaign but not the reason, which stays with the ruling: a ledger never changes, and a reason may
    name somebody who later leaves.
    """
    return _Planner(enrolment).plan(asked)


def locked_by_matches_reason(company: Company) -> str:
    """Return why units and pilots can't be adjusted now (an undecided match holds some of them), or an empty string.

    All units and pilots are refused alike. Otherwise somebody could try one after the other to learn which are in a
    submitted list.
    """
    if any(hold.units or hold.pilots for hold in hooks.holds_on(company)):
        return (
            f"{company.name} has a submitted list in an undecided match. Until that is decided, you can "
            "adjust only its points."
        )
    return ""


@dataclass(slots=True)
class _DraftWriter:
    """A collection of drafts, and the company as it is after each of them."""

    projection: Projection
    rules: AnyRoster
    where: str  # the name of the campaign
    drafts: list[Draft] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)

    def write(
        self,
        kind: type[Kind],
        facts: Mapping[str, object] | None = None,
        *,
        unit: int | None = None,
        pilot: int | None = None,
        points: int = 0,
    ) -> None:
        why = {"reason": f"by a ruling in {self.where}"} if kind is Adjusted else {"adjusted": self.where}
        draft = Draft(kind=kind.slug, unit=unit, pilot=pilot, points=points, facts={**(facts or {}), **why})
        self.projection.take(draft.posted(NOT_WRITTEN + len(self.drafts)))
        self.projection.balance += points
        self.drafts.append(draft)
        self._describe(draft, points)

    def _describe(self, draft: Draft, points: int) -> None:
        unit = self.projection.units.get(draft.unit) if draft.unit is not None else None
        pilot = self.projection.pilots.get(draft.pilot) if draft.pilot is not None else None
        of_unit, of_pilot = (Subject(row.id, row.name) if row else None for row in (unit, pilot))
        bare = {name: value for name, value in draft.facts.items() if name not in ("adjusted", "reason")}
        sentence = plain(describe_entry(draft.kind, bare, of_unit, of_pilot, self.rules.words))
        if draft.kind == Adjusted.slug:
            sentence = "Balance"
        self.sentences.append(f"{sentence} ({points:+d})" if points else sentence)


class _Planner:
    def __init__(self, enrolment: Enrolment) -> None:
        self.enrolment, self.company = enrolment, enrolment.company
        self.rules: AnyRoster = roster_rules(self.company.system, self.company.catalogue_release)
        self.entries = company_entries(self.company)
        self.before = project_entries(self.entries)
        self.writer = _DraftWriter(Projection(self.before), self.rules, enrolment.campaign.name)
        self.units: dict[int, NewUnit] = {}
        self.pilots: dict[int, NewPilot] = {}
        self.at = 0

    def plan(self, asked: Sequence[Adjustment]) -> AdjustmentPlan:
        for self.at, each in enumerate(asked):
            ACTS[each.what](self, each)
        after = self.writer.projection.record()
        if after.balance < 0:
            has, money = self.before.balance, self.rules.words.money_after(self.before.games)
            raise RefusedError("adjustments", f"{self.company.name} has {pluralize(has, money)}. You can't take more.")
        return AdjustmentPlan(
            preview=self._preview(after, asked),
            drafts=tuple(self.writer.drafts),
            units=self.units,
            pilots=self.pilots,
        )

    def _preview(self, after: CompanyRecord, asked: Sequence[Adjustment]) -> AdjustmentPreview:
        known = replace(
            after,
            units={pk: row for pk, row in after.units.items() if pk in self.before.units},
            pilots={pk: row for pk, row in after.pilots.items() if pk in self.before.pilots},
        )
        newest = max((entry.id for entry in self.entries), default=0)
        state = [newest, self.enrolment.pk, [each.model_dump(mode="json") for each in asked]]
        return AdjustmentPreview(
            company=self.company.name,
            sentences=tuple(self.writer.sentences),
            changes=record_changes(self.company.name, self.company.pk, self.before, known, self.rules),
            notes=tuple(self._notes(after)),
            balance_before=self.before.balance,
            balance_after=after.balance,
            token=hashlib.sha256(canonical(state).encode()).hexdigest(),
        )

    def _notes(self, after: CompanyRecord) -> list[str]:
        """Return the consequences that the company's own numbers don't show."""
        campaign = self.enrolment.campaign
        given = sum(draft.points for draft in self.writer.drafts if draft.kind == Adjusted.slug)
        has, limit = company_value(self.company, after, campaign).total, limit_of(self.enrolment) + given
        notes = []
        if has > limit:
            notes.append(
                f"{self.company.name} would be worth {has} points, but {campaign.name} allows it {limit}. It "
                "keeps the excess but can't spend or field it."
            )
        if any(draft.pilot is None and draft.unit is None and draft.points < 0 for draft in self.writer.drafts):
            notes.append(f"The company's limit in {campaign.name} goes down by the points taken.")
        return notes

    # --- units and pilots of the company

    def refuse(self, name: str, reason: str) -> RefusedError:
        return RefusedError(f"adjustments[{self.at}].{name}", reason)

    def unit(self, asked: Adjustment, *states: str) -> UnitRecord:
        row = self.before.units.get(asked.unit or 0)
        now = self.writer.projection.units.get(asked.unit or 0)
        if row is None or now is None or row.lent:
            raise self.refuse("unit", f"{self.company.name} has no unit {asked.unit}.")
        if now.status not in states:
            raise self.refuse("unit", f"{now.name} is {now.status}.")
        if held := locked_by_matches_reason(self.company):
            raise self.refuse("unit", held)
        return now

    def pilot(self, asked: Adjustment, *states: str) -> PilotRecord:
        now = self.writer.projection.pilots.get(asked.pilot or 0)
        if now is None or now.id not in self.before.pilots or now.lent:
            raise self.refuse("pilot", f"{self.company.name} has no pilot {asked.pilot}.")
        if now.status not in states:
            raise self.refuse("pilot", f"{now.name} is {now.status}.")
        if held := locked_by_matches_reason(self.company):
            raise self.refuse("pilot", held)
        return now

    # --- points and units

    def points(self, asked: Adjustment) -> None:
        count = asked.count or 0
        if not count or abs(count) > MAX_POINTS:
            raise self.refuse("count", f"must be a number from -{MAX_POINTS} to {MAX_POINTS}, and not 0.")
        self.writer.write(Adjusted, points=count)

    def grant_unit(self, asked: Adjustment) -> None:
        """Grant the unit's points and buy it with them, so that it counts at its cost like any other unit."""
        model = self.rules.published.get(asked.design or "")
        if model is None:
            raise self.refuse("design", f"There is no published design {(asked.design or '')[:40]!r}.")
        ready = [unit.name for unit in self.writer.projection.units.values() if unit.status == READY]
        if len(ready) >= MAX_UNITS:
            raise self.refuse("design", f"A company can have at most {MAX_UNITS} units.")
        check = self.rules.check_design(model.spec)
        wanted = clean_text(f"adjustments[{self.at}].name", asked.name or "", longest=60, may_be_empty=True)
        name, spec = wanted or free_name(model.name, ready), self.rules.spec_json(model.spec)
        key = -1 - len(self.units)
        self.units[key] = NewUnit(name=name, design_name=model.name, spec=spec)
        self.writer.write(Adjusted, points=check.points)
        facts = {
            "name": name,
            "design": model.name,
            "spec": spec,
            "bill": [[line.label, line.points] for line in check.bill],
            "release": self.rules.catalogue_release,
        }
        self.writer.write(units_and_pilots.Bought, facts, unit=key, points=-check.points)

    def take_unit(self, asked: Adjustment) -> None:
        unit = self.unit(asked, READY)
        self._empty_seat(unit)
        self.writer.write(Taken, unit=unit.id)

    def destroy_unit(self, asked: Adjustment) -> None:
        unit = self.unit(asked, READY)
        self.writer.write(units_and_pilots.Destroyed, {"from": unit.condition, "to": unit.condition}, unit=unit.id)
        self._empty_seat(unit)

    def restore_unit(self, asked: Adjustment) -> None:
        unit = self.unit(asked, DESTROYED)
        if sum(each.status == READY for each in self.writer.projection.units.values()) >= MAX_UNITS:
            raise self.refuse("unit", f"A company can have at most {MAX_UNITS} units.")
        self.writer.write(Restored, unit=unit.id)

    def repair_unit(self, asked: Adjustment) -> None:
        unit = self.unit(asked, READY)
        if not self.rules.describe_condition(unit.condition):
            raise self.refuse("unit", f"{unit.name} has nothing to repair.")
        self.writer.write(units_and_pilots.Repaired, {"from": unit.condition, "to": {}}, unit=unit.id)

    def harm_unit(self, asked: Adjustment) -> None:
        unit = self.unit(asked, READY)
        spec, count = self.rules.parse_spec(unit.spec), asked.count or 0
        harm = self.rules.harm(spec, unit.condition)
        if harm is None:
            raise self.refuse("unit", f"{unit.name} can't take any more damage.")
        if not 1 <= count <= harm.most:
            raise self.refuse("count", f"{unit.name} can take 1 to {harm.most}: {harm.words}.")
        after = self.rules.harmed(spec, unit.condition, count)
        self.writer.write(
            units_and_pilots.Damaged, {"from": unit.condition, "to": after, "told": "was damaged"}, unit=unit.id
        )

    def _empty_seat(self, unit: UnitRecord) -> None:
        """Empty the unit's seat. A pilot who exists only as the unit's name retires."""
        if unit.pilot is None:
            return
        name = self.writer.projection.pilots[unit.pilot].name
        self.writer.write(units_and_pilots.Assigned, {"from": name, "to": None}, unit=unit.id)
        if unit.games and self.rules.is_own_pilot(self.rules.parse_spec(unit.spec)):
            self.writer.write(units_and_pilots.Retired, pilot=unit.pilot)

    # --- pilots

    def grant_pilot(self, asked: Adjustment) -> None:
        level = self._level(asked, self.rules.hire_points)
        if self._on_roll() >= MAX_PILOTS:
            raise self.refuse("name", f"A company can have at most {MAX_PILOTS} pilots.")
        name = clean_text(f"adjustments[{self.at}].name", asked.name or "", longest=60)
        callsign = clean_text(f"adjustments[{self.at}].callsign", asked.callsign or "", longest=30, may_be_empty=True)
        key, price = -1 - len(self.pilots), self.rules.hire_points[level]
        self.pilots[key] = NewPilot(name=name, callsign=callsign)
        if price:
            self.writer.write(Adjusted, points=price)
        self.writer.write(
            units_and_pilots.Hired, {"name": name, "callsign": callsign, "experience": level}, pilot=key, points=-price
        )

    def wound_pilot(self, asked: Adjustment) -> None:
        self.writer.write(units_and_pilots.Wounded, {"misses": 1}, pilot=self.pilot(asked, ACTIVE).id)

    def heal_pilot(self, asked: Adjustment) -> None:
        self.writer.write(units_and_pilots.Recovered, pilot=self.pilot(asked, WOUNDED).id)

    def kill_pilot(self, asked: Adjustment) -> None:
        pilot = self.pilot(asked, ACTIVE, WOUNDED)
        for unit in [each for each in self.writer.projection.units.values() if each.pilot == pilot.id]:
            if unit.games and self.rules.is_own_pilot(self.rules.parse_spec(unit.spec)):
                raise self.refuse("pilot", f"{pilot.name} is part of {unit.name}. Destroy the unit instead.")
            self.writer.write(units_and_pilots.Assigned, {"from": pilot.name, "to": None}, unit=unit.id)
        self.writer.write(units_and_pilots.Died, pilot=pilot.id)

    def return_pilot(self, asked: Adjustment) -> None:
        pilot = self.pilot(asked, DEAD, RETIRED)
        if self._on_roll() >= MAX_PILOTS:
            raise self.refuse("pilot", f"A company can have at most {MAX_PILOTS} pilots.")
        self.writer.write(Reinstated, pilot=pilot.id)

    def _on_roll(self) -> int:
        return sum(each.status in (ACTIVE, WOUNDED) for each in self.writer.projection.pilots.values())

    def experience(self, asked: Adjustment) -> None:
        pilot, count = self.pilot(asked, ACTIVE, WOUNDED), asked.count or 0
        if not self.rules.counts_experience:
            raise self.refuse("what", f"{self.rules.name} has pilot levels instead of experience points.")
        if not count or abs(count) > MAX_POINTS or pilot.points + count < 0:
            raise self.refuse("count", f"{pilot.name} has {pilot.points} experience: {count:+d} isn't possible.")
        self.writer.write(units_and_pilots.Experience, {"count": count}, pilot=pilot.id)

    def promote(self, asked: Adjustment) -> None:
        pilot = self.pilot(asked, ACTIVE, WOUNDED)
        level = self._level(asked, self.rules.level_names)
        if level == pilot.experience:
            raise self.refuse("level", f"{pilot.name} is already {self.rules.level_names[level]}.")
        facts = {"from": pilot.experience, "to": level, "name": self.rules.level_names[level]}
        self.writer.write(units_and_pilots.Promoted, facts, pilot=pilot.id)

    def skill(self, asked: Adjustment) -> None:
        pilot = self.pilot(asked, ACTIVE, WOUNDED)
        name = self.rules.skill_names.get(asked.skill or "")
        if name is None:
            raise self.refuse("skill", f"{self.rules.name} has no skill {(asked.skill or '')[:40]!r}.")
        if asked.skill in pilot.skills:
            raise self.refuse("skill", f"{pilot.name} already has {name}.")
        self.writer.write(units_and_pilots.SkillGained, {"skill": asked.skill, "name": name}, pilot=pilot.id)

    def _level(self, asked: Adjustment, known: Mapping[str, object]) -> str:
        if not known:
            raise self.refuse("what", f"{self.rules.name} has no pilots.")
        if asked.level not in known:
            raise self.refuse("level", f"must be one of {', '.join(known)}.")
        return str(asked.level)


ACTS: Mapping[str, Callable[[_Planner, Adjustment], None]] = {
    "points": _Planner.points,
    "grant-unit": _Planner.grant_unit,
    "take-unit": _Planner.take_unit,
    "destroy-unit": _Planner.destroy_unit,
    "restore-unit": _Planner.restore_unit,
    "repair-unit": _Planner.repair_unit,
    "harm-unit": _Planner.harm_unit,
    "grant-pilot": _Planner.grant_pilot,
    "wound-pilot": _Planner.wound_pilot,
    "heal-pilot": _Planner.heal_pilot,
    "kill-pilot": _Planner.kill_pilot,
    "return-pilot": _Planner.return_pilot,
    "experience": _Planner.experience,
    "promote": _Planner.promote,
    "skill": _Planner.skill,
}
