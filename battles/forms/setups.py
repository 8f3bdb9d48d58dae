"""The form of a battle: scenario, field, house rules, two sides; and the short one of the home page.

The form of the home page: two forces, a terrain, a button.
"""

from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace
from functools import cache
from functools import lru_cache
from typing import NamedTuple
from django import forms
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.safestring import mark_safe
from battles.choices import GroupedChoices
from battles.choices import ScenarioReference
from battles.choices import SharedChoices
from battles.choices import crew
from battles.choices import crew_offered
from battles.choices import doctrine_choices
from battles.choices import first_doctrines
from battles.choices import set_choices
from battles.choices import systems_offered
from battles.choices import terrain_choices
from battles.hooks import PracticeReason
from battles.hooks import practice_reason
from battles.models import Battle
from battles.services.setups import SideChoice
from battles.services.setups import UnitChoice
from battles.services.setups import company_choices
from rosters.forms import NameField
from rosters.models import Company
from rosters.models import Player
from rosters.models import Unit
from rosters.models import UnitStatus
from rosters.models import Visibility
from rosters.scenarios.selectors import PlayableScenario
from rosters.scenarios.selectors import playable_scenarios
from rosters.scenarios.selectors import scenario_value
from rosters.services import RefusedError
from systems import battle_rules
from systems import roster_rules
from systems.documents import DocumentError
from systems.legality import Problem
from systems.reading import stored_setup
from systems.rulebook import RuleRef
from systems.setups import MAX_UNITS
from systems.setups import parse_seed
from battles.forms.sides import FieldedUnit
from battles.forms.sides import fielded_stock
from battles.forms.sides import render_figure
from battles.forms.orders import LINES_SHOWN
from battles.forms.orders import WHOLE_SIDE
from battles.forms.orders import StandingForm
from battles.forms.orders import standing_offered
from battles.forms.orders import SupportOrdersForm
from battles.forms.orders import results_offered
from battles.forms.orders import HouseRulesForm
from battles.forms.orders import FormData
from battles.forms.orders import SupportForm
from battles.choices import design_points
from battles.choices import force_fits
from battles.choices import published_forces
from battles.choices import ready_made_forces
from battles.choices import setup_unit
from rosters.fragment_cache import render_fragment
from rosters.site.forms import SystemChoice
from rosters.database.queries import PreparedQuery
from systems.catalogue import FIRST_RELEASE
from systems.battle_display import SideTerms
from systems.battle_display import describe_ground
from systems.text import pluralize


ROWS = MAX_UNITS
ROWS_SHOWN = 3  # rows of a side to begin with; for a battle at a table one, and another as soon as that is filled
LETTERS = "ab"
ASKED_FOR = "asked_for"  # marks the first values of a row that somebody has just asked for
SIDE_NAMES = {"a": "Attacker", "b": "Defender"}

Initial = dict[str, dict[str, object]]  # first values, form by form


def _own_units(player: int, system: str) -> QuerySet[Unit]:
    rows = Unit.objects.filter(
        status=UnitStatus.READY, company__owner=player, company__disbanded_at=None, company__system=system
    )
    return rows.select_related("company", "pilot").order_by("company__name", "company_id", "position", "pk")


OWN_UNITS = PreparedQuery(_own_units, player=int, system=str)


@dataclass(frozen=True, slots=True)
class OwnCompany:
    """A company of the player's with the units it can field: form value and label, and the look of each."""

    pk: int
    name: str
    units: tuple[tuple[str, str], ...]
    shown: Mapping[str, FieldedUnit]


