"""Forms of the rosters pages. They convert text to values; services check and apply them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms import BoundField
from django.http import QueryDict

from rosters.models import PaperSize, Player, Visibility
from rosters.scopes import Scope
from rosters.selectors import CompanySheet, PilotRow, UnitRow
from rosters.services.companies import MIN_POINTS
from rosters.services.players import MAX_TOKEN_DAYS, TOKEN_DAYS
from rosters.site.forms import EditConflictMixin
from systems import ROSTERS, roster_rules, system_choices, text
from systems.pilots import PILOT_TEXTS
from systems.roster import RosterSystem
from systems.text import pluralize


def release_choices() -> list[tuple[str, str]]:
    """Return the choices of catalogue versions for a new company: the newest, then the earlier ones of all games."""
    earlier = {each.number for rules in ROSTERS.values() for each in rules.releases[:-1]}
    named = [(number, f"version {number}") for number in sorted(earlier, key=int, reverse=True)]
    return [("", "the newest version"), *named]


COLOUR_HELP = "Shown beside the name."


class NameField(forms.CharField):
    """A field for a name; it normalizes the text and refuses unprintable characters."""

    def clean(self, value: object) -> str:
        name: str = text.normalize_text(super().clean(value))
        if reason := text.text_problem(name, may_be_empty=not self.required):
            raise forms.ValidationError(f"This {reason}")
        return name


class CompanyFields(forms.Form):
    name = forms.CharField(max_length=60)
    motto = forms.CharField(max_length=120, required=False)
    colour = forms.CharField(
        max_length=7, initial="#8a2b1d", widget=forms.TextInput(attrs={"type": "color"}), help_text=COLOUR_HELP
    )
    visibility = forms.ChoiceField(choices=Visibility.choices, initial=Visibility.PRIVATE, label="Visible to")


class CompanyForm(EditConflictMixin, CompanyFields):
    """The settings of an existing company."""


class FoundForm(CompanyFields):
    points = forms.IntegerField(
        min_value=MIN_POINTS,
        max_value=max(rules.founding_most for rules in ROSTERS.values()),
        required=False,
        label="Starting points",
    )
    system = forms.ChoiceField(choices=system_choices, label="Game")
    release = forms.ChoiceField(
        required=False,
        choices=release_choices,
        label="Catalogue version",
        help_text="Pick an older version only if your campaign uses it.",
    )
    field_order = ["name", "motto", "system", "points", "release", "colour", "visibility"]

    def __init__(self, data: QueryDict | None = None, *, system: str = "") -> None:
        super().__init__(data, initial={"system": system} if system in ROSTERS else {})
        others = [
            f"{rules.founding_points} in {rules.name}"
            for rules in ROSTERS.values()
            if rules.founding_points != RosterSystem.founding_points
        ]
        help_text = f"Leave blank for {RosterSystem.founding_points} ({', '.join(others)})."
        self.fields["points"].help_text = help_text


class NameForm(EditConflictMixin, forms.Form):
    """A form to rename something."""

    name = forms.CharField(max_length=60)


class PilotFields(forms.Form):
    """The pilot's texts, before the form's own fields."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        texts = {
            name: forms.CharField(label=text.label, max_length=text.max_length, required=text.is_required)
            for name, text in PILOT_TEXTS.items()
        }
        self.fields = {**texts, **self.fields}

    @property
    def texts(self) -> list[BoundField]:
        return [self[name] for name in PILOT_TEXTS]


class PilotForm(EditConflictMixin, PilotFields):
    """A form to change a pilot's texts."""


SEAT_TAKEN = "That unit has a pilot now. Choose another unit, or none."


class HireForm(PilotFields):
    experience = forms.ChoiceField(label="Level")
    unit = forms.ChoiceField(required=False, label="Unit")

    def __init__(self, data: QueryDict | None = None, *, sheet: CompanySheet, prefix: str | None = None) -> None:
        super().__init__(data, prefix=prefix)
        rules = roster_rules(sheet.system, sheet.catalogue_release)
        empty = [(str(unit.id), unit.name) for unit in sheet.units if unit.is_unmanned and not unit.hold_reason]
        self.fields["unit"].choices = [("", "none yet"), *empty]  # type: ignore[attr-defined]
        self.fields["unit"].initial = empty[0][0] if empty else ""
        self.fields["unit"].error_messages["invalid_choice"] = SEAT_TAKEN
        if not empty and not self["unit"].data:
            del self.fields["unit"]
        self.fields["experience"].choices = [  # type: ignore[attr-defined]
            (slug, f"{rules.level_names[slug]}, {points} points" if points else f"{rules.level_names[slug]}, free")
            for slug, points in rules.hire_points.items()
        ]


