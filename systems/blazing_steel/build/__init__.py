"""Blazing Steel's rosters: SYSTEM for the shared code, its words, and the fields of a battle report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from systems.blazing_steel.build import datasheet, lab, legality, scenario
from systems.blazing_steel.build import scenario_form as drawn
from systems.blazing_steel.build import spec as reading
from systems.blazing_steel.build.drawing import warmech_body
from systems.blazing_steel.build.spec import SLOTS, WarmechSpec
from systems.blazing_steel.catalogue import CATALOGUE, RELEASES, ExampleUnit, Peripheral
from systems.blazing_steel.options import HOUSE_RULES, Options
from systems.design_editor import Chart, DesignEditor
from systems.legality import Check
from systems.report_fields import DESTROYED, HITS_LOST, KILLS, CountField, HandTerms
from systems.roster import CompanyMember, Harm, PilotCard, PublishedDesign, PublishedScenario, RosterSystem, ServiceCard
from systems.rulebook import load_rulebook
from systems.text import SystemWords

WORDS = SystemWords(
    hits="Structure",
    boxes="Structure",
    season_points="league points",  # BS-C07
)


def example_spec(unit: ExampleUnit) -> WarmechSpec:
    return WarmechSpec(unit.chassis, unit.locomotion, unit.l1, unit.l2, unit.r1, unit.c1, unit.p1, unit.magazine_on)


class BlazingSteel(RosterSystem[WarmechSpec, datasheet.Datasheet]):
    slug = "blazing-steel"
    name = "Blazing Steel"
    words = WORDS
    unit_words = ("Warmech", "Warmechs")
    prefix = "BS"
    cites: Mapping[str, str] = MappingProxyType({"barred": "BS-C04"})
    loan_words = "You have no ready Warmech and can't afford one. Borrow a Darter for one battle."
    releases = RELEASES
    parts: Mapping[str, str] = MappingProxyType(
        {
            "machine": "rosters/_machine.html",
            "datasheet": "blazing-steel/_datasheet.html",
            "scenario": "blazing-steel/scenario.html",
            "scenario-form": "blazing-steel/scenario_form.html",
            "scenario-preview": "blazing-steel/_scenario_preview.html",
            "scenario-style": "css/inch-table.css",
            "scenario-script": "js/inch-table.js",
        }
    )
    scenario_lead = "Draw the table or choose a map, then set length, zones and forces."
    frame_word = "Chassis"
    frame_first = "medium"
    frame_field = "chassis"
    lab_fields = ("chassis", "locomotion", *SLOTS, "magazine_on")
    keeps_damage = False  # BS-C03
    house_rules = HOUSE_RULES
    documents = MappingProxyType(
        {"spec": reading.SpecFields, "condition": datasheet.Condition, "scenario": scenario.ScenarioSpec}
    )
    rulebook = load_rulebook(Path(__file__).parents[1] / "rulebook.toml")
    published = MappingProxyType(
        {
            unit.slug: PublishedDesign(unit.slug, unit.name, example_spec(unit), unit.points, unit.line)
            for unit in CATALOGUE.examples.values()
        }
    )
    scenarios = MappingProxyType(
        {
            entry.slug: PublishedScenario(entry.slug, entry.name, scenario.ScenarioSpec(brief=entry.brief))
            for entry in CATALOGUE.scenarios.values()
        }
    )

    parse_spec = staticmethod(reading.parse_spec)
    spec_json = staticmethod(reading.spec_json)

    def check_design(self, spec: WarmechSpec, options: Mapping[str, object] = {}) -> Check:
        return legality.check_warmech(spec, Options.read(options))

    def check_company(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[WarmechSpec]],
        options: Mapping[str, object] = {},
        *,
        side: str | None = None,
        extra_points: int = 0,
    ) -> Check:
        return legality.check_company(scenario, members, Options.read(options), side, extra_points)

    parse_scenario = staticmethod(scenario.parse_scenario)
    scenario_json = staticmethod(scenario.scenario_json)
    check_scenario = staticmethod(scenario.check_scenario)
    scenario_sheet = staticmethod(scenario.scenario_sheet)
    scenario_map = staticmethod(scenario.small_map)
    scenario_form = staticmethod(drawn.scenario_form)
    form_spec = staticmethod(drawn.form_spec)
    form_unread = staticmethod(drawn.form_unread)
    body = staticmethod(warmech_body)

    def datasheet(
        self,
        spec: WarmechSpec,
        *,
        name: str,
        design_name: str,
        company: str = "",
        pilot: PilotCard | None = None,
        condition: Mapping[str, object] = {},
        options: Mapping[str, object] = {},
        service: ServiceCard | None = None,
    ) -> datasheet.Datasheet:
        return datasheet.warmech_datasheet(
            spec,
            name=name,
            design_name=design_name,
            company=company,
            condition=datasheet.parse_condition(condition),
            service=service,
            options=Options.read(options),
        )

    def charts(self, spec: WarmechSpec) -> tuple[Chart, ...]:
        return tuple(lab.list_charts(spec))

    def kind_name(self, spec: WarmechSpec) -> str:
        return spec.frame.name

    def arms(self, spec: WarmechSpec) -> tuple[str, ...]:
        return tuple(each.name for _, each in spec.fitted() if not isinstance(each, Peripheral))

    def loadout(self, spec: WarmechSpec) -> tuple[str, ...]:
        return tuple(each.name for _, each in spec.fitted())

    def lab_spec(self, fields: Mapping[str, str]) -> dict[str, Any]:
        spec: dict[str, Any] = {name: fields[name] for name in self.lab_fields if fields.get(name)}
        return (
            {"chassis": self.frame_first, "locomotion": "bipedal"} if not spec else {"chassis": self.frame_first} | spec
        )

    def counter_figures(self, spec: WarmechSpec, options: Mapping[str, object] = {}) -> tuple[int | None, int]:
        return spec.frame.armor, spec.points

    def is_standing(self, options: Mapping[str, object]) -> bool:
        return True

    def is_resting(self, condition: Mapping[str, Any]) -> bool:
        return datasheet.parse_condition(condition).repair

    def is_barred(self, condition: Mapping[str, Any]) -> bool:
        return datasheet.parse_condition(condition).repair

    def describe_condition(self, condition: Mapping[str, Any]) -> str:
        return datasheet.describe_condition(condition)

    def harm(self, spec: WarmechSpec, condition: Mapping[str, Any]) -> Harm | None:
        return None if self.is_resting(condition) else Harm(words="in repair", most=1)

    def harmed(self, spec: WarmechSpec, condition: Mapping[str, Any], count: int) -> dict[str, object]:
        return {**condition, "repair": True}

    def check_refit(self, before: WarmechSpec, after: WarmechSpec, options: Mapping[str, object] = {}) -> Check:
        return legality.check_refit(before, after, Options.read(options))

    def editor(self, spec: WarmechSpec) -> DesignEditor:
        return lab.editor(spec)


SYSTEM = BlazingSteel()


HELD = CountField(  # BS-C05, BS-C08
    name="objectives", label="objective points", phrase="objective points: {answer}", is_recorded=True
)

HAND = HandTerms(
    asks=(
        KILLS,
        HELD,
        HITS_LOST.called("Structure lost"),
        DESTROYED.called("destroyed or disabled"),
    ),
    hits=WORDS.hits,
    too_many="{name} has only {hits} Structure to lose.",
    all_lost="{name} lost all of its Structure, so it is destroyed.",
)
