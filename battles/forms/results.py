"""Forms for the result of a battle at a table: the fate of each unit, and the support used."""

import uuid
from collections.abc import Iterable, Sequence
from typing import TypedDict

from django import forms
from django.core.validators import MaxValueValidator

from battles.choices import set_choices
from battles.forms.orders import FormData
from battles.selectors.records import UnitRow, sides_of
from battles.services.results import outcome_choices
from rosters.services import RefusedError
from systems import battle_rules
from systems.report_fields import (
    MAX_ROUNDS,
    NOT_WHOLE,
    TOO_HIGH,
    TOO_LOW,
    CountField,
    FateField,
    HandTerms,
    PilotFateField,
    TickField,
    UnitFate,
)
from systems.setups import Setup
from systems.text import pluralize

# the same wording as for documents and results
OUT_OF_BOUNDS = {
    "invalid": NOT_WHOLE,
    "min_value": TOO_LOW.format("%(limit_value)s"),
    "max_value": TOO_HIGH.format("%(limit_value)s"),
}
Refusal = tuple[str, str, str]  # id of the field, its label, the reason


class TableResult(TypedDict):
    """The result from a table, in the form the service takes."""

    units: dict[str, UnitFate]
    winner: str | None
    rounds: int | None
    key: uuid.UUID
    support_used: list[tuple[str, ...]]


class FateForm(forms.Form):
    """The fate of one unit: a field for each question its game asks. Subclasses define the number field."""

    undecided = ""  # label of a pilot's fate before it is rolled

    def __init__(
        self,
        data: FormData,
        *,
        prefix: str,
        unit: UnitRow,
        terms: HandTerms,
        support: Sequence[str],
        initial: dict[str, object] | None = None,
    ) -> None:
        super().__init__(data, prefix=prefix, initial=initial)
        self.unit, self.terms, self.asked = unit, terms, terms.asked(support)

    def number(self, each: CountField, *, required: bool, label: str) -> forms.IntegerField:
        """Return the field of a number."""
        raise NotImplementedError

    def answer(self, each: FateField, label: str = "") -> forms.Field:
        """Return the field for a question, with that label or the question's own."""
        label = label or each.label[:1].upper() + each.label[1:]
        if isinstance(each, PilotFateField):
            return forms.ChoiceField(
                choices=[("", self.undecided), *each.fates],
                required=False,
                label=label,
                error_messages={"invalid_choice": each.objection("another")},
            )
        if isinstance(each, CountField):
            return self.number(each, required=False, label=label)
        return forms.BooleanField(required=False, label=label)


class HandRow(FateForm):
    """The fate of one unit at a table. For hits, it asks how many are left."""

    undecided = "roll for me"

    def __init__(self, data: FormData, *, prefix: str, unit: UnitRow, terms: HandTerms, support: Sequence[str]) -> None:
        super().__init__(data, prefix=prefix, unit=unit, terms=terms, support=support)
        for each in sorted(self.asked.values(), key=_column):
            is_hits = each.name == "hits_lost"
            field = self.answer(each, f"{self.terms.hits} left" if is_hits else "")
            field.widget.attrs["aria-label"] = f"{self.unit.name}: {field.label}"
            if isinstance(each, CountField):
                field.widget.attrs["inputmode"] = "numeric"
            self.fields["hits_left" if is_hits else each.name] = field

    def number(self, each: CountField, *, required: bool, label: str) -> forms.IntegerField:
        if each.name != "hits_lost":
            return forms.IntegerField(
                min_value=0, max_value=each.most, initial=0, label=label, error_messages=OUT_OF_BOUNDS
            )
        most = self.unit.max_hits if "mended" in self.asked else self.unit.hits
        enough = MaxValueValidator(most, f"{self.unit.name} has only {pluralize(most, self.terms.hits)}.")
        hits = forms.IntegerField(min_value=0, initial=self.unit.hits, validators=[enough], label=label)
        hits.widget.attrs["max"] = most
        return hits

    @property
    def cells(self) -> list[tuple[str, bool, forms.BoundField]]:
        """The heading of each column, whether it holds numbers, and its field."""
        return [(str(cell.label), isinstance(cell.field, forms.IntegerField), cell) for cell in self]

    def fate(self) -> UnitFate:
        answers = dict(self.cleaned_data)
        before = self.unit.max_hits if answers.get("mended") else self.unit.hits
        lost = before - answers.pop("hits_left", before)
        return UnitFate(answers, hits_lost=lost)

    def clean(self) -> dict[str, object]:
        clean = super().clean() or {}
        if clean.get("hits_left", 0) > self.unit.hits and not clean.get("mended"):
            had = f"{self.unit.name} began with {pluralize(self.unit.hits, self.terms.hits)}"
            self.add_error("hits_left", f"{had}. It can only have more if it was {self.terms.fields['mended']}.")
        return clean


