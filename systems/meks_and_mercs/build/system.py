"""Meks & Mercs for the shared code of rosters: SYSTEM and NEWEST."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from systems.body import Body
from systems.charts import Chart
from systems.legality import Check, Problem
from systems.meks_and_mercs.catalogue import CATALOGUE, CATALOGUES, RELEASES, RETIRED
from systems.meks_and_mercs.options import HOUSE_RULES, Options
from systems.releases import FIRST_RELEASE, of_release
from systems.roster import (
    Bench,
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

from . import bench, charts, legality, scenario, scenario_check, scenario_form, scenario_sheet, upkeep
from . import spec as reading
from .body import SUPPORT_FRAMES, mek_body, support_body
from .datasheet import Condition, Datasheet, mek_datasheet, parse_condition
from .spec import MekSpec


class MeksAndMercs(RosterSystem[MekSpec, Datasheet]):
    slug = "meks-and-mercs"
    name = "Meks & Mercs"
    unit_words = ("Mek", "Meks")
    prefix = "MM"
    cites: Mapping[str, str] = {"no-pilot": "MM-011", "wounded": "MM-S03", "repair": "MM-S09"}
    loan_words = (
        "The bank can't pay for any of them. The house lends a Mek with a Green pilot, and takes its price out of later"
        " income (MM-S10)."
    )
    parts: Mapping[str, str] = {
        "datasheet": "meks-and-mercs/_datasheet.html",
        "scenario": "meks-and-mercs/scenario.html",
        "scenario-form": "meks-and-mercs/scenario_form.html",
        "scenario-preview": "meks-and-mercs/_scenario_preview.html",
        "scenario-style": "css/zone-map.css",
        "scenario-script": "js/zone-map.js",
    }
    scenario_lead = "Pick a brush, click the zones."
    frame_word = "Chassis"
    frame_first = "medium"
    frame_field = "chassis"
    lab_fields = ("chassis", "weapons", "systems")
    lab_lists = ("weapons", "systems")
    releases = RELEASES
    hire_points = upkeep.HIRE_POINTS
    level_names = MappingProxyType({level.slug: level.name for level in CATALOGUE.levels.values()})
    skill_names = MappingProxyType({skill.slug: skill.name for skill in CATALOGUE.skills.values()})
    support_names = MappingProxyType({result.slug: result.name for result in CATALOGUE.support.values()})
    house_rules = HOUSE_RULES
    documents = MappingProxyType(
        {"spec": reading.SpecFields, "condition": Condition, "scenario": scenario.ScenarioSpec}
    )
    rulebook = load_rulebook(Path(__file__).parents[1] / "rulebook.toml")
    scenarios = MappingProxyType(
        {
            entry.slug: PublishedScenario(entry.slug, entry.name, scenario.published_spec(entry))
            for entry in CATALOGUE.scenarios.values()
        }
    )

    def __init__(self, release: str = FIRST_RELEASE) -> None:
        self.catalogue_release = release
        self.catalogue = CATALOGUES[release]
        self.published = MappingProxyType(
            {
                mek.slug: PublishedDesign(
                    mek.slug,
                    mek.name,
                    MekSpec(mek.chassis, mek.weapons, mek.systems, release),
                    mek.printed_points,
                    mek.note,
                )
                for mek in self.catalogue.published.values()
                if ("published", mek.slug) not in RETIRED[release]
            }
        )

    def of(self, release: str) -> "MeksAndMercs":
        return BY_RELEASE[of_release(RELEASES, release, self.name)]

    def retired_in(self, spec: MekSpec) -> tuple[str, ...]:
        gone, catalogue = RETIRED[self.catalogue_release], spec.catalogue
        chassis = [spec.frame.name] if ("chassis", spec.chassis) in gone else []
        weapons = [catalogue.weapons[slug].name for slug in spec.weapons if ("weapons", slug) in gone]
        fittings = [catalogue.systems[slug].name for slug in spec.systems if ("systems", slug) in gone]
        return tuple(dict.fromkeys([*chassis, *weapons, *fittings]))

    @property
    def retired_rules(self) -> frozenset[str]:
        return frozenset(slug for table, slug in RETIRED[self.catalogue_release] if table == "options")

    def parse_spec(self, data: object, path: str = "spec") -> MekSpec:
        return reading.parse_spec(data, path, self.catalogue_release)

    spec_json = staticmethod(reading.spec_json)

    def check_design(self, spec: MekSpec, options: Mapping[str, object] = {}) -> Check:
        return legality.check_mek(spec, Options.read(options))

    parse_pilot = staticmethod(reading.parse_pilot)

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
        return legality.check_company(scenario, members, Options.read(options), side, extra_points)

    parse_scenario = staticmethod(scenario.parse_scenario)
    scenario_json = staticmethod(scenario.scenario_json)
    check_scenario = staticmethod(scenario_check.check_scenario)
    scenario_map = staticmethod(scenario_sheet.small_map)

    def scenario_sheet(self, spec: scenario.ScenarioSpec) -> scenario_sheet.ScenarioSheet:
        return scenario_sheet.scenario_sheet(spec)

    def scenario_form(self, spec: scenario.ScenarioSpec, brush: str = "") -> scenario_form.ScenarioForm:
        return scenario_form.scenario_form(spec, brush)

    def form_spec(self, fields: Mapping[str, str]) -> dict[str, object]:
        return scenario_form.form_spec(fields) if fields else {"attacker": {"points": 60}, "defender": {"points": 60}}

    body = staticmethod(mek_body)

    def support_body(self, slug: str) -> Body | None:
        return support_body(slug) if slug in SUPPORT_FRAMES else None

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
            options=Options.read(options),
        )

    def measures(self, spec: MekSpec) -> tuple[tuple[str, str], ...]:
        sheet = self.datasheet(spec, name="", design_name="")
        return (*sheet.columns, ("Heat", f"{sheet.heat_all}/{sheet.heat_limit}"))

    def charts(self, spec: MekSpec) -> tuple[Chart, ...]:
        return tuple(charts.lab_charts(spec))

    def kind_name(self, spec: MekSpec) -> str:
        return CATALOGUE.chassis[spec.chassis].name

    def arms(self, spec: MekSpec) -> tuple[str, ...]:
        return tuple(weapon.name for weapon in spec.armament)

    def counter_figures(self, spec: MekSpec, options: Mapping[str, object] = {}) -> tuple[int | None, int]:
        sheet = self.datasheet(spec, name="", design_name="", options=options)
        return sheet.armor, sheet.points

    hired_as = staticmethod(upkeep.hired_as)

    def is_standing(self, options: Mapping[str, object]) -> bool:
        return Options.read(options).is_standing

    describe_condition = staticmethod(upkeep.describe_condition)
    repair_bill = staticmethod(upkeep.repair_bill)
    condition_home = staticmethod(upkeep.condition_home)

    def harm(self, spec: MekSpec, condition: Mapping[str, object]) -> Harm | None:
        most = upkeep.hits_to_lose(spec, condition)
        return Harm(words="Hits lost", most=most) if most else None

    harmed = staticmethod(upkeep.harmed)

    def bench(self, spec: MekSpec) -> Bench:
        return bench.lab_bench(spec)

    def bench_spec(self, frame: str, counts: Mapping[str, int], before: Mapping[str, object]) -> dict[str, object]:
        return bench.bench_spec(frame, counts, before, self.catalogue)


BY_RELEASE = MappingProxyType({each.number: MeksAndMercs(each.number) for each in RELEASES})
SYSTEM, NEWEST = BY_RELEASE[FIRST_RELEASE], BY_RELEASE[RELEASES[-1].number]
