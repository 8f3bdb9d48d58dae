"""Meks & Mercs as the shared code meets it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rosters.legality import BillLine, Check, Problem
from rosters.rulebook import load_rulebook
from rosters.systems.base import (
    Bench,
    CompanyMember,
    HouseRule,
    PilotCard,
    PilotSpec,
    PublishedDesign,
    PublishedScenario,
    RosterSystem,
    ServiceCard,
)

from . import bench, legality, scenario, scenario_check, scenario_form, scenario_sheet, upkeep
from . import spec as reading
from .catalogue import CATALOGUE, RELEASE
from .datasheet import Datasheet, mek_datasheet, parse_condition
from .spec import MekSpec


class MeksAndMercs(RosterSystem[MekSpec, Datasheet]):
    slug = "meks-and-mercs"
    name = "Meks & Mercs"
    prefix = "MM"
    catalogue_release = RELEASE
    seat_rule = "MM-011"
    wound_rule = "MM-S03"
    repair_rule = "MM-S09"
    frame_field = "chassis"
    first_spec = MekSpec("medium")
    first_scenario = scenario.FIRST
    hire_points = upkeep.HIRE_POINTS
    level_names = MappingProxyType({level.slug: level.name for level in CATALOGUE.levels.values()})
    skill_names = MappingProxyType({skill.slug: skill.name for skill in CATALOGUE.skills.values()})
    house_rules = MappingProxyType(
        {
            option.slug: HouseRule(
                slug=option.slug,
                name=option.name,
                kind=option.kind,
                default=option.default,
                effect=option.effect,
                choices=tuple(zip(option.choices, option.labels, strict=True)),
                minimum=option.minimum,
            )
            for option in CATALOGUE.options.values()
        }
    )
    rulebook = load_rulebook(Path(__file__).parent / "rulebook.toml")
    published = MappingProxyType(
        {
            mek.slug: PublishedDesign(
                mek.slug, mek.name, MekSpec(mek.chassis, mek.weapons, mek.systems), mek.printed_points, mek.note
            )
            for mek in CATALOGUE.published.values()
        }
    )
    scenarios = MappingProxyType(
        {
            entry.slug: PublishedScenario(entry.slug, entry.name, scenario.published_spec(entry))
            for entry in CATALOGUE.scenarios.values()
        }
    )

    def parse_spec(self, data: object, path: str = "spec") -> MekSpec:
        return reading.parse_spec(data, path)

    def spec_json(self, spec: MekSpec) -> dict[str, Any]:
        return reading.spec_json(spec)

    def check_design(self, spec: MekSpec, options: Mapping[str, object] = {}) -> Check:
        return legality.check_mek(spec, options)

    def parse_pilot(self, data: object, path: str = "pilot") -> PilotSpec:
        return reading.parse_pilot(data, path)

    def check_pilot(self, pilot: PilotSpec, spec: MekSpec | None = None) -> tuple[Problem, ...]:
        return legality.check_pilot(pilot)

    def check_company(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[MekSpec]],
        options: Mapping[str, object] = {},
        *,
        side: str | None = None,
        extra_points: int = 0,
    ) -> Check:
        return legality.check_company(scenario, members, options, side, extra_points)

    def parse_scenario(self, data: object, path: str = "spec") -> scenario.ScenarioSpec:
        return scenario.parse_scenario(data, path)

    def scenario_json(self, spec: scenario.ScenarioSpec) -> dict[str, Any]:
        return scenario.scenario_json(spec)

    def check_scenario(self, spec: scenario.ScenarioSpec) -> Check:
        return scenario_check.check_scenario(spec)

    def scenario_sheet(self, spec: scenario.ScenarioSpec) -> scenario_sheet.ScenarioSheet:
        return scenario_sheet.scenario_sheet(spec)

    def scenario_form(self, spec: scenario.ScenarioSpec, brush: str = "") -> scenario_form.ScenarioForm:
        return scenario_form.scenario_form(spec, brush)

    def form_spec(self, fields: Mapping[str, str]) -> dict[str, Any]:
        return scenario_form.form_spec(fields)

    def datasheet(
        self,
        spec: MekSpec,
        *,
        name: str,
        design_name: str,
        company: str = "",
        pilot: PilotCard | None = None,
        condition: Mapping[str, object] = {},
        options: Mapping[str, object] = {},
        service: ServiceCard | None = None,
    ) -> Datasheet:
        return mek_datasheet(
            spec,
            name=name,
            design_name=design_name,
            company=company,
            pilot=pilot,
            condition=parse_condition(condition, spec),
            options=options,
        )

    def hired_as(self, experience: str) -> str:
        return upkeep.hired_as(experience)

    def is_standing(self, options: Mapping[str, object]) -> bool:
        return upkeep.is_standing(options)

    def repair_bill(self, spec: MekSpec, condition: Mapping[str, object]) -> tuple[BillLine, ...]:
        return upkeep.repair_bill(spec, condition)

    def worse_condition(
        self, spec: MekSpec, before: Mapping[str, object], after: Mapping[str, object]
    ) -> dict[str, Any]:
        return upkeep.worse_condition(spec, before, after)

    def bench(self, spec: MekSpec) -> Bench:
        return bench.bench(spec)

    def bench_spec(self, frame: str, counts: Mapping[str, int] | None, before: Mapping[str, str]) -> dict[str, Any]:
        return bench.bench_spec(frame, counts, before)

    def bench_address(self, spec: MekSpec) -> tuple[tuple[str, str], ...]:
        return bench.bench_address(spec)


SYSTEM = MeksAndMercs()
