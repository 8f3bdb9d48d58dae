"""Forms of battles: which units on which side, and what a battle at the table did to them."""

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.db.models import Q

from battles.choices import DEFAULT_SYSTEM, doctrine_choices, level_choices, skill_choices, terrain_choices
from battles.documents import parse_seed, read_setup
from battles.models import Battle
from battles.published_forces import published_forces
from battles.selectors import UnitLine
from battles.services.by_hand import UnitHand
from battles.services.setups import SideChoice, UnitChoice, company_choices
from battles.systems import get_system
from rosters.documents import DocumentError
from rosters.models import Company, Player, Unit, UnitStatus, Visibility
from rosters.services import RefusedError
from rosters.systems import get_system as get_roster_system

ROWS = 6
LETTERS = "ab"
SIDE_NAMES = {"a": "Attacker", "b": "Defender"}

FIRST_UNITS: dict[str, dict[str, Any]] = {  # something to press Fight on at once
    "a1": {"unit": "design:viper", "level": "regular"},
    "a2": {"unit": "design:wasp", "level": "regular"},
    "b1": {"unit": "design:saber", "level": "regular"},
}
ROWS_SHOWN = 3

FIELDABLE = Q(status=UnitStatus.READY, pilot__isnull=False)  # MM-011

GroupedChoices = list[tuple[str, list[tuple[str, str]] | str]]


def unit_options(player: Player | None, kept: Battle | None, letter: str) -> GroupedChoices:
    """What a row offers: published designs, the player's own ready units, and what the earlier battle had there."""
    rules = get_roster_system(DEFAULT_SYSTEM)
    published = [
        (f"design:{design.slug}", f"{design.name} · {rules.check_design(design.spec).points} pt")
        for design in rules.published.values()
    ]
    options: GroupedChoices = [("", "no unit"), ("Published Meks", published)]
    if player:
        units = Unit.objects.filter(
            FIELDABLE, company__owner=player, company__disbanded_at=None, company__system=DEFAULT_SYSTEM
        ).select_related("company", "pilot")
        groups: dict[str, list[tuple[str, str]]] = {}
        for unit in units.order_by("company__name", "company_id", "position", "pk"):
            pilot = f" · {unit.pilot}" if unit.pilot else ""
            name = unit.name if unit.name == unit.design_name else f"{unit.name} ({unit.design_name})"
            groups.setdefault(unit.company.name, []).append((f"unit:{unit.pk}", f"{name}{pilot}"))
        options += list(groups.items())
    if kept:
        setup = read_setup(kept.setup)
        system = get_system(setup.system)
        at = LETTERS.index(letter)
        own = [
            (f"kept:{unit.key}", f"{system.unit_names(setup)[unit.key]} as it was")
            for unit in setup.sides[at].units
            if not isinstance(unit.design, str)
        ]
        if own:
            options.append(("From that battle", own))
    return options


class UnitRow(forms.Form):
    """One place on a side: a unit, and for units without a pilot of their own the pilot's level and skills."""

    unit = forms.ChoiceField(required=False)
    level = forms.ChoiceField(required=False, label="Pilot")
    skills = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, options: GroupedChoices, number: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.number = number
        self.fields["unit"].choices = options  # type: ignore[attr-defined]
        self.fields["unit"].label = f"Unit {number}"
        self.fields["level"].choices = level_choices(DEFAULT_SYSTEM)  # type: ignore[attr-defined]
        self.fields["level"].initial = "regular"
        self.fields["skills"].choices = skill_choices(DEFAULT_SYSTEM)  # type: ignore[attr-defined]

    @property
    def is_used(self) -> bool:
        return bool(self["unit"].value())

    @property
    def skill_count(self) -> int:
        return len(self["skills"].value() or ())


class SideForm(forms.Form):
    name = forms.CharField(max_length=60, label="Name")
    doctrine = forms.ChoiceField()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["doctrine"].choices = doctrine_choices(DEFAULT_SYSTEM)  # type: ignore[attr-defined]


