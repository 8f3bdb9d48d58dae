"""One side in the battle form: its companies, forces and units to choose from, and a row for each unit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple

from django import forms
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from battles.choices import (
    GroupedChoices,
    ScenarioReference,
    SharedChoices,
    crew_offered,
    design_points,
    doctrine_choices,
    first_doctrines,
    force_fits,
    published_forces,
    set_choices,
)
from battles.forms.orders import (
    FormData,
    StandingForm,
    SupportForm,
    SupportOrdersForm,
)
from battles.hooks import PracticeReason
from battles.models import Battle
from battles.services.setups import UnitChoice
from rosters.database.queries import PreparedQuery
from rosters.forms import NameField
from rosters.fragment_cache import render_fragment
from rosters.models import Company, Player, Unit, UnitStatus
from rosters.site.rendering import escape_markup
from rosters.unit_cache import reading_of, unit_drawing, unit_svg
from systems import battle_rules, roster_rules
from systems.battle_display import SideTerms
from systems.documents import DocumentError
from systems.legality import Problem
from systems.reading import stored_setup
from systems.rulebook import RuleRef
from systems.setups import MAX_UNITS
from systems.text import count_names, pluralize

FIGURE_CACHE_SIZE = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldedUnit:
    """A unit as it would be fielded: spec and condition as JSON values."""

    spec: Mapping[str, object]
    condition: Mapping[str, object] = field(default_factory=dict)
    colour: str = ""
    release: str = ""  # of the catalogue it is read with; empty: the newest


@cache
def fielded_stock(system: str) -> Mapping[str, FieldedUnit]:
    """Return the units that every row offers, by value: published designs, and designs only ready-made forces have."""
    rules = roster_rules(system)
    found = {f"design:{slug}": FieldedUnit(spec=rules.spec_json(each.spec)) for slug, each in rules.published.items()}
    for force in published_forces(system).values():
        for at, unit in enumerate(force.units):
            if not isinstance(unit.design, str):
                found[f"force:{force.slug}:{at}"] = FieldedUnit(spec=unit.design)
    return found


def render_figure(system: str, unit: FieldedUnit | None) -> SafeString:
    """Return the unit's markup; an empty place for no unit, or one that its game can't read any more."""
    if unit is None:
        return NO_FIGURE
    release = unit.release or roster_rules(system).catalogue_release
    return _render_figure(system, json.dumps(dict(unit.spec)), json.dumps(dict(unit.condition)), unit.colour, release)


NO_FIGURE = mark_safe('<span class="unit-figure__none"></span>')


@lru_cache(maxsize=FIGURE_CACHE_SIZE)
def _render_figure(system: str, spec_text: str, condition_text: str, colour: str, release: str) -> SafeString:
    spec, condition = json.loads(spec_text), json.loads(condition_text)
    try:
        picture = unit_svg(unit_drawing(system, spec, condition), "row", colour=colour) or NO_FIGURE
        lines = _describe_unit(system, spec, condition, release)
    except DocumentError:
        return NO_FIGURE
    markup = "".join(f"<span>{escape_markup(line)}</span>" for line in lines if line)
    return mark_safe(f'{picture}<p class="unit-figure__summary">{markup}</p>')  # all its parts are escaped


def _describe_unit(
    system: str, spec: Mapping[str, object], condition: Mapping[str, object], release: str
) -> tuple[str, str]:
    """Return its points and remaining hits, and its weapons or else its figures."""
    rules, read = roster_rules(system, release), reading_of(system, spec, condition, release)
    build = rules.parse_spec(spec)
    left = f"{read.hits_left} of {read.hits} {rules.words.hits} left" if read.hits_left < read.hits else ""
    first = " · ".join(each for each in (f"{read.check.points} pt", rules.kind_name(build), left) if each)
    carried = count_names(rules.arms(build))
    if not carried:
        columns = rules.datasheet(build, name="", design_name="").columns
        carried = ", ".join(f"{label} {value}" for label, value in columns if value)
    return first, carried


ROWS = MAX_UNITS
ROWS_SHOWN = 3  # initial rows of a side; a battle at a table starts with one, and gets another when it is filled
LETTERS = "ab"
SIDE_NAMES = {"a": "Attacker", "b": "Defender"}
ASKED_FOR = "asked_for"  # marks the initial values of a row that was just added


def _own_units(player: int, system: str) -> QuerySet[Unit]:
    rows = Unit.objects.filter(
        status=UnitStatus.READY, company__owner=player, company__disbanded_at=None, company__system=system
    )
    return rows.select_related("company", "pilot").order_by("company__name", "company_id", "position", "pk")


OWN_UNITS = PreparedQuery(_own_units, player=int, system=str)


@dataclass(frozen=True, slots=True)
class OwnCompany:
    """A company of the player with the units it can field: value and label, and the look of each."""

    pk: int
    name: str
    units: tuple[tuple[str, str], ...]
    fielded_units: Mapping[str, FieldedUnit]

    def points(self, system: str) -> int:
        """Return the points of its units without pilots, of as many as a side of that system can field."""
        fielded = [*self.fielded_units.values()][: battle_rules(system).max_units]
        return sum(reading_of(system, each.spec, each.condition, each.release).check.points for each in fielded)


def own_companies(player: Player | None, system: str) -> tuple[OwnCompany, ...]:
    """Return the player's companies of that system."""
    if player is None:
        return ()
    needs_pilot = roster_rules(system).needs_pilot
    names: dict[int, str] = {}
    units: dict[int, list[tuple[str, str]]] = {}
    fielded_units: dict[int, dict[str, FieldedUnit]] = {}
    for unit in OWN_UNITS.rows(player=player.pk, system=system):
        if unit.pilot is None and needs_pilot(unit.spec):
            continue
        company, value = unit.company, f"unit:{unit.pk}"
        pilot = f" · {unit.pilot}" if unit.pilot else ""
        name = unit.name if unit.name == unit.design_name else f"{unit.name} ({unit.design_name})"
        names[company.pk] = company.name
        units.setdefault(company.pk, []).append((value, f"{name}{pilot}"))
        fielded_units.setdefault(company.pk, {})[value] = FieldedUnit(
            spec=unit.spec, condition=unit.condition, colour=company.colour, release=company.catalogue_release
        )
    return tuple(OwnCompany(pk, name, tuple(units[pk]), fielded_units[pk]) for pk, name in names.items())