def own_companies(player: Player | None, system: str) -> tuple[OwnCompany, ...]:
    """Return the player's companies of that system."""
    if player is None:
        return ()
    needs_pilot = roster_rules(system).needs_pilot
    names: dict[int, str] = {}
    units: dict[int, list[tuple[str, str]]] = {}
    shown: dict[int, dict[str, FieldedUnit]] = {}
    for unit in OWN_UNITS.rows(player=player.pk, system=system):
        if unit.pilot is None and needs_pilot(unit.spec):
            continue
        company, value = unit.company, f"unit:{unit.pk}"
        pilot = f" · {unit.pilot}" if unit.pilot else ""
        name = unit.name if unit.name == unit.design_name else f"{unit.name} ({unit.design_name})"
        names[company.pk] = company.name
        units.setdefault(company.pk, []).append((value, f"{name}{pilot}"))
        shown.setdefault(company.pk, {})[value] = FieldedUnit(
            spec=unit.spec, condition=unit.condition, colour=company.colour, release=company.catalogue_release
        )
    return tuple(OwnCompany(pk, name, tuple(units[pk]), shown[pk]) for pk, name in names.items())


def unit_options(system: str, companies: Iterable[OwnCompany], kept: Battle | None, letter: str) -> GroupedChoices:
    """Return what a row offers: published designs, the player's own ready units, and the earlier battle's units."""
    rules, battles = roster_rules(system), battle_rules(system)
    published, made = stock_options(system)
    options: GroupedChoices = [("", "no unit"), (f"Published {rules.unit_words[1]}", list(published))]
    options += [(company.name, list(company.units)) for company in companies]
    if made:
        options.append(("Out of ready-made forces", list(made)))
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
    """Return what every row offers: published designs, and designs that only ready-made forces have."""
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
    """Return whole forces that fill the rows of a side: those that fit the scenario first."""
    fitting: list[tuple[str, str]] = []
    other: list[tuple[str, str]] = []
    for force in published_forces(system).values():
        fits = force_fits(system, scenario, side, force)
        (fitting if fits else other).append((f"force:{force.slug}", f"{force.name} · {force.points} pt"))
    options: GroupedChoices = [("", "as chosen below")]
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
    """One place on a side: a unit, and for units without a pilot of their own the pilot's level and skills.

    If battles have no levels or no skills, there is no such field.
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
        self.shown: FieldedUnit | None = None  # the look of the unit that it holds
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
        """Return unit, level and skills as they are, even in an unsent form; unknown values are left out."""
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
        """The row as HTML, cached unless bound: an unsent row is the same on nearly every page."""
        context = {"row": self}
        if self.is_bound:
            return mark_safe(render_to_string("battles/_unit_row.html", context))
        chosen = (*(str(field.value()) for field in self), ASKED_FOR in self.initial)
        shows = (self.system, self.letter, self.number, self.options.shown, chosen, self.figure, self.is_log)
        return render_fragment("battles/_unit_row.html", *shows, context=lambda: context)

    @property
    def figure(self) -> SafeString:
        """The unit that it holds: its picture, points and equipment."""
        return render_figure(self.system, self.shown)

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
        """How its pilot is better than the plain one, in a few words."""
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
    doctrine = forms.ChoiceField()

    def __init__(
        self, data: FormData, *, prefix: str, system: str, initial: dict[str, object], is_log: bool = False
    ) -> None:
        super().__init__(data, prefix=prefix, initial=initial)
        set_choices(self, "doctrine", doctrine_choices(system))
        if is_log:  # people made the decisions at the table, but the document needs an AI style
            self.fields["doctrine"].widget = forms.HiddenInput()
            self.fields["doctrine"].initial = first_doctrines(system)[0]


class FieldForm(forms.Form):
    """Scenario, terrain and dice. If there is no terrain to choose, the scenario prints it."""

    scenario = forms.ChoiceField(required=False)
    terrain = forms.ChoiceField()
    seed = forms.CharField(
        required=False,
        max_length=20,
        help_text="A whole number; the same seed gives the same battle. Left empty, the server draws one.",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    visibility = forms.ChoiceField(
        choices=Visibility.choices, label="Who may see it", required=False, initial=Visibility.PUBLIC
    )

    def __init__(
        self,
        data: FormData,
        *,
        system: str,
        player: Player | None,
        scenarios: Iterable[PlayableScenario],
        scenario: ScenarioReference,
        initial: dict[str, object] | None,
    ) -> None:
        super().__init__(data, prefix="f", initial=initial)
        rules = battle_rules(system)
        named = {each.value: each.name for each in scenarios}
        plain = rules.plain_scenario
        named = {plain: rules.scenarios[plain]} | named
        set_choices(self, "scenario", list(named.items()))
        set_choices(self, "terrain", terrain_choices(system, scenario))
        if player is None:
            set_choices(self, "visibility", [each for each in Visibility.choices if each[0] != Visibility.PRIVATE])

    def clean_seed(self) -> int | None:
        seed = self.cleaned_data["seed"].strip()
        if not seed:
            return None
        try:
            return parse_seed(seed)
        except DocumentError as error:
            raise forms.ValidationError(error.reason) from None


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
        """Whether it can have another row."""
        return len(self.rows) < self.max_units

    def support_ordered(self) -> dict[str, dict[str, object]]:
        """Return the orders for its support, with units by their set-up keys. Only for valid forms."""
        used = [str(row.number) for row in self.rows if row.is_used]
        keys = {
            number: pick.key or f"{self.letter}{at}"
            for at, (number, pick) in enumerate(zip(used, self.picks, strict=False), start=1)
        }
        return self.orders.orders.given(lambda number: keys.get(number, f"unit {number}"))

    @property
    def forms(self) -> tuple[forms.Form, ...]:
        return self.form, *self.rows, self.support, self.orders, self.standing


class BattleForms:
    """The forms of one set-up: the field, the house rules, two sides with their rows. `is_log`: of a battle at a table.

    The rule system is the earlier battle's if there is one.
    """

    def __init__(
        self,
        data: FormData,
        *,
        system: str,
        player: Player | None,
        kept: Battle | None = None,
        initial: Initial | None = None,
        is_log: bool = False,
    ) -> None:
        self.system = kept.system if kept else system
        self.battles, self.rosters = battle_rules(self.system), roster_rules(self.system)
        self.player, self.kept, self.is_log = player, kept, is_log
        initial = initial or {}
        self.scenarios = playable_scenarios(player or AnonymousUser(), system=self.system)
        wanted = data.get("f-scenario", "") if data is not None else initial.get("f", {}).get("scenario", "")
        self.playable = next((each for each in self.scenarios if each.value == wanted), None)
        self.scenario = scenario_of(self.system, self.playable, player)
        self.terms = self.battles.terms(self.scenario)
        self.field = FieldForm(
            data,
            system=self.system,
            player=player,
            scenarios=self.scenarios,
            scenario=self.scenario,
            initial=initial.get("f"),
        )
        self.rules = HouseRulesForm(data, system=self.system, prefix="o", initial=initial.get("o"))
        self.options = self.rules.options_so_far
        companies = own_companies(player, self.system)
        self.sides = [self._side(letter, data, initial, companies) for letter in LETTERS]
        self.errors: list[tuple[str, str]] = []  # refusals that belong to no single field

    def _side(self, letter: str, data: FormData, initial: Initial, companies: tuple[OwnCompany, ...]) -> SidePart:
        at = LETTERS.index(letter)
        options = unit_options(self.system, companies, self.kept, letter)
        offered = SharedChoices(options)
        rows = [
            UnitRow(
                data,
                system=self.system,
                letter=letter,
                number=number,
                options=offered,
                initial=initial.get(f"{letter}{number}"),
                is_log=self.is_log,
            )
            for number in range(1, min(rows_of(letter, data, initial, is_log=self.is_log), self.battles.max_units) + 1)
        ]
        known = {value for _, group in options if isinstance(group, list) for value, _ in group}
        company, picks, refusal = self._picks(letter, rows, known)
        shown = self._looks(letter, companies)
        for row in rows:
            row.shown = shown.get(str(row["unit"].value() or ""))
        try:
            rolls = self.battles.support_allowed(self.scenario, at, [pick.pilot for pick in picks])
        except DocumentError:
            rolls = self.terms.sides[at].rolls if self.terms else 0
        support = SupportForm(
            data,
            system=self.system,
            rolls=rolls,
            is_log=self.is_log,
            prefix=f"{letter}-support",
            initial=initial.get(f"{letter}-support"),
        )
        standing = StandingForm(
            data,
            prefix=f"{letter}-standing",
            what=SharedChoices([]) if self.is_log else standing_offered(self.system, self.scenario, at),
            who=[(str(number), f"Unit {number}") for number in range(1, ROWS + 1)],
            initial=initial.get(f"{letter}-standing"),
            lines=LINES_SHOWN,
        )
        orders = SupportOrdersForm(
            data,
            prefix=f"{letter}-orders",
            system=self.system,
            results=() if self.is_log else results_offered(self.system, self.scenario),
            units=[(str(number), f"Unit {number}") for number in range(1, ROWS + 1)],
            initial=initial.get(f"{letter}-orders"),
        )
        return SidePart(
            letter=letter,
            form=SideForm(
                data,
                system=self.system,
                prefix=letter,
                initial=initial.get(letter) or plain_side(self.system, letter),
                is_log=self.is_log,
            ),
            rows=rows,
            forces=force_options(self.system, companies, self.scenario, at),
            terms=self.terms.sides[at] if self.terms else None,
            picks=picks,
            company=company,
            books=practice_reason(company) if company else None,
            refusal=refusal,
            support=support,
            orders=orders,
            standing=standing,
            tally=self._tally(at, picks, refusal, support.picked()),
            max_units=self.battles.max_units,
        )

    def _looks(self, letter: str, companies: tuple[OwnCompany, ...]) -> Mapping[str, FieldedUnit]:
        """Return how each unit that a side can choose looks, by its value."""
        looks = dict(fielded_stock(self.system))
        for company in companies:
            looks |= company.shown
        for unit in self.kept.setup["sides"][LETTERS.index(letter)]["units"] if self.kept else ():
            if not isinstance(unit["design"], str):
                looks[f"kept:{unit['key']}"] = FieldedUnit(
                    spec=unit["design"],
                    condition=unit.get("condition") or {},
                    release=str(self.kept.setup.get("release") or FIRST_RELEASE) if self.kept else "",
                )
        return looks

    def _picks(self, letter: str, rows: list[UnitRow], known: set[str]) -> tuple[Company | None, list[UnitChoice], str]:
        """Return the company of a side, its units as chosen so far, and why they can't fight together."""
        values = [row.values() for row in rows if row["unit"].value() in known]
        ids = [int(row.unit.removeprefix("unit:")) for row in values if row.unit.startswith("unit:")]
        companies = list(Company.objects.filter(units__pk__in=ids, owner=self.player).distinct()) if ids else []
        if len(companies) > 1:
            names = " and ".join(company.name for company in companies)
            return None, [], f"A side fights for one company, not for {names}."
        company = companies[0] if companies else None
        try:
            chosen = company_choices(company, ids) if company else []
        except RefusedError as error:
            return company, [], error.reason
        owned = {f"unit:{choice.unit}": choice for choice in chosen}
        return company, [owned.get(row.unit) or self._other_unit(letter, row) for row in values], ""

    def _other_unit(self, letter: str, row: ChosenUnit) -> UnitChoice:
        kind, _, ref = row.unit.partition(":")
        pilot = crew(self.system, row.level, row.skills)
        if kind == "kept" and self.kept:
            units = self.kept.setup["sides"][LETTERS.index(letter)]["units"]
            unit = next(unit for unit in units if unit["key"] == ref)
            return UnitChoice(
                design=unit["design"], name=unit.get("name") or "", pilot=pilot, condition=unit["condition"]
            )
        if kind == "force":
            slug, _, place = ref.partition(":")
            made = published_forces(self.system)[slug].units[int(place)]
            return UnitChoice(design=made.design, name=made.name, pilot=pilot)
        return UnitChoice(design=ref, pilot=pilot)

    def _tally(self, at: int, picks: list[UnitChoice], refusal: str, support: tuple[str, ...]) -> SideTally:
        """Return the legality check of one side as it is."""
        limit = self.terms.sides[at].points if self.terms else None
        if refusal or not picks:
            return SideTally(units=0, points=0, limit=limit, problems=(), refusal=refusal or "No unit chosen yet.")
        units = []
        for number, pick in enumerate(picks):
            pilot = dict(pick.pilot) if pick.pilot else None
            if pilot and pick.unit is not None and self.battles.counts_hiring(self.scenario):
                pilot["is_new"] = False
            units.append(setup_unit(number, pick.design, pick.name, pilot))
        try:
            check = self.battles.check_side(self.scenario, at, units, support, self.options)
        except DocumentError as error:
            return SideTally(units=len(units), points=0, limit=limit, problems=(), refusal=error.reason)
        rulebook = self.rosters.rulebook
        problems = tuple((problem, rulebook.get(problem.rule)) for problem in check.problems)
        return SideTally(units=len(units), points=check.points, limit=limit, problems=problems)

    @property
    def ground(self) -> str:
        """The terrain that the scenario prints, in words."""
        return describe_ground(self.terms.ground) if self.terms else ""

    @property
    def systems(self) -> tuple[SystemChoice, ...]:
        """The systems to choose from; none if there is only one, or if the earlier battle decides."""
        return () if self.kept else systems_offered(self.system)

    @property
    def scenario_name(self) -> str:
        """The name of the scenario; without terms in lower case, for the middle of a sentence."""
        return self.terms.name if self.terms else self.battles.scenarios[self.battles.plain_scenario].lower()

    @property
    def ready(self) -> tuple[PlayableScenario, ...]:
        """Published scenarios with ready-made forces for both sides."""
        published = self.battles.scenarios
        return tuple(
            each for each in self.scenarios if each.value in published and ready_made_forces(self.system, each.value)
        )

    def is_valid(self) -> bool:
        parts = [self.field, self.rules, *(form for side in self.sides for form in side.forms)]
        return all(form.is_valid() for form in parts)

    def all_errors(self) -> list[tuple[str, str, str]]:
        """Return field id, label and reason, in the order of the page."""
        found = [("", field, reason) for field, reason in self.errors]
        named: list[tuple[str, forms.Form]] = [("", self.field)]
        for side in self.sides:
            named += [(f"{side.name}, ", form) for form in side.forms]
        named.append(("House rules, ", self.rules))
        for place, form in named:
            if form.is_bound:
                for name, reasons in form.errors.items():
                    found += [(form[name].auto_id, f"{place}{form[name].label}", str(reason)) for reason in reasons]
        return found

    @property
    def terrain(self) -> str:
        """The terrain of the set-up document. Only for valid forms."""
        return str(self.field.cleaned_data.get("terrain", self.battles.printed))

    def _side_name(self, side: SidePart) -> str:
        """Return the name typed, or the company's if nobody named the side."""
        name = str(side.form.cleaned_data["name"])
        return side.company.name if side.company and is_stock_name(self.system, name) else name

    @staticmethod
    def _ordered(side: SidePart) -> list[UnitChoice]:
        """Return the units of a side with their autoplay orders; raises RefusedError for orders to an empty place."""
        given = side.standing.given()
        used = [row.number for row in side.rows if row.is_used]
        for who in given:
            if who != WHOLE_SIDE and int(who) not in used:
                raise RefusedError(
                    side.name, f"Unit {who} has standing orders, and nobody is there: choose it, or take them away."
                )
        return [
            replace(pick, standing=given.get(str(number), {})) for pick, number in zip(side.picks, used, strict=False)
        ]

    def choices(self) -> list[SideChoice]:
        """Return the sides as chosen; raises RefusedError for units that can't be fielded. Only for valid forms."""
        for side in self.sides:
            if side.refusal:
                raise RefusedError(f"Side {side.letter.upper()}", side.refusal)
        names = [self._side_name(side) for side in self.sides]
        if names[0] == names[1] and (is_stock_name(self.system, names[0]) or self.sides[0].company):
            names = [f"{name[:48]} ({side.name.lower()})" for name, side in zip(names, self.sides, strict=True)]
        return [
            SideChoice(
                name=name,
                doctrine=side.form.cleaned_data["doctrine"],
                units=self._ordered(side),
                company=side.company,
                support=side.support.picked(),
                orders=side.support_ordered(),
                standing=side.standing.given().get(WHOLE_SIDE, {}),
            )
            for name, side in zip(names, self.sides, strict=True)
        ]


