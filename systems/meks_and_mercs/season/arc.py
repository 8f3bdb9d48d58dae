"""The six scenarios of Meks & Mercs as one campaign story, and the changes it makes to their terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from systems.arcs import Arc, EvenTerms, StorylineBonus, StorylineStep
from systems.catalogue import load_table
from systems.meks_and_mercs.build.scenario import (
    ScenarioSpec,
    SideFields,
    parse_scenario,
    published_spec,
    scenario_json,
)
from systems.meks_and_mercs.build.scenario_check import MAX_POINTS, MAX_ROLLS, MIN_POINTS
from systems.meks_and_mercs.catalogue import CATALOGUE

FRESH = {"season-mode": "fresh-build"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFields:
    """A step as written in the file."""

    slug: str  # of its scenario
    leaves: StorylineBonus = StorylineBonus()
    why: str = ""
    even: EvenTerms | None = None


_STEPS = load_table(Path(__file__).parent.parent / "arc.toml", StepFields)
ARC = Arc(
    name="Six-scenario war",
    about="The six printed scenarios in their order. Half of the companies attack in all of them, the others defend; "
    "Meks are bought for each game out of its scenario’s points, pilots stay, and who wins comes stronger to the next.",
    steps=tuple(StorylineStep(scenario=slug, leaves=each.leaves, why=each.why, even=each.even) for slug, each in _STEPS.items()),
    options=FRESH,
)


def has_terms(given: str | Mapping[str, object]) -> bool:
    """Return whether the scenario has points and support rolls of its own; a zone battle has none."""
    return not isinstance(given, str) or given in CATALOGUE.scenarios


def change_terms(given: str | Mapping[str, object], gains: Sequence[StorylineBonus]) -> dict[str, object]:
    """Return a scenario, as name and spec, with changed points and support rolls.

    `given` is a published one's slug, or already name and spec.
    """
    name, spec = name_and_spec(given)
    attacker, defender = (_side(side, gain) for (_, side), gain in zip(spec.sides(), gains, strict=True))
    spec = spec.model_copy(update={"attacker": attacker, "defender": defender})
    return {"name": name, "spec": scenario_json(spec)}


def name_and_spec(given: str | Mapping[str, object]) -> tuple[str, ScenarioSpec]:
    """Return name and spec of a scenario, given as a published one's slug or as name and spec."""
    if isinstance(given, str):
        scenario = CATALOGUE.scenarios[given]
        return scenario.name, published_spec(scenario)
    return str(given["name"]), parse_scenario(given["spec"])


def _side(side: SideFields, gain: StorylineBonus) -> SideFields:
    points = min(MAX_POINTS, max(MIN_POINTS, side.points + gain.points))
    rolls = min(MAX_ROLLS, max(0, side.support_rolls + gain.rolls))
    return side.model_copy(update={"points": points, "support_rolls": rolls})