def _column(each: FateField) -> int:
    """Return a field's place in the grid: hits, events, counts, pilot."""
    return 0 if each.is_of_hits else (TickField, CountField, PilotFateField).index(type(each)) + 1


class UsedForm(forms.Form):
    """The support results that a side used: a box for each, in the order rolled."""

    def __init__(self, data: FormData, *, prefix: str, system: str, support: Sequence[str]) -> None:
        super().__init__(data, prefix=prefix)
        self.support = tuple(support)
        results = battle_rules(system).support_results
        self.fields["used"] = forms.MultipleChoiceField(
            required=False,
            widget=forms.CheckboxSelectMultiple,
            label="Support used",
            choices=[(f"{slug}.{at}", results[slug].name) for at, slug in enumerate(support)],
            initial=[f"{slug}.{at}" for at, slug in enumerate(support) if results[slug].is_kept],
        )

    def slugs(self) -> tuple[str, ...]:
        return tuple(value.rpartition(".")[0] for value in self.cleaned_data["used"])


class HandForm(forms.Form):
    """The outcome of a battle at a table."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    winner = forms.ChoiceField(widget=forms.RadioSelect)
    rounds = forms.IntegerField(required=False, min_value=1, max_value=MAX_ROUNDS, error_messages=OUT_OF_BOUNDS)

    def __init__(self, data: FormData = None, *, names: Iterable[str], rounds_label: str) -> None:
        super().__init__(data)
        self.fields["rounds"].label = rounds_label
        set_choices(self, "winner", outcome_choices(list(names)))


class FateGrid:
    """Forms on one page that together give a battle's result. `errors` lists impossible values, field by field."""

    def __init__(self) -> None:
        self.errors: list[Refusal] = []

    def parts(self) -> list[tuple[str, forms.Form]]:
        """Return the forms in the order of their errors, each with the prefix of its field labels."""
        raise NotImplementedError

    def is_valid(self) -> bool:
        """Return whether every field can be read."""
        for of, form in self.parts():
            for name, reasons in form.errors.items():
                self.errors += [(form[name].auto_id, f"{of}{form[name].label}", str(reason)) for reason in reasons]
        return not self.errors


class LogForms(FateGrid):
    """The forms for the result of a battle at a table, played with this set-up."""

    def __init__(self, data: FormData, setup: Setup) -> None:
        super().__init__()
        system, sides = battle_rules(setup.system), sides_of(setup)
        rounds_label = f"{system.round_word(setup.scenario).capitalize()}s"
        self.setup = setup
        self.hand = HandForm(data, names=[side.name for side in sides], rounds_label=rounds_label)
        self.grid = [
            (
                line,
                [
                    HandRow(data, prefix=unit.key, unit=unit, terms=system.hand, support=side.support)
                    for unit in line.units
                ],
                UsedForm(data, system=setup.system, support=side.support, prefix=f"{line.letter}-support"),
            )
            for side, line in zip(setup.sides, sides, strict=True)
        ]

    @property
    def rows(self) -> list[HandRow]:
        return [row for _, rows, _ in self.grid for row in rows]

    def parts(self) -> list[tuple[str, forms.Form]]:
        units = [(f"{row.unit.name}, ", row) for row in self.rows]
        return [("", self.hand), *(("", used) for _, _, used in self.grid), *units]

    def table_result(self) -> TableResult:
        """Return the result in the form the service takes; the forms must be valid."""
        winner = self.hand.cleaned_data["winner"]
        return {
            "units": {row.unit.key: row.fate() for row in self.rows},
            "winner": None if winner == "draw" else self.setup.sides[int(winner)].name,
            "rounds": self.hand.cleaned_data["rounds"],
            "key": self.hand.cleaned_data["key"],
            "support_used": [used.slugs() for _, _, used in self.grid],
        }

    def refuse(self, error: RefusedError) -> None:
        """Attach a service's refusal to the field it is about."""
        for at, (_, _, used) in enumerate(self.grid):
            if error.field == f"support[{at}]":
                self.errors.append((used["used"].auto_id, "Support used", error.reason))
                return
        _, _, place = error.field.partition("units.")
        for row in self.rows:
            name = place.removeprefix(f"{row.unit.key}.")
            name = "hits_left" if name == "hits_lost" else name
            if place != name and name in row.fields:
                self.errors.append((row[name].auto_id, f"{row.unit.name}, {row[name].label}", error.reason))
                return
        self.errors.append(("", error.field.capitalize(), error.reason))