def rows_of(letter: str, data: FormData, initial: Initial, *, is_log: bool) -> int:
    """Return how many rows a side has: those sent or filled in, and never fewer than a page begins with.

    In a battle at a table that is still being entered, the last one is empty.
    """
    rows = rows_held(letter, data, initial, is_log=is_log)
    is_open = is_log and data is None and bool(initial.get(f"{letter}{rows}", {}).get("unit"))
    return min(ROWS, rows + is_open)


def rows_held(letter: str, data: FormData, initial: Initial, *, is_log: bool) -> int:
    """Return the number of rows without the extra empty one."""
    least = 1 if is_log else ROWS_SHOWN
    held = [
        number
        for number in range(1, ROWS + 1)
        if (f"{letter}{number}-unit" in data if data is not None else "unit" in initial.get(f"{letter}{number}", {}))
    ]
    return max([least, *held])


def scenario_of(system: str, playable: PlayableScenario | None, player: Player | None) -> ScenarioReference:
    """Return the scenario as a set-up document has it."""
    if playable is None:
        return battle_rules(system).plain_scenario
    return scenario_value(playable.value, player or AnonymousUser(), system=system)


def plain_side(system: str, letter: str) -> dict[str, object]:
    """Return name and AI style of a side that nobody has changed."""
    return {"name": SIDE_NAMES[letter], "doctrine": first_doctrines(system)[0]}