class AssignForm(EditConflictMixin, forms.Form):
    """The pilot of a unit."""

    pilot = forms.ChoiceField(required=False)

    def __init__(self, data: QueryDict | None = None, *, sheet: CompanySheet, unit: UnitRow) -> None:
        super().__init__(data)
        seated = [
            (
                str(pilot.id),
                f"{pilot.full_name}{f' (in {pilot.seat.name})' if pilot.seat else ''}{_paid(sheet, unit, pilot)}",
            )
            for pilot in sheet.pilots
            if not pilot.hold_reason
        ]
        self.fields["pilot"].choices = [("", "nobody"), *seated]  # type: ignore[attr-defined]
        self.fields["pilot"].initial = str(unit.pilot.id) if unit.pilot else ""


class SeatsForm(forms.Form):
    """A form with a pilot for each unit that has none; the free pilots are proposed in order."""

    def __init__(self, data: QueryDict | None = None, *, sheet: CompanySheet) -> None:
        super().__init__(data, prefix="seats")
        self.pilots = {str(pilot.id): pilot for pilot in sheet.pilots if pilot.seat is None and not pilot.hold_reason}
        self.units = {str(unit.id): unit for unit in sheet.units if unit.is_unmanned and not unit.hold_reason}
        proposed = [*self.pilots, *[""] * len(self.units)]
        for (pk, unit), first in zip(self.units.items(), proposed, strict=False):
            able = ((key, f"{each.full_name}{_paid(sheet, unit, each)}") for key, each in self.pilots.items())
            self.fields[pk] = forms.ChoiceField(
                choices=[("", "nobody"), *able], required=False, initial=first, label=unit.name
            )

    def clean(self) -> dict[str, str]:
        sent = {key.removeprefix(f"{self.prefix}-") for key, pilot in self.data.items() if pilot}
        if any(key.isdecimal() and key not in self.units for key in sent):
            raise forms.ValidationError("One of these units has a pilot now. Check your choices again.")
        chosen = [pilot for pilot in self.cleaned_data.values() if pilot]
        twice = {self.pilots[pilot].full_name for pilot in chosen if chosen.count(pilot) > 1}
        if twice:
            raise forms.ValidationError(f"A pilot can have only one unit: {', '.join(sorted(twice))}.")
        return self.cleaned_data

    @property
    def proposed(self) -> list[tuple[BoundField, str]]:
        """The fields of units that have a proposed pilot, each with the pilot's name."""
        offered = ((self[pk], self.pilots.get(str(self.fields[pk].initial))) for pk in self.units)
        return [(field, pilot.full_name) for field, pilot in offered if pilot]

    def seats(self) -> list[tuple[int, int]]:
        """Return pairs of unit ID and pilot ID; only for valid forms."""
        return [(int(unit), int(pilot)) for unit, pilot in self.cleaned_data.items() if pilot]


def _paid(sheet: CompanySheet, unit: UnitRow, pilot: PilotRow) -> str:
    """Return text like ", for 5 points" that follows the pilot's name; empty if assigning the pilot is free."""
    price = sheet.change_price(unit, pilot)
    return f", for {pluralize(price, sheet.money)}" if price else ""


class VisibilityForm(EditConflictMixin, forms.Form):
    """A form to choose who can see something that a player made."""

    visibility = forms.ChoiceField(choices=Visibility.choices, label="Visible to")


class ProfileForm(EditConflictMixin, forms.ModelForm):
    time_zone = forms.CharField(
        max_length=64,
        required=False,
        help_text="Such as Europe/Vienna. Empty: as the browser says.",
        widget=forms.TextInput(attrs={"list": "time-zones", "autocomplete": "off"}),
    )
    paper = forms.ChoiceField(choices=PaperSize.choices)

    class Meta:
        model = Player
        fields = ("name_shown", "time_zone", "paper")
        help_texts = {"name_shown": "What others see of you. Empty: your username."}


class TokenForm(forms.Form):
    name = forms.CharField(max_length=60, label="What it is for", help_text="Such as: the bot of our club.")
    scopes = forms.MultipleChoiceField(
        choices=[(scope.value, scope.label) for scope in Scope if scope != Scope.READ],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Besides reading, it may",
    )
    days = forms.TypedChoiceField(
        choices=[(30, "30 days"), (TOKEN_DAYS, f"{TOKEN_DAYS} days"), (180, "180 days"), (MAX_TOKEN_DAYS, "a year")],
        initial=TOKEN_DAYS,
        coerce=int,
        label="Good for",
    )


class LeaveForm(forms.Form):
    name = forms.CharField(
        max_length=60,
        label="Name in club history",
        help_text="Shown instead of yours in games with others. It can't be another player's name.",
    )
    typed = forms.CharField(
        max_length=150,
        label="Type your username to confirm",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )


class CloneForm(forms.Form):
    name = forms.CharField(max_length=60, label="Name of the copy")


class BuyForm(forms.Form):
    """A design to buy: `what` is `published:<slug>` or `own:<id>`."""

    what = forms.CharField(max_length=80)
    name = forms.CharField(max_length=60, required=False)
