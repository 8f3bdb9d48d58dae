"""MechaStellar's rosters: SYSTEM for the shared code, its words, and the fields of a battle report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from systems.design_editor import Chart, DesignEditor
from systems.legality import Check, Problem
from systems.mechastellar.build import datasheet, lab, legality, scenario
from systems.mechastellar.build import scenario_form as drawn
from systems.mechastellar.build import spec as reading
from systems.mechastellar.build.datasheet import ATTRIBUTION
from systems.mechastellar.build.drawing import unit_body
from systems.mechastellar.build.spec import UnitSpec, profile_points
from systems.mechastellar.catalogue import CATALOGUE, RELEASES
from systems.mechastellar.options import HOUSE_RULES, Options
from systems.report_fields import DESTROYED, FATE, HITS_LOST, KILLS, CountField, HandTerms, PilotFateField, TickField
from systems.roster import (
    CompanyMember,
    Harm,
    PilotCard,
    PilotSpec,
    PublishedDesign,
    PublishedScenario,
    RosterSystem,
    ServiceCard,
)
from systems.rulebook import load_rulebook
from systems.setups import crew_fields
from systems.text import SystemWords

WORDS = SystemWords(hits="HP", boxes="HP", season_points="league points")  # ST-402
MAX_HP = CATALOGUE.limits["hp"].most
LEADERS = CountField(  # Level 1+ units and Commanders among its kills, ST-403
    name="leaders",
    label="leaders among them",
    phrase="leaders among them: {answer}",
    is_recorded=True,
)
SCORED = CountField(
    name="scored", label="victory points", phrase="victory points: {answer}", most=500, is_recorded=True
)
DEALT = CountField(name="dealt", label="damage dealt", phrase="damage dealt: {answer}", most=500_000, is_recorded=True)
CHALLENGES = CountField(name="challenges", label="Challenges", phrase="Challenges won: {answer}", is_recorded=True)
COMMANDER = TickField(name="commander", label="Commander", phrase="was the Commander")  # ST-028
CREWS_FATE = PilotFateField(
    name=FATE.name,
    label="crew’s fate",
    needs=("destroyed", "Only crews of destroyed units roll for their fate{rule}; {name} wasn't destroyed."),
    fates=(("unhurt", "safe"), ("injured", "wounded"), ("killed", "dead")),
)

HAND = HandTerms(
    asks=(
        KILLS,
        LEADERS,
        SCORED,
        DEALT,
        CHALLENGES,
        replace(HITS_LOST, label="HP lost", most=MAX_HP),
        DESTROYED,
        COMMANDER,
        CREWS_FATE,
    ),
    hits=WORDS.hits,
    too_many="{name} has only {hits} HP to lose.",
    all_lost="{name} lost the last of its HP, so it is destroyed.",
    rules={"fate": "ST-405"},
)


LEVEL_NAMES: Mapping[str, str] = MappingProxyType({"basic": "Basic", "skilled": "Skilled", "ace": "Ace"})


class MechaStellar(RosterSystem[UnitSpec, datasheet.Datasheet]):
    slug = "mechastellar"
    name = "MechaStellar"
    words = WORDS
    prefix = "ST"
    attribution = ATTRIBUTION
    cites: Mapping[str, str] = MappingProxyType(
        {"barred": "ST-406", "wounded": "ST-405", "repair": "ST-406", "limit": "ST-411", "own-pilot": "ST-008"}
    )
    loan_words = "You have no ready unit and can’t afford one. Borrow a Green Viking with its pilot for one battle."
    releases = RELEASES
    level_names = LEVEL_NAMES
    hire_points: Mapping[str, int] = MappingProxyType({"basic": 0})  # ST-407
    founding_points, founding_most = 1200, 10_000  # ST-400
    counts_experience = True  # ST-403
    records_pilots = True  # ST-409
    parts: Mapping[str, str] = MappingProxyType(
        {
            "machine": "rosters/_machine.html",
            "datasheet": "mechastellar/_datasheet.html",
            "scenario": "mechastellar/scenario.html",
            "scenario-form": "mechastellar/scenario_form.html",
            "scenario-preview": "mechastellar/_scenario_preview.html",
            "scenario-style": "css/inch-table.css",
            "scenario-script": "js/inch-table.js",
        }
    )
    scenario_lead = "Draw the table, then choose length and forces."
    frame_word = "Kind"
    frame_first = lab.FIRST_KIND
    frame_field = "kind"
    lab_fields = lab.LAB_FIELDS
    house_rules = HOUSE_RULES
    documents = MappingProxyType(
        {"spec": reading.SpecFields, "condition": datasheet.Condition, "scenario": scenario.ScenarioSpec}
    )
    rulebook = load_rulebook(Path(__file__).parents[1] / "rulebook.toml")
    published = MappingProxyType(
        {
            each.slug: PublishedDesign(each.slug, each.name, reading.profile_spec(each), each.points, each.line)
            for each in CATALOGUE.profiles.values()
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

    def check_design(self, spec: UnitSpec, options: Mapping[str, object] = {}) -> Check:
        return legality.check_unit(spec)

    def points_flown(
        self, spec: UnitSpec, pilot: Mapping[str, object] | None, options: Mapping[str, object] = {}
    ) -> int:
        return profile_points(legality.at_crew_level(spec, self.parse_pilot(crew_fields(pilot))))

    parse_pilot = staticmethod(reading.parse_pilot)

    def check_pilot(self, pilot: PilotSpec, spec: UnitSpec | None = None) -> tuple[Problem, ...]:
        return ()

    def hired_as(self, experience: str) -> str:
        return "basic"

    def check_company(
        self,
        scenario: str | Mapping[str, object],
        members: Sequence[CompanyMember[UnitSpec]],
        options: Mapping[str, object] = {},
        *,
        side: str | None = None,
        extra_points: int = 0,
    ) -> Check:
        return legality.check_company(scenario, members, Options.read(options), extra_points)

    parse_scenario = staticmethod(scenario.parse_scenario)
    scenario_json = staticmethod(scenario.scenario_json)
    check_scenario = staticmethod(scenario.check_scenario)
    scenario_sheet = staticmethod(scenario.scenario_sheet)
    scenario_map = staticmethod(scenario.small_map)
    scenario_form = staticmethod(drawn.scenario_form)
    form_spec = staticmethod(drawn.form_spec)
    form_unread = staticmethod(drawn.form_unread)
    body = staticmethod(unit_body)

    def datasheet(
        self,
        spec: UnitSpec,
        *,
        name: str,
        design_name: str,
        company: str = "",
        pilot: PilotCard | None = None,
        condition: Mapping[str, object] = {},
        options: Mapping[str, object] = {},
        service: ServiceCard | None = None,
    ) -> datasheet.Datasheet:
        seated = PilotSpec(pilot.experience) if pilot is not None else None
        return datasheet.unit_datasheet(
            legality.at_crew_level(spec, seated),
            name=name,
            design_name=design_name,
            company=company,
            pilot=pilot,
            condition=datasheet.parse_condition(condition),
            service=service,
            options=Options.read(options),
        )

    def charts(self, spec: UnitSpec) -> tuple[Chart, ...]:
        by_points = sorted(self.published.values(), key=lambda each: each.printed_points)
        examples = (by_points[0], by_points[len(by_points) // 2], by_points[-1])
        return tuple(lab.list_charts(spec, [(each.name, each.spec) for each in examples]))

    def kind_name(self, spec: UnitSpec) -> str:
        return spec.unit_kind.name

    def arms(self, spec: UnitSpec) -> tuple[str, ...]:
        return tuple(weapon.name for weapon in spec.weapons)

    def is_standing(self, options: Mapping[str, object]) -> bool:
        return True

    def is_resting(self, condition: Mapping[str, Any]) -> bool:
        return datasheet.parse_condition(condition).unfit

    def is_barred(self, condition: Mapping[str, Any]) -> bool:
        return datasheet.parse_condition(condition).unfit

    replacement = staticmethod(legality.replacement_spec)

    def seat_points(self, spec: UnitSpec, pilot: PilotSpec, *, paid: int) -> int:
        return max(0, profile_points(legality.at_crew_level(spec, pilot)) - paid)

    def loss_is_final(self, spec: UnitSpec) -> bool:
        return not legality.is_own_pilot(spec)

    is_own_pilot = staticmethod(legality.is_own_pilot)
    roster_limit = staticmethod(legality.roster_limit)

    def describe_condition(self, condition: Mapping[str, Any]) -> str:
        return datasheet.describe_condition(condition)

    repair_bill = staticmethod(legality.repair_bill)
    condition_home = staticmethod(legality.condition_after_battle)

    def harm(self, spec: UnitSpec, condition: Mapping[str, object]) -> Harm | None:
        most = legality.hits_to_lose(spec, condition)
        return Harm(words="HP lost", most=most) if most else None

    harmed = staticmethod(legality.condition_with_damage)
    lab_spec = staticmethod(lab.lab_spec)

    def lab_address(self, spec: Mapping[str, Any]) -> dict[str, str]:
        return lab.lab_address(reading.parse_spec(spec))

    def editor(self, spec: UnitSpec) -> DesignEditor:
        return lab.editor(spec)


SYSTEM = MechaStellar()
