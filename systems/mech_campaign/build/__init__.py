"""Mech Campaign's rosters: SYSTEM for the shared code, its words, report fields, the lab's editor and damage chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from systems.design_editor import Chart, DesignEditor, EditorChoice, EditorText, chart_series
from systems.legality import Check, Problem
from systems.mech_campaign.build import datasheet, legality, scenario
from systems.mech_campaign.build import scenario_form as drawn
from systems.mech_campaign.build import spec as reading
from systems.mech_campaign.build.datasheet import fire_text, hit_chance, hit_lines, move_text, needed_number
from systems.mech_campaign.build.drawing import unit_body
from systems.mech_campaign.build.spec import FIRST_RANK, MAX_TEXT, UnitSpec
from systems.mech_campaign.catalogue import CATALOGUE, RELEASES, UnitKind
from systems.mech_campaign.options import HOUSE_RULES, Options
from systems.report_fields import DESTROYED, HITS_LOST, KILLS, WITHDREW, CountField, HandTerms
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
from systems.text import SystemWords

WORDS = SystemWords(
    hits="damage",
    boxes="damage boxes",
    money="ore",  # MC-211
    season_points="league points",  # MC-212
)


HAND = HandTerms(
    asks=(
        KILLS.called("units eliminated"),
        CountField(name="specials", label="special actions"),
        HITS_LOST.called("damage taken"),
        DESTROYED.called("eliminated"),
        WITHDREW.called("retreated"),
    ),
    hits=WORDS.hits,
    too_many="{name} can take only {hits} more damage.",
    all_lost="{name} has taken {hits} damage, all that it could, so it is eliminated.",
)


def lab_editor(spec: UnitSpec) -> DesignEditor:
    """Return every kind of unit, and this unit's texts."""
    return DesignEditor(
        frames=tuple(_frame(kind) for kind in CATALOGUE.unit_kinds.values()),
        frame=spec.kind,
        groups=(),
        texts=(
            EditorText(slug="armament", label="Armament (name only)", value=spec.armament, most=MAX_TEXT),
            EditorText(slug="base_vehicle", label="A drone's base vehicle", value=spec.base_vehicle, most=MAX_TEXT),
        ),
    )


def lab_spec(frame: str, fields: Mapping[str, object]) -> dict[str, object]:
    """Return a spec as unchecked JSON values; the base vehicle is dropped if the unit is no longer a drone."""
    spec = {"kind": frame, **{slug: fields[slug] for slug in ("armament", "base_vehicle") if fields.get(slug)}}
    kind = CATALOGUE.unit_kinds.get(frame)
    if kind is not None and not kind.has_base_vehicle:
        spec.pop("base_vehicle", None)
    return spec


def _frame(kind: UnitKind) -> EditorChoice:
    detail = f"Move {move_text(kind)}, fires ×{kind.shooting_actions} at {hit_lines(kind)[0].number}+. {kind.line}"
    return EditorChoice(slug=kind.slug, name=kind.name, detail=detail, points=kind.points)


def lab_charts(spec: UnitSpec) -> Iterator[Chart]:
    """Yield the chart of all shots per turn by a unit of this kind. MC-056, MC-072 to MC-074."""
    kind = spec.unit_kind
    places = (
        ("in the open", needed_number(kind)),
        ("in cover", needed_number(kind, in_cover=True)),
        ("from higher ground", needed_number(kind, from_height=True)),
        ("locked on", needed_number(kind, is_locked=True)),
    )
    yield Chart(
        slug="damage",
        title="Average damage per turn",
        across="Target",
        at=tuple(name for name, _ in places),
        series=(chart_series("damage", [kind.shooting_actions * hit_chance(number) for _, number in places]),),
        note="With all shots used and in range.",
    )


