"""Initial values of the battle form: ready battles, earlier battles, random forces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict

from battles.choices import (
    PublishedForce,
    ScenarioReference,
    design_points,
    first_doctrines,
    published_forces,
    ready_made_forces,
    setup_unit,
)
from battles.forms.orders import WHOLE_SIDE, lines_of, order_values, with_lines_more
from battles.forms.setups import Initial, count_given_rows, is_stock_name, plain_side, scenario_of
from battles.forms.sides import ASKED_FOR, LETTERS, ROWS, OwnCompany, fielded_stock, own_companies
from battles.models import Battle
from rosters.models import Company, Player, Unit, UnitStatus
from rosters.scenarios.selectors import PlayableScenario, playable_scenarios
from systems import battle_rules, roster_rules
from systems.lab.random_builds import RandomForce, draw_force
from systems.legality import Check
from systems.reading import stored_setup

MORE = "more-"  # followed by the letter of the side that gets another row
MORE_ORDERS = "more-orders-"  # followed by the letter of the side that gets more lines for autoplay orders


def first_initial(system: str, scenario: str, player: Player | None) -> Initial:
    """Return a battle ready to start: the system's first battle, or ready-made forces for the scenario."""
    scenarios = playable_scenarios(player or AnonymousUser(), system=system) if scenario else ()
    playable = next((each for each in scenarios if each.value == scenario), None)
    first = first_units(system)
    if playable is None and first:
        return first
    forces = ready_made_forces(system, scenario_of(system, playable, player))
    initial: Initial = {"f": {"scenario": playable.value}} if playable else {}
    for letter, force, doctrine in zip(LETTERS, forces or (), first_doctrines(system), strict=False):
        initial |= force_rows(letter, force)
        initial[letter] = {"name": force.name, "doctrine": doctrine}
    return initial


def company_initial(company: OwnCompany, initial: Initial) -> Initial:
    """Return the initial values with that company as the attacker."""
    rows = side_rows(LETTERS[0], [{"unit": value} for value, _ in company.units])
    return initial | rows | {LETTERS[0]: {**initial.get(LETTERS[0], {}), "name": company.name}}


class UnavailableCompany(NamedTuple):
    """A company that can't fight, and why, in a sentence."""

    company: Company
    why: str


def stays_home(system: str, company: int, player: Player) -> UnavailableCompany | None:
    """Return the player's company and why it can't fight; None if it isn't theirs.

    Call this if none of the company's units can fight now.
    """
    row = Company.objects.filter(owner=player, system=system, pk=company).first()
    if row is None:
        return None
    if row.disbanded_at:
        return UnavailableCompany(row, "It has been disbanded.")
    states = set(row.units.values_list("status", flat=True))
    if UnitStatus.READY in states:
        return UnavailableCompany(row, "None of its units has a pilot. Assign one first.")
    return UnavailableCompany(
        row,
        "None of its units is ready. Repair one first."
        if UnitStatus.DESTROYED in states
        else "It has no units. Buy one first.",
    )


def first_units(system: str) -> Initial:
    """Return the rows of the system's first battle; none if it has none."""
    return {
        f"{letter}{number}": {"unit": f"design:{design}", "level": level}
        for letter, side in zip(LETTERS, battle_rules(system).first_units, strict=False)
        for number, (design, level) in enumerate(side, start=1)
    }


def side_rows(letter: str, rows: Sequence[dict[str, object]] = ()) -> Initial:
    """Return the rows of a side: these, and empty ones for the rest."""
    return {f"{letter}{at + 1}": rows[at] if at < len(rows) else {} for at in range(ROWS)}


def force_rows(letter: str, force: PublishedForce) -> Initial:
    """Return the rows of a side, filled with that force."""
    values = (
        f"design:{unit.design}" if isinstance(unit.design, str) else f"force:{force.slug}:{at}"
        for at, unit in enumerate(force.units)
    )
    pairs = zip(values, force.units, strict=True)
    return side_rows(letter, [{"unit": value, "level": unit.level} for value, unit in pairs])