def unit_options(system: str, companies: Iterable[OwnCompany], kept: Battle | None, letter: str) -> GroupedChoices:
    """Return the options of a row: published designs, the player's ready units, and units of the earlier battle."""
    rules, battles = roster_rules(system), battle_rules(system)
    published, made = stock_options(system)
    options: GroupedChoices = [("", "no unit"), (f"Published {rules.unit_words[1]}", list(published))]
    options += [(company.name, list(company.units)) for company in companies]
    if made:
        options.append(("From ready-made forces", list(made)))
    if kept:
        setup = stored_setup(kept.setup)
        at = LETTERS.index(letter)
        own = [
            (f"kept:{unit.key}", f"{battles.unit_names(setup)[unit.key]} as it was")
            for unit in setup.sides[at].units
            if not isinstance(unit.design, str)
        ]
        if own:
            options.append(("From that battle", own))
    return options


@cache
def stock_options(system: str) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """Return the options that every row offers: published designs, and designs only ready-made forces have."""
    published = (
        (f"design:{slug}", f"{design.name} · {design_points(system, slug)} pt")
        for slug, design in roster_rules(system).published.items()
    )
    made = (
        (f"force:{force.slug}:{at}", f"{unit.name} · {design_points(system, unit.design)} pt")
        for force in published_forces(system).values()
        for at, unit in enumerate(force.units)
        if not isinstance(unit.design, str)
    )
    return tuple(published), tuple(made)


def force_options(
    system: str, companies: Iterable[OwnCompany], scenario: ScenarioReference, side: int
) -> GroupedChoices:
    """Return forces that can fill all rows of a side; those that fit the scenario come first."""
    fitting: list[tuple[str, str]] = []
    other: list[tuple[str, str]] = []
    for force in published_forces(system).values():
        fits = force_fits(system, scenario, side, force)
        (fitting if fits else other).append((f"force:{force.slug}", f"{force.name} · {force.points} pt"))
    options: GroupedChoices = [("", "custom (below)")]
    own = [(f"company:{company.pk}", company.name) for company in companies]
    groups = [("Your companies", own), ("Ready-made, legal here", fitting), ("Ready-made, not legal here", other)]
    options += [(title, group) for title, group in groups if group]
    return options


class ChosenUnit(NamedTuple):
    """The values of a row."""

    unit: str
    level: str
    skills: list[str]


