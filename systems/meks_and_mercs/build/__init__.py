"""Meks & Mercs' rosters: SYSTEM and NEWEST for the shared code, report fields, costs between games."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from systems import text
from systems.artwork.canvas import Body
from systems.catalogue import FIRST_RELEASE, of_release
from systems.design_editor import Chart, DesignEditor
from systems.legality import BillLine, Check, Problem, pluralize
from systems.meks_and_mercs.build import lab, legality, scenario, scenario_check, scenario_form, scenario_sheet
from systems.meks_and_mercs.build import spec as reading
from systems.meks_and_mercs.build.datasheet import mek_datasheet
from systems.meks_and_mercs.build.datasheet_lines import Condition, Datasheet, parse_condition
from systems.meks_and_mercs.build.drawing import SUPPORT_FRAMES, mek_body, support_body
from systems.meks_and_mercs.build.spec import MekSpec, purchases
from systems.meks_and_mercs.catalogue import CATALOGUE, CATALOGUES, RELEASES, RETIRED
from systems.meks_and_mercs.options import HOUSE_RULES, Options
from systems.report_fields import DESTROYED, FATE, HITS_LOST, KILLS, MENDED, WITHDREW, WOUNDED, HandTerms, TickField
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

EXPLODED = TickField(
    name="exploded",
    label="reactor exploded",
    needs=("destroyed", "{name} can't explode without being destroyed."),
    lost_by="explosion",
)
HAND = HandTerms(
    asks=(
        KILLS,
        MENDED.called("mended by truck"),
        HITS_LOST.called("Hits lost"),
        DESTROYED,
        EXPLODED,
        WITHDREW,
        WOUNDED,
        FATE,
    ),
    rules={"fate": "MM-S03", "support": "MM-014", "mended": "MM-085"},
    mends="repair-truck",
)


HIRE_POINTS: Mapping[str, int] = MappingProxyType(  # MM-011
    {level.slug: level.hire_points for level in CATALOGUE.levels.values() if level.hire_points is not None}
)


def hired_as(experience: str) -> str:
    """Return the best level for hire up to this one."""
    levels = list(CATALOGUE.levels)
    return next(level for level in reversed(levels[: levels.index(experience) + 1]) if level in HIRE_POINTS)


def repair_bill(spec: MekSpec, data: Mapping[str, object]) -> tuple[BillLine, ...]:
    """Return the bill: one point per Hit, leg damage, weapon (CIWS: pair) and system. MM-S09."""
    condition = parse_condition(data, spec)
    lines = []
    missing = 0 if condition.hits is None else spec.frame.hits - condition.hits
    if missing:
        lines.append(BillLine(pluralize(missing, "Hit"), missing))
    if condition.legs:
        lines.append(BillLine(pluralize(condition.legs, "leg damage", "leg damages"), condition.legs))
    lost = [spec.weapons[slot] for slot in sorted(set(condition.weapons_lost))]
    for slug in dict.fromkeys(lost):
        weapon = spec.catalogue.weapons[slug]
        price = purchases(weapon, lost.count(slug))
        lines.append(BillLine(weapon.name if lost.count(slug) == 1 else f"{lost.count(slug)} × {weapon.name}", price))
    for slot in sorted(set(condition.systems_lost)):
        lines.append(BillLine(spec.fittings[slot].name, 1))
    return tuple(lines)


def condition_home(
    spec: MekSpec, began: Mapping[str, object], after: Mapping[str, object], now: Mapping[str, object]
) -> dict[str, object]:
    """Return a Mek's condition after a game that changed `began` into `after`. Raises DocumentError.

    `now` is its present condition. If that still equals `began`, the result is `after`. Otherwise the game's changes,
    both damage and repairs (MM-085), are applied to `now`; a Mek that came home keeps at least one Hit.
    """
    first, last, here = (parse_condition(data, spec) for data in (began, after, now))
    changed = _hits(spec, here) + _hits(spec, last) - _hits(spec, first)
    hits = max(min(1, _hits(spec, last)), min(spec.frame.hits, changed))
    weapons = _merge_lost_slots(first.weapons_lost, last.weapons_lost, here.weapons_lost)
    systems = _merge_lost_slots(first.systems_lost, last.systems_lost, here.systems_lost)
    legs = max(0, here.legs + last.legs - first.legs)
    found: dict[str, object] = {"hits": hits} if hits < spec.frame.hits else {}
    return found | {
        name: value for name, value in (("weapons_lost", weapons), ("systems_lost", systems), ("legs", legs)) if value
    }


def hits_to_lose(spec: MekSpec, data: Mapping[str, object]) -> int:
    """Return the Hits that a Mek can lose without being destroyed."""
    return _hits(spec, parse_condition(data, spec)) - 1


def harmed(spec: MekSpec, data: Mapping[str, object], count: int) -> dict[str, object]:
    """Return the condition with this many fewer Hits, otherwise unchanged."""
    return {**data, "hits": _hits(spec, parse_condition(data, spec)) - count}


def _merge_lost_slots(began: Sequence[int], after: Sequence[int], now: Sequence[int]) -> list[int]:
    """Return the slots now lost, without those that the game repaired and with those that it destroyed."""
    return sorted((set(now) - (set(began) - set(after))) | (set(after) - set(began)))


def _hits(spec: MekSpec, condition: Condition) -> int:
    return spec.frame.hits if condition.hits is None else condition.hits


def describe_condition(condition: Mapping[str, object]) -> str:
    """Describe the damage of a Mek in a few words."""
    parts = []
    if "hits" in condition:
        parts.append(f"{text.pluralize(int(str(condition['hits'])), 'Hits')} left")
    for name, label in (("weapons_lost", "weapon"), ("systems_lost", "system")):
        lost = condition.get(name)
        if isinstance(lost, Sequence) and lost:
            parts.append(f"{pluralize(len(lost), label)} lost")
    if condition.get("legs"):
        parts.append(f"leg damage {condition['legs']}")
    return ", ".join(parts)


class MeksAndMercs(RosterSystem[MekSpec, Datasheet]):
    slug = "meks-and-mercs"
    name = "Meks & Mercs"
    unit_words = ("Mek", "Meks")
    prefix = "MM"
    cites: Mapping[str, str] = {"no-pilot": "MM-011", "wounded": "MM-S03", "repair": "MM-S09"}
    loan_words = "You can't afford a Mek. Borrow one with a Green pilot and pay it back from later income (MM-S10)."
    parts: Mapping[str, str] = {
        "datasheet": "meks-and-mercs/_datasheet.html",
        "scenario": "meks-and-mercs/scenario.html",
        "scenario-form": "meks-and-mercs/scenario_form.html",
        "scenario-preview": "meks-and-mercs/_scenario_preview.html",
        "scenario-style": "css/zone-map.css",
        "scenario-script": "js/zone-map.js",
    }
    scenario_lead = "Pick a brush and click the zones."
    frame_word = "Chassis"
    frame_first = "medium"
    frame_field = "chassis"
    lab_fields = ("chassis", "weapons", "systems")
    lab_lists = ("weapons", "systems")
    releases = RELEASES
    hire_points = HIRE_POINTS
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
        return tuple(lab.lab_charts(spec))

    def kind_name(self, spec: MekSpec) -> str:
        return CATALOGUE.chassis[spec.chassis].name

    def arms(self, spec: MekSpec) -> tuple[str, ...]:
        return tuple(weapon.name for weapon in spec.armament)

    def loadout(self, spec: MekSpec) -> tuple[str, ...]:
        return (*self.arms(spec), *(fitting.name for fitting in spec.fittings))

    def counter_figures(self, spec: MekSpec, options: Mapping[str, object] = {}) -> tuple[int | None, int]:
        sheet = self.datasheet(spec, name="", design_name="", options=options)
        return sheet.armor, sheet.points

    hired_as = staticmethod(hired_as)

    def is_standing(self, options: Mapping[str, object]) -> bool:
        return Options.read(options).is_standing

    describe_condition = staticmethod(describe_condition)
    repair_bill = staticmethod(repair_bill)
    condition_home = staticmethod(condition_home)

    def harm(self, spec: MekSpec, condition: Mapping[str, object]) -> Harm | None:
        most = hits_to_lose(spec, condition)
        return Harm(words="Hits lost", most=most) if most else None

    harmed = staticmethod(harmed)

    def editor(self, spec: MekSpec) -> DesignEditor:
        return lab.lab_editor(spec)

    def editor_spec(self, frame: str, counts: Mapping[str, int], before: Mapping[str, object]) -> dict[str, object]:
        return lab.editor_spec(frame, counts, before, self.catalogue)


BY_RELEASE = MappingProxyType({each.number: MeksAndMercs(each.number) for each in RELEASES})
SYSTEM, NEWEST = BY_RELEASE[FIRST_RELEASE], BY_RELEASE[RELEASES[-1].number]
