"""Forms of the print shop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from rosters.models import Paper, PrintJob
from rosters.selectors import UnitRow


class PrintForm(forms.Form):
    """How something is printed."""

    kind = forms.ChoiceField(label="What", choices=PrintJob.Kind, initial=PrintJob.Kind.CARDS)
    paper = forms.ChoiceField(label="Paper", choices=Paper, initial=Paper.A4)
    duplex = forms.BooleanField(
        label="Backs, for printing on both sides", required=False, initial=True,
        help_text="Unit cards only. Turn the paper over its long edge.",
    )  # fmt: skip
    copies = forms.IntegerField(label="Copies", min_value=1, max_value=18, initial=1)


class CompanyPrintForm(PrintForm):
    """Which units of a company, and how."""

    copies = None  # type: ignore[assignment]
    units = forms.MultipleChoiceField(label="Units", widget=forms.CheckboxSelectMultiple)
    damage = forms.BooleanField(
        label="Damage as it stands", required=False, initial=True, help_text="Otherwise as good as new."
    )
    field_order = ("units", "kind", "paper", "duplex", "damage")

    def __init__(self, *args: Any, units: Sequence[UnitRow], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = self.fields["units"]
        assert isinstance(choices, forms.MultipleChoiceField)
        choices.choices = [(str(unit.id), unit.name) for unit in units]
        choices.initial = [str(unit.id) for unit in units]
        choices.error_messages["required"] = "Choose at least one unit."