class MechCampaign(RosterSystem[UnitSpec, datasheet.Datasheet]):
    slug = "mech-campaign"
    name = "Mech Campaign"
    words = WORDS
    prefix = "MC"
    releases = RELEASES
    cites: Mapping[str, str] = MappingProxyType({"no-pilot": "MC-202", "wounded": "MC-205", "repair": "MC-203"})
    parts: Mapping[str, str] = MappingProxyType(
        {
            "datasheet": "mech-campaign/_datasheet.html",
            "scenario": "mech-campaign/scenario.html",
            "scenario-form": "mech-campaign/scenario_form.html",
            "scenario-preview": "mech-campaign/_scenario_preview.html",
            "scenario-style": "css/inch-table.css",
            "scenario-script": "js/inch-table.js",
        }
    )
    scenario_lead = "Choose objective, turn limit and points, then draw the table."
    frame_word = "Kind of unit"
    frame_first = "light-mech"
    frame_field = "kind"
    keeps_damage = False  # MC-203
    counts_experience = True  # MC-209
    loan_words = "Your ready units can't make a legal force. Borrow light mechs with rookies for one battle (MC-208)."
    lab_fields = ("kind", "armament", "base_vehicle")
    hire_points = MappingProxyType({FIRST_RANK: 0})  # MC-202
    level_names = MappingProxyType({rank.slug: rank.name for rank in CATALOGUE.ranks.values()})
    skill_names: Mapping[str, str] = MappingProxyType({})
    house_rules = HOUSE_RULES
    documents = MappingProxyType(
        {"spec": reading.SpecFields, "condition": datasheet.Condition, "scenario": scenario.ScenarioSpec}
    )
    rulebook = load_rulebook(Path(__file__).parents[1] / "rulebook.toml")
    published = MappingProxyType(
        {
            kind.slug: PublishedDesign(kind.slug, kind.name, UnitSpec(kind.slug), kind.points)
            for kind in CATALOGUE.unit_kinds.values()
        }
    )
    scenarios = MappingProxyType(
        {
            entry.slug: PublishedScenario(entry.slug, entry.name, scenario.published_spec(entry))
            for entry in CATALOGUE.scenarios.values()
        }
    )

    parse_spec = staticmethod(reading.parse_spec)
    spec_json = staticmethod(reading.spec_json)

    def check_design(self, spec: UnitSpec, options: Mapping[str, object] = {}) -> Check:
        return legality.check_unit(spec)

    def needs_pilot(self, spec: Mapping[str, object]) -> bool:
        return self.parse_spec(spec).unit_kind.is_piloted

    parse_pilot = staticmethod(reading.parse_pilot)

    def check_pilot(self, pilot: PilotSpec, spec: UnitSpec | None = None) -> tuple[Problem, ...]:
        return legality.check_pilot(pilot, spec)

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
        return datasheet.unit_datasheet(
            spec,
            name=name,
            design_name=design_name,
            company=company,
            pilot=pilot,
            condition=datasheet.whole_condition(condition),
            service=service,
        )

    def hired_as(self, experience: str) -> str:
        return FIRST_RANK

    def is_standing(self, options: Mapping[str, object]) -> bool:
        return True

    def is_resting(self, condition: Mapping[str, object]) -> bool:
        return datasheet.parse_condition(condition).workshop

    def is_stuck(self, specs: Sequence[UnitSpec], *, balance: int, games: int) -> bool:
        return games > 0 and not legality.can_field([spec.kind for spec in specs])

    def describe_condition(self, condition: Mapping[str, object]) -> str:
        return datasheet.describe_condition(condition)

    def harm(self, spec: UnitSpec, condition: Mapping[str, object]) -> Harm | None:
        return None if self.is_resting(condition) else Harm(words="in the workshop", most=1)

    def harmed(self, spec: UnitSpec, condition: Mapping[str, object], count: int) -> dict[str, object]:
        return {**condition, "workshop": True}

    def charts(self, spec: UnitSpec) -> tuple[Chart, ...]:
        return tuple(lab_charts(spec))

    def kind_name(self, spec: UnitSpec) -> str:
        return spec.unit_kind.name

    def loadout(self, spec: UnitSpec) -> tuple[str, ...]:
        kind = spec.unit_kind
        arms = f"{spec.armament}, fires" if spec.armament else "Fires"
        able = [word for word, can in (("locks", kind.can_lock), ("repairs", kind.can_repair)) if can]
        return (f"{arms} {fire_text(kind)} at {hit_lines(kind)[0].number}+", *able, *filter(None, [spec.base_vehicle]))

    def lab_spec(self, fields: Mapping[str, str]) -> dict[str, object]:
        return lab_spec(fields.get("kind") or self.frame_first, fields)

    def editor(self, spec: UnitSpec) -> DesignEditor:
        return lab_editor(spec)

    def editor_spec(self, frame: str, counts: Mapping[str, int], before: Mapping[str, object]) -> dict[str, object]:
        return lab_spec(frame, before)


SYSTEM = MechCampaign()
