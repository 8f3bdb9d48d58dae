"""Forms of what a battle at the table did to the units, and of the support it used."""

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator

from battles.selectors import UnitLine
from battles.services.by_hand import FATES, UnitHand, outcome_choices
from battles.systems import get_system


class HandRow(forms.Form):
    """What a battle at the table did to one unit."""

    hits_left = forms.IntegerField(min_value=0, label="Hits left")
    destroyed = forms.BooleanField(required=False)
    exploded = forms.BooleanField(required=False, label="Reactor exploded")
    withdrew = forms.BooleanField(required=False)
    wounded = forms.BooleanField(required=False, label="Pilot wounded")
    kills = forms.IntegerField(min_value=0, max_value=99, initial=0)
    fate = forms.ChoiceField(required=False, label="Pilot’s fate")

    def __init__(self, *args: Any, unit: UnitLine, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.unit = unit
        hits = self.fields["hits_left"]
        hits.max_value, hits.initial = unit.hits, unit.hits  # type: ignore[attr-defined]
        hits.validators.append(MaxValueValidator(unit.hits, f"{unit.name} has only {unit.hits} Hits."))
        hits.widget.attrs.update(max=unit.hits, inputmode="numeric")
        self.fields["kills"].widget.attrs.update(inputmode="numeric")
        self.fields["fate"].choices = [("", "roll here"), *FATES.items()]  # type: ignore[attr-defined]
        for field in self.fields.values():
            field.widget.attrs["aria-label"] = f"{unit.name}: {field.label or ''}".strip()

    def hand(self) -> UnitHand:
        said = dict(self.cleaned_data)
        left = said.pop("hits_left")
        return UnitHand(hits_lost=self.unit.hits - left, **said)


class UsedForm(forms.Form):
    """Which of its support results a side used: one box for each, in the order rolled."""

    used = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple, label="Support used")

    def __init__(self, *args: Any, system: str, support: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.support = tuple(support)
        results = get_system(system).support_results
        self.fields["used"].choices = [  # type: ignore[attr-defined]
            (f"{slug}.{at}", results[slug].name) for at, slug in enumerate(support)
        ]
        self.fields["used"].initial = [f"{slug}.{at}" for at, slug in enumerate(support) if results[slug].is_kept]

    def slugs(self) -> tuple[str, ...]:
        return tuple(value.rpartition(".")[0] for value in self.cleaned_data["used"])


class HandForm(forms.Form):
    """How a battle at the table ended."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    winner = forms.ChoiceField(widget=forms.RadioSelect)
    rounds = forms.IntegerField(required=False, min_value=1, max_value=999)

    def __init__(self, *args: Any, names: Iterable[str], counted: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rounds"].label = f"{counted} (if you counted)"
        self.fields["winner"].choices = outcome_choices(list(names))  # type: ignore[attr-defined]