def is_form_update(data: QueryDict) -> bool:
    """Return whether the form was sent only to be filled in or to get another row or line."""
    do = data.get("do", "")
    return do == "fill" or do.startswith(MORE)


def posted_initial(system: str, data: QueryDict, player: Player | None) -> Initial:
    """Return the values of a posted form as initial values of a new form.

    `a-force` and `b-force` are filled in, and `do` adds a row ("more-a") or lines for orders ("more-orders-b"). If the
    scenario has changed (`stock` is the earlier one) and nobody changed its ready-made units, they are replaced by
    those of the new scenario.
    """
    initial: Initial = {"f": {}, "o": {}}
    for key in data:
        prefix, _, name = key.partition("-")
        if name.startswith("support-"):
            prefix, name = f"{prefix}-support", name.removeprefix("support-")
        elif name.startswith("standing-"):
            prefix, name = f"{prefix}-standing", name.removeprefix("standing-")
        elif name.startswith("orders-"):
            prefix, name = f"{prefix}-orders", name.removeprefix("orders-")
        initial.setdefault(prefix, {})[name] = data.getlist(key) if name == "skills" else data.get(key)
    scenario, stock = data.get("f-scenario", ""), data.get("stock", "")
    do, is_log = data.get("do", ""), data.get("for") == "log"
    plain = battle_rules(system).plain_level
    if scenario != stock and _unit_values(initial, plain) == _unit_values(first_initial(system, stock, player), plain):
        fresh = first_initial(system, scenario, player)
        for letter in LETTERS:
            initial |= side_rows(letter) | {letter: plain_side(system, letter)}
        initial |= {key: value for key, value in fresh.items() if key != "f"}
        return initial | _more(initial, do, is_log=is_log)
    companies = {str(company.pk): company for company in own_companies(player, system)}
    for letter in LETTERS:
        kind, _, ref = data.get(f"{letter}-force", "").partition(":")
        force = published_forces(system).get(ref) if kind == "force" else None
        company = companies.get(ref) if kind == "company" else None
        if force:
            initial |= force_rows(letter, force)
        elif company:
            initial |= side_rows(letter, [{"unit": value} for value, _ in company.units])
        chosen: PublishedForce | OwnCompany | None = force or company
        if chosen and is_stock_name(system, initial.get(letter, {}).get("name", "")):
            initial[letter]["name"] = chosen.name
    return initial | _more(initial, do, is_log=is_log)


def _more(initial: Initial, do: str, *, is_log: bool) -> Initial:
    """Return an empty row for the side, or more lines for orders; nothing if the side has the maximum."""
    letter = do.removeprefix(MORE_ORDERS)
    if do.startswith(MORE_ORDERS) and letter in (*LETTERS,):
        key = f"{letter}-standing"
        return {key: with_lines_more(initial.get(key, {}))}
    letter = do.removeprefix(MORE)
    number = count_given_rows(letter, None, initial, is_log=is_log) + 1
    return {f"{letter}{number}": {"unit": "", ASKED_FOR: True}} if letter in (*LETTERS,) and number <= ROWS else {}


def _unit_values(initial: Initial, plain: str) -> list[tuple[str, str]]:
    """Return unit and level of every row in use."""
    rows = [initial.get(f"{letter}{number}", {}) for letter in LETTERS for number in range(1, ROWS + 1)]
    return [(str(row["unit"]), str(row.get("level") or plain)) if row.get("unit") else ("", "") for row in rows]


