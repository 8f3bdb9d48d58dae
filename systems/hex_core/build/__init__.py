"""Hex Core's rosters: SYSTEM for the shared code, its words, ready-made machines, fields of a battle report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from systems.design_editor import Chart, DesignEditor
from systems.hex_core.build import datasheet, lab, legality, scenario
from systems.hex_core.build import scenario_form as drawn
from systems.hex_core.build import spec as reading
from systems.hex_core.build.drawing import machine_body
from systems.hex_core.build.legality import FIRST_RANK
from systems.hex_core.build.spec import HeldShield, MachineSpec, MountedWeapon
from systems.hex_core.catalogue import CATALOGUE, RELEASES, ExampleUnit
from systems.hex_core.options import HOUSE_RULES, Options
from systems.legality import Check
from systems.report_fields import DESTROYED, HITS_LOST, KILLS, CountField, HandTerms, TickField
from systems.roster import CompanyMember, Harm, PilotCard, PublishedDesign, PublishedScenario, RosterSystem, ServiceCard
from systems.rulebook import GlossaryEntry, load_rulebook
from systems.text import SystemWords

WORDS = SystemWords(
    hits="DP",
    boxes="DP",
    season_points="league points",  # HX-183
)


PREY = CountField(  # HX-176
    name="prey", label="Classes destroyed", phrase="Classes destroyed: {answer}"
)
PARTS = CountField(  # HX-119, HX-175
    name="parts",
    label="equipment destroyed",
    phrase="weapons, shields and drones destroyed: {answer}",
    is_recorded=True,
)
OBJECTS = CountField(
    name="objects", label="objects brought home", phrase="objects brought home: {answer}", most=3
)  # HX-165
MARK = TickField(name="mark", label="destroyed the marked unit", phrase="destroyed the marked unit")  # HX-169
INOPERATIVE = TickField(  # HX-115
    name="withdrew", label="inoperative", bars=("destroyed", "{name} can't be destroyed and inoperative.")
)

HAND = HandTerms(
    asks=(
        KILLS.called("units destroyed"),
        PREY,
        PARTS,
        OBJECTS,
        MARK,
        HITS_LOST.called("DP lost"),
        DESTROYED,
        INOPERATIVE,
    ),
    hits=WORDS.hits,
    too_many="{name} has only {hits} DP to lose.",
    all_lost="{name} lost all of its DP, so it is destroyed.",
)


def example_spec(unit: ExampleUnit) -> MachineSpec:
    return MachineSpec(
        core=unit.core,
        srm=unit.srm,
        armour=unit.armour,
        weapons=tuple(MountedWeapon(each.weapon, each.place) for each in unit.weapons),
        shields=(HeldShield(unit.shield),) if unit.shield else (),
        drones=unit.drones,
        royroy=unit.royroy,
        systems=unit.systems,
        mods=unit.mods,
        traits=unit.traits,
    )


class HexCore(RosterSystem[MachineSpec, datasheet.Datasheet]):
    slug = "hex-core"
    name = "Hex Core"
    words = WORDS
    prefix = "HX"
    cites: Mapping[str, str] = MappingProxyType({"barred": "HX-179", "no-pilot": "HX-174", "wounded": "HX-180"})
    founding_points = CATALOGUE.limits["company-points"].value  # HX-174
    loan_words = "You have no ready unit and can't afford one. Borrow a Trooper with a Rookie for one battle."
    releases = RELEASES
    parts: Mapping[str, str] = MappingProxyType(
        {
            "machine": "rosters/_machine.html",
            "datasheet": "hex-core/_datasheet.html",
            "scenario": "hex-core/scenario.html",
            "scenario-form": "hex-core/scenario_form.html",
            "scenario-style": "css/hexes.css",
            "scenario-script": "js/hex-map.js",
        }
    )
    frame_word = "Core type"
    frame_first = "standard"
    frame_field = "core"
    lab_fields = lab.LAB_FIELDS
    keeps_damage = False  # HX-178
    counts_experience = True  # HX-177
    hire_points = MappingProxyType({FIRST_RANK: 0})
    level_names = MappingProxyType({rank.slug: rank.name for rank in CATALOGUE.ranks.values()})
    skill_names = MappingProxyType({trait.slug: trait.name for trait in CATALOGUE.traits.values()})
    house_rules = HOUSE_RULES
    scenario_lead = "Pick a brush and paint the hexes, or edit the map as text."
    documents = MappingProxyType(
        {"spec": reading.SpecFields, "condition": datasheet.Condition, "scenario": scenario.ScenarioSpec}
    )
    rulebook = load_rulebook(Path(__file__).parents[1] / "rulebook.toml")
    glossary = MappingProxyType(
        {
            "Status effects": tuple(
                GlossaryEntry(each.name, each.effect, each.rule) for each in CATALOGUE.statuses.values()
            ),
            "Terms": tuple(GlossaryEntry(each.name, each.meaning, each.rule) for each in CATALOGUE.terms.values()),
        }
    )
    published = MappingProxyType(
        {
            unit.slug: PublishedDesign(unit.slug, unit.name, example_spec(unit), unit.cost, unit.line)
            for unit in CATALOGUE.examples.values()
        }
    )

    scenarios = MappingProxyType(
        {
            entry.slug: PublishedScenario(
                entry.slug, entry.name, scenario.ScenarioSpec(brief=entry.brief, mission=entry.slug)
            )
            for entry in CATALOGUE.missions.values()
        }
    )

    parse_spec = staticmethod(reading.parse_spec)
    spec_json = staticmethod(reading.spec_json)

    def check_design(self, spec: MachineSpec, options: Mapping[str, object] = {}) -> Check:
        return legality.check_machine(spec, Options.read(options))

    def check_company(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[MachineSpec]],
        options: Mapping[str, object] = {},
        *,
        side: str | None = None,
        extra_points: int = 0,
    ) -> Check:
        return legality.check_squad(scenario, members, Options.read(options), side, extra_points)

    body = staticmethod(machine_body)

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
            options=Options.read(options),
        )

    parse_scenario = staticmethod(scenario.parse_scenario)
    scenario_json = staticmethod(scenario.scenario_json)
    check_scenario = staticmethod(scenario.check_scenario)
    scenario_map = staticmethod(scenario.small_map)

    def scenario_sheet(self, spec: scenario.ScenarioSpec) -> scenario.ScenarioSheet:
        return scenario.scenario_sheet(spec)

    scenario_form = staticmethod(drawn.scenario_form)
    form_spec = staticmethod(drawn.form_spec)
    form_unread = staticmethod(drawn.form_unread)
    parse_pilot = staticmethod(legality.parse_pilot)
    check_pilot = staticmethod(legality.check_pilot)

    def hired_as(self, experience: str) -> str:
        return FIRST_RANK

    def lab_spec(self, fields: Mapping[str, str]) -> dict[str, Any]:
        return lab.lab_spec(fields, self.frame_first)

    lab_address = staticmethod(lab.lab_address)

    def editor(self, spec: MachineSpec) -> DesignEditor:
        return lab.editor(spec)

    def editor_spec(self, frame: str, counts: Mapping[str, int], before: Mapping[str, Any]) -> dict[str, Any]:
        return lab.editor_spec(frame, counts, before)

    def check_refit(self, before: MachineSpec, after: MachineSpec, options: Mapping[str, object] = {}) -> Check:
        return legality.check_refit(before, after, Options.read(options))

    def charts(self, spec: MachineSpec) -> tuple[Chart, ...]:
        return tuple(lab.list_charts(spec, self.datasheet(spec, name="", design_name="")))

    def kind_name(self, spec: MachineSpec) -> str:
        return spec.frame.name

    def arms(self, spec: MachineSpec) -> tuple[str, ...]:
        return tuple(armed.kind.name for armed in spec.weapons)

    def loadout(self, spec: MachineSpec) -> tuple[str, ...]:
        return (
            *self.arms(spec),
            *(held.kind.name for held in spec.shields),
            *(CATALOGUE.drones[slug].name for slug in spec.drones),
            *(CATALOGUE.systems[slug].name for slug in spec.systems),
            *(CATALOGUE.mods[slug].name for slug in spec.mods),
        )

    def counter_figures(self, spec: MachineSpec, options: Mapping[str, object] = {}) -> tuple[int | None, int]:
        return None, spec.cost

    def is_standing(self, options: Mapping[str, object]) -> bool:
        return True

    def is_resting(self, condition: Mapping[str, Any]) -> bool:
        return datasheet.parse_condition(condition).repair

    def is_barred(self, condition: Mapping[str, Any]) -> bool:
        return datasheet.parse_condition(condition).repair

    def describe_condition(self, condition: Mapping[str, Any]) -> str:
        return datasheet.describe_condition(condition)

    def harm(self, spec: MachineSpec, condition: Mapping[str, Any]) -> Harm | None:
        return None if self.is_resting(condition) else Harm(words="in repair", most=1)

    def harmed(self, spec: MachineSpec, condition: Mapping[str, Any], count: int) -> dict[str, object]:
        return {**condition, "repair": True}


SYSTEM = HexCore()