class FieldForm(forms.Form):
    """Where and how the battle is fought."""

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

    def __init__(self, *args: Any, player: Player | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["terrain"].choices = terrain_choices(DEFAULT_SYSTEM)  # type: ignore[attr-defined]
        if player is None:
            self.fields["visibility"].choices = [  # type: ignore[attr-defined]
                choice for choice in Visibility.choices if choice[0] != Visibility.PRIVATE
            ]

    def clean_seed(self) -> int | None:
        seed = self.cleaned_data["seed"].strip()
        if not seed:
            return None
        try:
            return parse_seed(seed)
        except DocumentError as error:
            raise forms.ValidationError(error.reason) from None


class BattleForms:
    """The forms of one set-up: the field, two sides, six rows each."""

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        player: Player | None,
        kept: Battle | None = None,
        is_filled: bool = False,
    ) -> None:
        self.player, self.kept = player, kept
        initial = _initial_of(kept, player) if kept else FIRST_UNITS if is_filled else {}
        self.field = FieldForm(data, player=player, prefix="f", initial=initial.get("f"))
        self.sides: list[tuple[str, SideForm, list[UnitRow]]] = []
        for letter in LETTERS:
            default = {"name": SIDE_NAMES[letter], "doctrine": "aggressive"}
            side = SideForm(data, prefix=letter, initial=initial.get(letter, default))
            options = unit_options(player, kept, letter)
            rows = [
                UnitRow(
                    data,
                    prefix=f"{letter}{number}",
                    options=options,
                    number=number,
                    initial=initial.get(f"{letter}{number}"),
                )
                for number in range(1, ROWS + 1)
            ]
            self.sides.append((letter, side, rows))
        self.has_more = any(row.is_used for _, _, rows in self.sides for row in rows[ROWS_SHOWN:])
        self.errors: list[tuple[str, str]] = []  # refusals that belong to no single field

    def is_valid(self) -> bool:
        forms_ = [self.field, *(form for _, side, rows in self.sides for form in (side, *rows))]
        return all(form.is_valid() for form in forms_)

    def all_errors(self) -> list[tuple[str, str, str]]:
        """Field id, its label and the reason, in the order of the page."""
        found = [("", field, reason) for field, reason in self.errors]
        named: list[tuple[str, forms.Form]] = [("", self.field)]
        for letter, side, rows in self.sides:
            named += [(f"Side {letter.upper()}, ", form) for form in (side, *rows)]
        for place, form in named:
            if form.is_bound:
                for name, reasons in form.errors.items():
                    found += [(form[name].auto_id, f"{place}{form[name].label}", str(reason)) for reason in reasons]
        return found

    def choices(self) -> list[SideChoice]:
        """The sides as chosen; raises RefusedError for units that can't be fielded."""
        sides = []
        for letter, side, rows in self.sides:
            chosen = [row.cleaned_data for row in rows if row.cleaned_data.get("unit")]
            company, owned = self._company_units(letter, chosen)
            sides.append(
                SideChoice(
                    name=_side_name(side.cleaned_data["name"], letter, company),
                    doctrine=side.cleaned_data["doctrine"],
                    units=[owned.get(row["unit"]) or self._other_unit(letter, row) for row in chosen],
                    company=company,
                )
            )
        return sides

    def _company_units(self, letter: str, chosen: list[dict[str, Any]]) -> tuple[Company | None, dict[str, UnitChoice]]:
        """The one company that fights on a side, and its units by their form value."""
        ids = [int(row["unit"].removeprefix("unit:")) for row in chosen if row["unit"].startswith("unit:")]
        companies = list(Company.objects.filter(units__pk__in=ids, owner=self.player).distinct()) if ids else []
        if len(companies) > 1:
            names = " and ".join(company.name for company in companies)
            raise RefusedError(f"Side {letter.upper()}", f"A side fights for one company, not for {names}.")
        if not companies:
            return None, {}
        return companies[0], {f"unit:{choice.unit}": choice for choice in company_choices(companies[0], ids)}

    def _other_unit(self, letter: str, row: Mapping[str, Any]) -> UnitChoice:
        kind, _, ref = row["unit"].partition(":")
        pilot = {"experience": row["level"] or "regular", "skills": row["skills"]}
        if kind == "kept" and self.kept:
            units = self.kept.setup["sides"][LETTERS.index(letter)]["units"]
            unit = next(unit for unit in units if unit["key"] == ref)
            return UnitChoice(
                design=unit["design"], name=unit.get("name") or "", pilot=pilot, condition=unit["condition"]
            )
        return UnitChoice(design=ref, pilot=pilot)


def _side_name(name: str, letter: str, company: Company | None) -> str:
    """The company's name for a side that nobody has named."""
    return company.name if company and name == SIDE_NAMES[letter] else name


