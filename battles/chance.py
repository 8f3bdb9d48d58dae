"""Random forces for both sides of a scenario: the form, the draw, and how it fills the form of a battle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django import forms
from django.http import QueryDict

from battles.choices import ScenarioReference
from battles.forms.figures import fielded_stock
from battles.published_forces import design_points, published_forces, setup_unit
from rosters.scenarios.selectors import PlayableScenario
from systems import battle_rules, roster_rules
from systems.lab.forces import RandomForce, draw_force
from systems.legality import Check

SIDE_LETTERS = ("a", "b")
MAX_RANDOM_UNITS = 6  # per side
MAX_RANDOM_POINTS = 99_999
MAX_SEED = 2**63 - 1


class RandomForcesForm(forms.Form):
    """The scenario, the seed, and points for sides without a limit of their own."""

    scenario = forms.ChoiceField(label="Scenario", choices=())
    points = forms.IntegerField(
        label="Points a side", min_value=1, max_value=MAX_RANDOM_POINTS, help_text="Less, where the scenario allows less."
    )
    seed = forms.IntegerField(
        label="Seed", min_value=0, max_value=MAX_SEED, help_text="The same seed draws the same again."
    )

    def __init__(
        self, data: QueryDict | None, *, system: str, scenarios: Sequence[PlayableScenario], scenario: str
    ) -> None:
        most = max((force.points for force in published_forces(system).values()), default=MAX_RANDOM_POINTS)
        super().__init__(data, initial={"points": most, "seed": 1, "scenario": scenario}, prefix="f")
        choice = self.fields["scenario"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(each.value, each.name) for each in scenarios]


@dataclass(frozen=True, slots=True)
class DrawnUnit:
    design: str
    name: str
    points: int
    stays: bool
    spec: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class DrawnSide:
    """The units drawn for a side; empty if nothing legal was drawn."""

    letter: str
    units: tuple[DrawnUnit, ...]
    points: int  # with their pilots
    limit: int
    level: str  # the pilots' level; empty: there are none
    level_name: str

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The values that fill this side of the form of a battle."""
        found: list[tuple[str, str]] = []
        for at, each in enumerate(self.units, start=1):
            found.append((f"{self.letter}{at}-unit", f"design:{each.design}"))
            found += [(f"{self.letter}{at}-level", self.level)] if self.level else []
        return tuple(found)


def random_forces(
    system: str, scenario: ScenarioReference, *, points: int, seed: int, kept: Sequence[Sequence[str]]
) -> list[DrawnSide]:
    """Return a random force for each side, including the designs that are kept."""
    rules, roster = battle_rules(system), roster_rules(system)
    terms = rules.terms(scenario)
    pool = {
        slug: design_points(system, slug)
        for slug, each in roster.published.items()
        if roster.check_design(each.spec).legal
    }
    found = []
    for side, letter in enumerate(SIDE_LETTERS):
        allowed = terms.sides[side].points if terms else None
        limit = points if allowed is None else min(points, allowed)
        stays = [slug for slug in kept[side] if slug in pool][:MAX_RANDOM_UNITS]
        for level in _levels(system):
            check = _checker(system, scenario, side, level)
            force = draw_force(check, pool, kept=stays, points=limit, seed=seed, side=side, most=MAX_RANDOM_UNITS)
            if force is not None:
                break
        found.append(_draw_side(system, letter, force, limit, len(stays), pool, level))
    return found


def _levels(system: str) -> tuple[str, ...]:
    """Return the pilot levels of a draw: the plain one, then cheaper ones for scenarios that pay for no others."""
    plain, hire = battle_rules(system).plain_level, roster_rules(system).hire_points
    cheaper = sorted((level for level in hire if hire[level] < hire.get(plain, 0)), key=lambda level: -hire[level])
    return (plain, *cheaper)


def _checker(system: str, scenario: ScenarioReference, side: int, level: str) -> Callable[[Sequence[str]], Check]:
    rules = battle_rules(system)
    pilot = {"experience": level, "skills": []} if level else None

    def check(designs: Sequence[str]) -> Check:
        units = [setup_unit(at, design, "", pilot) for at, design in enumerate(designs)]
        return rules.check_side(scenario, side, units, (), {})

    return check


def _draw_side(
    system: str, letter: str, force: RandomForce | None, limit: int, stays: int, pool: dict[str, int], level: str
) -> DrawnSide:
    published, shown = roster_rules(system).published, fielded_stock(system)
    designs = force.designs if force else ()
    units = tuple(
        DrawnUnit(design, published[design].name, pool[design], at < stays, shown[f"design:{design}"].spec)
        for at, design in enumerate(designs)
    )
    told = roster_rules(system).level_names.get(level, "")
    return DrawnSide(letter, units, force.points if force else 0, limit, level, told)