class UnitRow(forms.Form):
    """One place on a side: a unit, and the level and skills of its pilot if it has none of its own.

    Games without levels or skills have no such field.
    """

    unit = forms.ChoiceField(required=False)
    level = forms.ChoiceField(required=False, label="Pilot")
    skills = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(
        self,
        data: FormData,
        *,
        system: str,
        letter: str,
        number: int,
        options: SharedChoices,
        initial: dict[str, object] | None,
        is_log: bool = False,
    ) -> None:
        super().__init__(data, prefix=f"{letter}{number}", initial=initial)
        self.system, self.letter, self.number, self.options = system, letter, number, options
        self.is_log = is_log
        self.fielded_unit: FieldedUnit | None = None  # the look of its unit
        set_choices(self, "unit", options)
        self.fields["unit"].label = f"Unit {number}"
        if (initial or {}).get(ASKED_FOR):
            self.fields["unit"].widget.attrs["autofocus"] = True
        rules, (levels, skills) = battle_rules(system), crew_offered(system)
        set_choices(self, "level", levels)
        set_choices(self, "skills", skills)
        if levels:
            self.fields["level"].initial = rules.plain_level

    def values(self) -> ChosenUnit:
        """Return unit, level and skills, even of an unsent form; unknown values are left out."""
        rules = battle_rules(self.system)
        level = self["level"].value() if "level" in self.fields else None
        skills = [skill for skill in self._skills if skill in rules.skills]
        return ChosenUnit(self["unit"].value(), str(level) if level in rules.levels else rules.plain_level, skills)

    @property
    def _skills(self) -> list[str]:
        return self["skills"].value() or [] if "skills" in self.fields else []

    @property
    def is_used(self) -> bool:
        return bool(self["unit"].value())

    @property
    def drawn(self) -> SafeString:
        """The row as HTML. Unbound rows are cached, because they are the same on nearly every page."""
        context = {"row": self}
        if self.is_bound:
            return mark_safe(render_to_string("battles/_unit_row.html", context))
        chosen = (*(str(field.value()) for field in self), ASKED_FOR in self.initial)
        shows = (self.system, self.letter, self.number, self.options.hashable, chosen, self.figure, self.is_log)
        return render_fragment("battles/_unit_row.html", *shows, context=lambda: context)

    @property
    def figure(self) -> SafeString:
        """The picture, points and equipment of its unit."""
        return render_figure(self.system, self.fielded_unit)

    @property
    def skill_boxes(self) -> SafeString:
        """A box for each skill, ticked if it is chosen."""
        field, known = self["skills"], battle_rules(self.system).skills
        chosen = frozenset(skill for skill in known if skill in self._skills)
        return skill_boxes(self.system, field.html_name, field.auto_id, chosen)

    @property
    def skill_count(self) -> int:
        return len(self._skills)

    @property
    def crew_label(self) -> str:
        """What its pilot has beyond the plain level, in a few words."""
        rules, chosen = battle_rules(self.system), self.values()
        level = "" if chosen.level == rules.plain_level else rules.levels[chosen.level]
        skills = pluralize(len(chosen.skills), "skills") if chosen.skills else ""
        return ", ".join(each for each in (level, skills) if each)


@lru_cache(maxsize=512)
def skill_boxes(system: str, name: str, auto_id: str, chosen: frozenset[str]) -> SafeString:
    """Return the boxes of one row, cached: there are 120 on a page, the same on nearly every page."""
    return format_html_join(
        "",
        '<label class="check"><input type="checkbox" name="{}" value="{}" id="{}_{}"{}> <span>{}</span></label>',
        (
            (name, value, auto_id, at, mark_safe(" checked" if value in chosen else ""), label)
            for at, (value, label) in enumerate(battle_rules(system).skills.items())
        ),
    )


class SideForm(forms.Form):
    name = NameField(max_length=60, label="Name")
    doctrine = forms.ChoiceField(label="AI style")

    def __init__(
        self, data: FormData, *, prefix: str, system: str, initial: dict[str, object], is_log: bool = False
    ) -> None:
        super().__init__(data, prefix=prefix, initial=initial)
        set_choices(self, "doctrine", doctrine_choices(system))
        if is_log:  # people made the decisions at the table, but the document needs an AI style
            self.fields["doctrine"].widget = forms.HiddenInput()
            self.fields["doctrine"].initial = first_doctrines(system)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTally:
    """A side's cost so far, its limit, and its problems."""

    units: int
    points: int
    limit: int | None
    problems: tuple[tuple[Problem, RuleRef | None], ...]
    refusal: str = ""

    @property
    def is_legal(self) -> bool:
        return not self.problems and not self.refusal


@dataclass(slots=True, kw_only=True)
class SidePart:
    """One side of the form."""

    letter: str
    form: SideForm
    rows: list[UnitRow]
    forces: GroupedChoices
    terms: SideTerms | None
    picks: list[UnitChoice]
    company: Company | None
    books: PracticeReason | None  # why the battle will be practice for the company
    refusal: str
    support: SupportForm
    orders: SupportOrdersForm
    standing: StandingForm
    tally: SideTally
    max_units: int

    @property
    def name(self) -> str:
        return SIDE_NAMES[self.letter]

    @property
    def can_grow(self) -> bool:
        """Whether it can get another row."""
        return len(self.rows) < self.max_units

    def support_ordered(self) -> dict[str, dict[str, object]]:
        """Return the orders for its support; units are given by their set-up keys. Only for valid forms."""
        used = [str(row.number) for row in self.rows if row.is_used]
        keys = {
            number: pick.key or f"{self.letter}{at}"
            for at, (number, pick) in enumerate(zip(used, self.picks, strict=False), start=1)
        }
        return self.orders.orders.given(lambda number: keys.get(number, f"unit {number}"))

    @property
    def forms(self) -> tuple[forms.Form, ...]:
        return self.form, *self.rows, self.support, self.orders, self.standing
