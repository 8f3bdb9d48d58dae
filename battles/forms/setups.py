"""The form of a battle (scenario, field, house rules, two sides), and the short one of the home page."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from battles.choices import (
    GroupedChoices,
    ScenarioReference,
    SharedChoices,
    crew,
    doctrine_choices,
    first_doctrines,
    published_forces,
    ready_made_forces,
    set_choices,
    setup_unit,
    systems_offered,
    terrain_choices,
)
from battles.forms.orders import (
    LINES_SHOWN,
    WHOLE_SIDE,
    FormData,
    HouseRulesForm,
    StandingForm,
    SupportForm,
    SupportOrdersForm,
    results_offered,
    standing_offered,
)
from battles.forms.sides import (
    LETTERS,
    ROWS,
    ROWS_SHOWN,
    SIDE_NAMES,
    ChosenUnit,
    FieldedUnit,
    OwnCompany,
    SideForm,
    SidePart,
    SideTally,
    UnitRow,
    fielded_stock,
    force_options,
    own_companies,
    unit_options,
)
from battles.hooks import practice_reason
from battles.models import Battle
from battles.services.setups import SideChoice, UnitChoice, company_choices
from rosters.models import Company, Player, Visibility
from rosters.scenarios.selectors import PlayableScenario, playable_scenarios, scenario_value
from rosters.services import RefusedError
from rosters.site.forms import SystemChoice
from systems import battle_rules, roster_rules
from systems.battle_display import describe_ground
from systems.catalogue import FIRST_RELEASE
from systems.documents import DocumentError
from systems.setups import parse_seed

Initial = dict[str, dict[str, object]]  # first values, form by form


class FieldForm(forms.Form):
    """Scenario, terrain and dice. There is no terrain field if the scenario prescribes the terrain."""

    scenario = forms.ChoiceField(required=False)
    terrain = forms.ChoiceField()
    seed = forms.CharField(
        required=False,
        max_length=20,
        help_text="Same number, same battle. Leave blank for a random battle.",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    visibility = forms.ChoiceField(
        choices=Visibility.choices, label="Visible to", required=False, initial=Visibility.PUBLIC
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


class BattleForms:
    """The forms of one set-up: field, house rules, and two sides with their rows.

    `is_log`: for a battle played at a table. With `kept`, the rule system is that of the earlier battle.
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
            for number in range(
                1, min(count_rows(letter, data, initial, is_log=self.is_log), self.battles.max_units) + 1
            )
        ]
        known = {value for _, group in options if isinstance(group, list) for value, _ in group}
        company, picks, refusal = self._picks(letter, rows, known)
        fielded_units = self._fielded_units(letter, companies)
        for row in rows:
            row.fielded_unit = fielded_units.get(str(row["unit"].value() or ""))
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

    def _fielded_units(self, letter: str, companies: tuple[OwnCompany, ...]) -> Mapping[str, FieldedUnit]:
        """Return how each unit that a side can choose looks, by its value."""
        looks = dict(fielded_stock(self.system))
        for company in companies:
            looks |= company.fielded_units
        for unit in self.kept.setup["sides"][LETTERS.index(letter)]["units"] if self.kept else ():
            if not isinstance(unit["design"], str):
                looks[f"kept:{unit['key']}"] = FieldedUnit(
                    spec=unit["design"],
                    condition=unit.get("condition") or {},
                    release=str(self.kept.setup.get("release") or FIRST_RELEASE) if self.kept else "",
                )
        return looks

    def _picks(self, letter: str, rows: list[UnitRow], known: set[str]) -> tuple[Company | None, list[UnitChoice], str]:
        """Return a side's company, the units chosen so far, and why they can't fight together."""
        values = [row.values() for row in rows if row["unit"].value() in known]
        ids = [int(row.unit.removeprefix("unit:")) for row in values if row.unit.startswith("unit:")]
        companies = list(Company.objects.filter(units__pk__in=ids, owner=self.player).distinct()) if ids else []
        if len(companies) > 1:
            names = " and ".join(company.name for company in companies)
            return None, [], f"A side can use only one company, not {names}."
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
        """Check whether one side is legal as it is now."""
        limit = self.terms.sides[at].points if self.terms else None
        if refusal or not picks:
            return SideTally(units=0, points=0, limit=limit, problems=(), refusal=refusal or "No units yet")
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
        """The terrain that the scenario prescribes, in words."""
        return describe_ground(self.terms.ground) if self.terms else ""

    @property
    def systems(self) -> tuple[SystemChoice, ...]:
        """The systems to choose from; none if there is only one, or if an earlier battle decides."""
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
        """Return all errors in the order of the page: field ID, label and reason."""
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
        """Return the name typed, or the company's name if nobody named the side."""
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
                    side.name, f"Unit {who} has autoplay orders but is empty. Choose a unit or remove the orders."
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


def count_rows(letter: str, data: FormData, initial: Initial, *, is_log: bool) -> int:
    """Return the number of rows of a side: those sent or filled in, but at least the number a page starts with.

    For a battle at a table that is still being entered, the last row is empty.
    """
    rows = count_given_rows(letter, data, initial, is_log=is_log)
    is_open = is_log and data is None and bool(initial.get(f"{letter}{rows}", {}).get("unit"))
    return min(ROWS, rows + is_open)


def count_given_rows(letter: str, data: FormData, initial: Initial, *, is_log: bool) -> int:
    """Return the number of rows, without the extra empty one."""
    least = 1 if is_log else ROWS_SHOWN
    given = [
        number
        for number in range(1, ROWS + 1)
        if (f"{letter}{number}-unit" in data if data is not None else "unit" in initial.get(f"{letter}{number}", {}))
    ]
    return max([least, *given])


def scenario_of(system: str, playable: PlayableScenario | None, player: Player | None) -> ScenarioReference:
    """Return the scenario in set-up form."""
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
    """The battle form of the home page: two forces, a terrain, two AI styles."""

    a = forms.ChoiceField(label="Attacker")
    b = forms.ChoiceField(label="Defender")
    a_doctrine = forms.ChoiceField(label="Attacker's AI style")
    b_doctrine = forms.ChoiceField(label="Defender's AI style")
    terrain = forms.ChoiceField()

    def __init__(self, data: FormData = None, *, system: str, forces: GroupedChoices, first: tuple[str, str]) -> None:
        """Offer these forces; `first` are the initial ones."""
        super().__init__(data)
        self.system = system
        for letter, initial in zip(LETTERS, first, strict=True):
            set_choices(self, letter, forces)
            self.fields[letter].initial = initial
            self.fields[letter].widget.attrs |= {
                "hx-get": f"{reverse('battles:tables')}?system={system}&part={letter}",
                "hx-trigger": "change",
                "hx-target": f"#drawn-{letter}",
                "hx-sync": "this:replace",
                "hx-swap": "outerHTML",
            }
            set_choices(self, f"{letter}_doctrine", doctrine_choices(system))
        self.fields["b_doctrine"].initial = first_doctrines(system)[1]
        set_choices(self, "terrain", terrain_choices(system))
