"""Scenarios of Mech Campaign: a goal and a turn limit, read from JSON values, checked, shown, and filled in on a form."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

import pydantic

from systems.documents import Document, Name, object_of, parse_document
from systems.legality import Check, Problem
from systems.mech_campaign.catalogue import CATALOGUE
from systems.mech_campaign.catalogue.types import Goal, Place, Scenario, SpecialAction
from systems.paper.small_map import Patch, SmallMap, diamond, small_table

OWN_SLUG = "own"  # of a scenario that is not published
TURNS_MOST = 30
BRIEF_MOST = 400
TABLE_IN = 36  # MC-020
ZONE_IN = 6  # deep, MC-024
SENTRY_ZONE_IN = 12

Count = Annotated[int, pydantic.Field(ge=0, le=9999)]
BY_GOAL: Mapping[str, Scenario] = {scenario.goal: scenario for scenario in CATALOGUE.scenarios.values()}


class ScenarioSpec(Document):
    """A scenario as its author wrote it; it may have problems."""

    brief: Annotated[str, pydantic.Field(max_length=BRIEF_MOST)] = ""
    goal: Goal = "claim"
    turn_limit: Count = 12


class ScenarioGiven(Document):
    """A scenario where a document could also name a published one."""

    name: Name
    spec: dict[str, object]


def parse_scenario(data: object, path: str = "spec") -> ScenarioSpec:
    """The spec; raises DocumentError with the path of the first thing that is wrong."""
    return parse_document(ScenarioSpec, object_of(data, path), path)


def scenario_json(spec: ScenarioSpec) -> dict[str, object]:
    """The spec as JSON values; parsing them gives an equal spec."""
    return spec.model_dump(mode="json")


def parse_given(data: object, path: str = "scenario") -> tuple[str, ScenarioSpec]:
    """Name and spec of a scenario given in place of a slug; raises DocumentError."""
    given = parse_document(ScenarioGiven, object_of(data, path), path)
    return given.name, parse_scenario(given.spec, f"{path}.spec")


def play_scenario(name: str, spec: ScenarioSpec) -> Scenario:
    """What is played: the published scenario with that goal, under another name and turn limit."""
    return replace(BY_GOAL[spec.goal], slug=OWN_SLUG, name=name, brief=spec.brief, turn_limit=spec.turn_limit)


def published_spec(scenario: Scenario) -> ScenarioSpec:
    """The spec that plays as a published scenario does."""
    return ScenarioSpec(brief=scenario.brief, goal=scenario.goal, turn_limit=scenario.turn_limit)


def check_scenario(spec: ScenarioSpec) -> Check:
    """All problems of a scenario. MC-122."""
    if 1 <= spec.turn_limit <= TURNS_MOST:
        return Check(0)
    message = f"The turn limit must be 1 to {TURNS_MOST}, not {spec.turn_limit}."
    return Check(0, (Problem("MC-122", message, "turn_limit"),))


# --- the page ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place on the table as a drawing needs it: inches from the top left, side B's edge on top."""

    x: float
    y: float
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSheet:
    brief: str
    objective: str
    victory: str
    victory_rule: str
    turn_limit: int
    forces: str
    first: str
    special: SpecialAction | None
    special_text: str
    spots: tuple[Spot, ...]
    mouths: tuple[Spot, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The drawing in sentences."""
        lines = [
            f"The table is {TABLE_IN} by {TABLE_IN} in; side A's edge is at the bottom.",
            f"Each side starts within {ZONE_IN} in of its edge, gun sentries within {SENTRY_ZONE_IN} in.",
            f"Tunnel mouths {_places(self.mouths)}: inches from the left, then from side A's edge.",
        ]
        return (*lines, *(f"{spot.name} {_places((spot,))}." for spot in self.spots))


def small_map(sheet: ScenarioSheet) -> SmallMap:
    """The table with the tunnel mouths and what is fought for."""
    mouths = (
        Patch("small-map__block", f"M{each.x - 1:g},{each.y + 0.8:g}v-1a1,1 0 0 1 2,0v1z") for each in sheet.mouths
    )
    spots = (diamond("small-map__key", each.x, each.y, 2) for each in sheet.spots)
    return small_table(TABLE_IN, ZONE_IN, (*mouths, *spots))


def scenario_sheet(spec: ScenarioSpec) -> ScenarioSheet:
    """The scenario as a page shows it; problems leave gaps, never errors."""
    scenario = BY_GOAL[spec.goal]
    special = CATALOGUE.special_actions[scenario.special] if scenario.special else None
    limits = CATALOGUE.force_limits
    names = {"beacons": "Beacon", "drill": "Drill head"}
    name = names.get(scenario.goal, "")
    several = len(scenario.places_h) > 1
    return ScenarioSheet(
        brief=spec.brief,
        objective=scenario.objective,
        victory=scenario.victory,
        victory_rule=scenario.victory_rule,
        turn_limit=spec.turn_limit,
        forces=f"{limits['size-min'].value} to {limits['size-max'].value} units",
        first="side A" if scenario.first else "the higher of one D6 each",
        special=special,
        special_text=_special_text(special) if special else "none",
        spots=tuple(
            _spot(place, f"{name} {number}" if several else name) for number, place in enumerate(scenario.places_h, 1)
        ),
        mouths=tuple(_spot(place, "Tunnel mouth") for place in CATALOGUE.terrain["tunnel-mouth"].at_h),
    )


def _special_text(special: SpecialAction) -> str:
    who = ", ".join(CATALOGUE.unit_kinds[slug].name.lower() for slug in special.who)
    roll = f"D6, {special.number}+" if special.number else "automatic"
    side = f" of side {special.side}" if special.side else ""
    needed = f"; {special.needed} needed" if special.needed > 1 else ""
    return f"{special.name}: {who}{side} within {special.within_h / 100:g} in; {roll}{needed}. {special.effect}"


def _spot(place: Place, name: str) -> Spot:
    x, y = place
    return Spot(x=x / 100, y=TABLE_IN - y / 100, name=name)


def _places(spots: tuple[Spot, ...]) -> str:
    return "at " + ", ".join(f"({spot.x:g}, {TABLE_IN - spot.y:g})" for spot in spots)


# --- the form ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalChoice:
    value: str
    label: str
    detail: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioForm:
    brief: str
    brief_most: int
    goals: tuple[GoalChoice, ...]
    turn_limit: int
    turns_most: int


def scenario_form(spec: ScenarioSpec) -> ScenarioForm:
    """The fields of that spec."""
    return ScenarioForm(
        brief=spec.brief,
        brief_most=BRIEF_MOST,
        goals=tuple(
            GoalChoice(
                value=scenario.goal,
                label=scenario.objective,
                detail=scenario.victory,
                is_chosen=scenario.goal == spec.goal,
            )
            for scenario in CATALOGUE.scenarios.values()
        ),
        turn_limit=spec.turn_limit,
        turns_most=TURNS_MOST,
    )


def form_spec(fields: Mapping[str, str]) -> dict[str, object]:
    """The spec as JSON values that the fields of a form make; a number that is none is 0, which the check refuses."""
    goal, turns = fields.get("goal", ""), fields.get("turn_limit", "").strip()
    is_number = turns.isascii() and turns.isdecimal() and len(turns) < 9
    return {
        "brief": " ".join(fields.get("brief", "").split())[:BRIEF_MOST],
        "goal": goal if goal in BY_GOAL else "claim",
        "turn_limit": min(int(turns), 9999) if is_number else 0,
    }