def _initial_of(battle: Battle, player: Player | None) -> dict[str, dict[str, Any]]:
    """An earlier battle's set-up as the form's first values."""
    initial: dict[str, dict[str, Any]] = {"f": {"terrain": battle.setup["terrain"], "visibility": battle.visibility}}
    forces = {side.position: side for side in battle.sides.select_related("company")}
    ids = [ref["unit"] for side in forces.values() for ref in side.force.values()]
    ready = set(Unit.objects.filter(FIELDABLE, pk__in=ids).values_list("pk", flat=True)) if player and ids else set()
    for at, letter in enumerate(LETTERS):
        side = battle.setup["sides"][at]
        initial[letter] = {"name": side["name"], "doctrine": side["doctrine"]}
        row = forces.get(at)
        mine = row and row.company and player and row.company.owner_id == player.pk
        for number, unit in enumerate(side["units"][:ROWS], start=1):
            owned = row.force.get(unit["key"]) if row and mine else None
            if owned and owned["unit"] not in ready:
                owned = None
            design = unit["design"]
            value = (
                f"unit:{owned['unit']}"
                if owned
                else f"design:{design}"
                if isinstance(design, str)
                else f"kept:{unit['key']}"
            )
            pilot = unit.get("pilot") or {"experience": "regular", "skills": []}
            initial[f"{letter}{number}"] = {"unit": value, "level": pilot["experience"], "skills": pilot["skills"]}
    return initial


class TryForm(forms.Form):
    """Two forces, a terrain, two doctrines: the battle of the home page."""

    a = forms.ChoiceField(label="Attacker")
    b = forms.ChoiceField(label="Defender")
    a_doctrine = forms.ChoiceField(label="Attacker's doctrine")
    b_doctrine = forms.ChoiceField(label="Defender's doctrine")
    terrain = forms.ChoiceField()

    def __init__(self, *args: Any, companies: Iterable[Company] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        forces: GroupedChoices = [
            (
                "Published forces",
                [
                    (f"force:{force.slug}", f"{force.name} · {force.points} pt")
                    for force in published_forces(DEFAULT_SYSTEM).values()
                ],
            )
        ]
        public = [(f"company:{company.pk}", company.name) for company in companies]
        if public:
            forces.insert(0, ("Companies", public))
        for name, initial in zip(LETTERS, self.first_two(forces), strict=True):
            self.fields[name].choices = forces  # type: ignore[attr-defined]
            self.fields[name].initial = initial
            self.fields[f"{name}_doctrine"].choices = doctrine_choices(DEFAULT_SYSTEM)  # type: ignore[attr-defined]
        self.fields["b_doctrine"].initial = "cautious"
        self.fields["terrain"].choices = terrain_choices(DEFAULT_SYSTEM)  # type: ignore[attr-defined]

    @staticmethod
    def first_two(forces: GroupedChoices) -> tuple[str, str]:
        """Two different ones to begin with: two companies if there are, else two published forces."""
        groups = [group for _, group in forces if isinstance(group, list)]
        first, second = [value for group in groups for value, _ in group][:2]
        return first, second


class HandRow(forms.Form):
    """What a battle at the table did to one unit."""

    hits_lost = forms.IntegerField(min_value=0, max_value=99, initial=0)
    destroyed = forms.BooleanField(required=False)
    exploded = forms.BooleanField(required=False, label="Reactor exploded")
    withdrew = forms.BooleanField(required=False)
    wounded = forms.BooleanField(required=False)
    kills = forms.IntegerField(min_value=0, max_value=99, initial=0)

    def __init__(self, *args: Any, unit: UnitLine, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.unit = unit
        self.fields["hits_lost"].max_value = unit.hits  # type: ignore[attr-defined]
        self.fields["hits_lost"].widget.attrs.update(max=unit.hits, inputmode="numeric")
        self.fields["kills"].widget.attrs.update(inputmode="numeric")
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = f"{unit.name}: {field.label or ''}".strip()

    def hand(self) -> UnitHand:
        return UnitHand(**self.cleaned_data)


class HandForm(forms.Form):
    """How a battle at the table ended."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    winner = forms.ChoiceField(widget=forms.RadioSelect)
    rounds = forms.IntegerField(required=False, min_value=1, max_value=999, label="Rounds (if you counted)")

    def __init__(self, *args: Any, names: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["winner"].choices = [  # type: ignore[attr-defined]
            *((str(at), name) for at, name in enumerate(names)),
            ("draw", "Nobody: a draw"),
        ]
