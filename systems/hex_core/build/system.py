"""Hex Core as the shared code meets it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from systems.hex_core.catalogue import CATALOGUE, RELEASE
from systems.hex_core.options import HOUSE_RULES, Options
from systems.legality import Check
from systems.roster import CompanyMember, PilotCard, PublishedDesign, RosterSystem, ServiceCard
from systems.rulebook import load_rulebook

from . import datasheet, legality
from . import spec as reading
from .examples import example_spec
from .spec import MachineSpec
from .words import WORDS


class HexCore(RosterSystem[MachineSpec, datasheet.Datasheet]):
    slug = "hex-core"
    name = "Hex Core"
    words = WORDS
    prefix = "HX"
    cites: Mapping[str, str] = MappingProxyType({"barred": "HX-179"})
    catalogue_release = RELEASE
    keeps_damage = False  # HX-178
    house_rules = HOUSE_RULES
    documents = MappingProxyType({"spec": reading.SpecFields, "condition": datasheet.Condition})
    rulebook = load_rulebook(Path(__file__).parents[1] / "rulebook.toml")
    published = MappingProxyType(
        {
            unit.slug: PublishedDesign(unit.slug, unit.name, example_spec(unit), unit.cost, unit.line)
            for unit in CATALOGUE.examples.values()
        }
    )

    def parse_spec(self, data: object, path: str = "spec") -> MachineSpec:
        return reading.parse_spec(data, path)

    def spec_json(self, spec: MachineSpec) -> dict[str, Any]:
        return reading.spec_json(spec)

    def check_design(self, spec: MachineSpec, options: Mapping[str, object] = {}) -> Check:
        return legality.check_machine(spec)

    def check_company(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[MachineSpec]],
        options: Mapping[str, object] = {},
        *,
        side: str | None = None,
        extra_points: int = 0,
    ) -> Check:
        return legality.check_squad(scenario, members, Options.read(options), extra_points)

    def datasheet(
        self,
        spec: MachineSpec,
        *,
        name: str,
        design_name: str,
        company: str = "",
        pilot: PilotCard | None = None,
        condition: Mapping[str, object] = {},
        options: Mapping[str, object] = {},
        service: ServiceCard | None = None,
    ) -> datasheet.Datasheet:
        return datasheet.machine_datasheet(
            spec,
            name=name,
            design_name=design_name,
            company=company,
            pilot=pilot,
            condition=datasheet.parse_condition(condition),
            service=service,
        )

    def kind_name(self, spec: MachineSpec) -> str:
        return spec.frame.name

    def counter_figures(self, spec: MachineSpec, options: Mapping[str, object] = {}) -> tuple[int | None, int]:
        return None, spec.cost

    def is_standing(self, options: Mapping[str, object]) -> bool:
        return True

    def is_resting(self, condition: Mapping[str, Any]) -> bool:
        return datasheet.parse_condition(condition).repair

    def is_barred(self, condition: Mapping[str, Any]) -> bool:
        return datasheet.parse_condition(condition).repair

    def condition_told(self, condition: Mapping[str, Any]) -> str:
        return datasheet.condition_told(condition)


SYSTEM = HexCore()