def kept_initial(battle: Battle, player: Player | None) -> Initial:
    """Return the set-up of an earlier battle as initial values."""
    setup = battle.setup
    initial: Initial = {
        "f": {"scenario": setup["scenario"], "terrain": setup["terrain"], "visibility": battle.visibility},
        "o": dict(setup["options"]),
    }
    forces = {side.position: side for side in battle.sides.select_related("company")}
    ids = [ref["unit"] for side in forces.values() for ref in side.force.values()]
    rows = Unit.objects.filter(status=UnitStatus.READY, pk__in=ids) if player and ids else ()
    needs_pilot = roster_rules(battle.system).needs_pilot
    ready = {unit.pk for unit in rows if unit.pilot_id or not needs_pilot(unit.spec)}
    for at, letter in enumerate(LETTERS):
        side = battle.setup["sides"][at]
        initial[letter] = {"name": side["name"], "doctrine": side["doctrine"]}
        initial[f"{letter}-support"] = {str(number): slug for number, slug in enumerate(side["support"], start=1)}
        orders = {str(number): unit.get("standing", {}) for number, unit in enumerate(side["units"][:ROWS], start=1)}
        places = {unit["key"]: str(number) for number, unit in enumerate(side["units"], start=1)}
        initial[f"{letter}-orders"] = order_values(side.get("orders", {}), partial(_support_result, places))
        initial[f"{letter}-standing"] = lines_of({WHOLE_SIDE: side.get("standing", {}), **orders})
        row = forces.get(at)
        mine = row and row.company and player and row.company.owner_id == player.pk
        for number, unit in enumerate(side["units"][:ROWS], start=1):
            owned = row.force.get(unit["key"]) if row and mine else None
            value = f"design:{unit['design']}" if isinstance(unit["design"], str) else f"kept:{unit['key']}"
            if owned and owned["unit"] in ready:
                value = f"unit:{owned['unit']}"
            pilot = unit.get("pilot") or {"experience": battle_rules(battle.system).plain_level, "skills": []}
            initial[f"{letter}{number}"] = {"unit": value, "level": pilot["experience"], "skills": pilot["skills"]}
    return initial


def _support_result(places: Mapping[str, str], key: str) -> str:
    """Return the row number of a unit; empty if it has no row."""
    return places.get(key, "")


def left_out(battle: Battle) -> tuple[str, ...]:
    """Describe everything in an earlier battle's set-up that the form has no field for, a sentence each."""
    setup = stored_setup(battle.setup)
    sentences = []
    for side in setup.sides:
        if any(unit.position for unit in side.units):
            sentences.append(f"{side.name}'s units started at chosen places; here the AI deploys them.")
    return tuple(sentences)


SIDE_LETTERS = ("a", "b")
MAX_RANDOM_UNITS = 6  # per side
MAX_RANDOM_POINTS = 99_999
MAX_SEED = 2**63 - 1


class RandomForcesForm(forms.Form):
    """The scenario, the seed, and points for sides without a limit of their own."""

    scenario = forms.ChoiceField(label="Scenario", choices=())
    points = forms.IntegerField(
        label="Points per side",
        min_value=1,
        max_value=MAX_RANDOM_POINTS,
        help_text="The scenario may allow less.",
    )
    seed = forms.IntegerField(
        label="Seed", min_value=0, max_value=MAX_SEED, help_text="The same seed gives the same forces."
    )

    def __init__(
        self, data: QueryDict | None, *, system: str, scenarios: Sequence[PlayableScenario], scenario: str
    ) -> None:
        most = max((force.points for force in published_forces(system).values()), default=MAX_RANDOM_POINTS)
        super().__init__(
            data, initial={"points": most, "seed": 1, "scenario": scenario}, prefix="f", auto_id="random-%s"
        )
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
    """Draw a random force for each side, including the designs in `kept`."""
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
    """Return the pilot levels to try: the plain one, then cheaper ones for scenarios that allow no others."""
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
    published, stock = roster_rules(system).published, fielded_stock(system)
    designs = force.designs if force else ()
    units = tuple(
        DrawnUnit(design, published[design].name, pool[design], at < stays, stock[f"design:{design}"].spec)
        for at, design in enumerate(designs)
    )
    level_name = roster_rules(system).level_names.get(level, "")
    return DrawnSide(letter, units, force.points if force else 0, limit, level, level_name)