def is_stock_name(system: str, name: object) -> bool:
    """Return whether a side's name is a default one that nobody typed."""
    return name in SIDE_NAMES.values() or name in {force.name for force in published_forces(system).values()}


class TryForm(forms.Form):
    """Two forces, a terrain, two AI styles: the battle of the home page."""

    a = forms.ChoiceField(label="Attacker")
    b = forms.ChoiceField(label="Defender")
    a_doctrine = forms.ChoiceField(label="Attacker's doctrine")
    b_doctrine = forms.ChoiceField(label="Defender's doctrine")
    terrain = forms.ChoiceField()

    def __init__(self, data: FormData = None, *, system: str, companies: Iterable[Company] = ()) -> None:
        super().__init__(data)
        self.system = system
        published = [
            (f"force:{each.slug}", f"{each.name} · {each.points} pt") for each in published_forces(system).values()
        ]
        public = [(f"company:{company.pk}", company.name) for company in companies]
        groups = (("Companies", public), ("Published forces", published))
        forces: GroupedChoices = [(title, group) for title, group in groups if group]
        for name, initial in zip(LETTERS, self.first_two(forces), strict=True):
            set_choices(self, name, forces)
            self.fields[name].initial = initial
            set_choices(self, f"{name}_doctrine", doctrine_choices(system))
        self.fields["b_doctrine"].initial = first_doctrines(system)[1]
        set_choices(self, "terrain", terrain_choices(system))

    @staticmethod
    def first_two(forces: GroupedChoices) -> tuple[str, str]:
        """Return two different forces to begin with: two companies if there are any, else two published forces."""
        groups = [group for _, group in forces if isinstance(group, list)]
        first, second = [value for group in groups for value, _ in group][:2]
        return first, second
