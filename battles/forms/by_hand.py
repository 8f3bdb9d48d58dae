"""Forms of what a battle at the table did to the units, and of the support it used."""

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator

from battles.selectors import UnitLine
from battles.services.by_hand import UnitHand, outcome_choices
from systems import battle_rules
from systems.hand import HandTerms

COLUMNS = ("mended", "hits_left", "destroyed", "exploded", "withdrew", "wounded", "kills", "specials", "fate")
NUMBERS = ("hits_left", "kills", "specials")


class HandRow(forms.Form):
    """What a battle at the table did to one unit, as far as its system asks."""

    mended = forms.BooleanField(required=False)
    hits_left = forms.IntegerField(min_value=0)
    destroyed = forms.BooleanField(required=False)
    exploded = forms.BooleanField(required=False)
    withdrew = forms.BooleanField(required=False)
    wounded = forms.BooleanField(required=False)
    kills = forms.IntegerField(min_value=0, max_value=99, initial=0)
    specials = forms.IntegerField(min_value=0, max_value=99, initial=0)
    fate = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, unit: UnitLine, terms: HandTerms, support: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.unit, self.terms, self.asked = unit, terms, terms.asked(support)
        hits, most = self.fields["hits_left"], unit.max_hits if "mended" in self.asked else unit.hits
        hits.max_value, hits.initial = most, unit.hits  # type: ignore[attr-defined]
        hits.validators.append(MaxValueValidator(most, f"{unit.name} has only {most} {terms.hits}."))
        hits.widget.attrs.update(max=most)
        self.fields["fate"].choices = [("", "roll here"), *terms.fates.items()]  # type: ignore[attr-defined]
        for name in [name for name in self.fields if name not in self.labels]:
            del self.fields[name]
        for name, field in self.fields.items():
            field.label = self.labels[name]
            field.widget.attrs["aria-label"] = f"{unit.name}: {field.label}"
            if name in NUMBERS:
                field.widget.attrs["inputmode"] = "numeric"

    @property
    def labels(self) -> dict[str, str]:
        """The columns of the grid that the system has, with their heads, in order."""
        named = {"hits_left": f"{self.terms.hits} left"} if "hits_lost" in self.asked else {}
        named |= {name: label[:1].upper() + label[1:] for name, label in self.asked.items()}
        return {name: named[name] for name in COLUMNS if name in named}

    @property
    def columns(self) -> list[tuple[str, bool]]:
        """Head of each column, and whether it holds numbers."""
        return [(label, name in NUMBERS) for name, label in self.labels.items()]

    @property
    def cells(self) -> list[tuple[str, bool, forms.BoundField]]:
        return [(label, name in NUMBERS, self[name]) for name, label in self.labels.items()]

    def hand(self) -> UnitHand:
        said = dict(self.cleaned_data)
        before = self.unit.max_hits if said.get("mended") else self.unit.hits
        return UnitHand(hits_lost=before - said.pop("hits_left", before), **said)

    def clean(self) -> dict[str, Any]:
        clean: dict[str, Any] = super().clean() or {}
        if clean.get("hits_left", 0) > self.unit.hits and not clean.get("mended"):
            had = f"{self.unit.name} began with {self.unit.hits} {self.terms.hits}"
            self.add_error("hits_left", f"{had}; it has more only if it was {self.asked['mended']}.")
        return clean


class UsedForm(forms.Form):
    """Which of its support results a side used: one box for each, in the order rolled."""

    used = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple, label="Support used")

    def __init__(self, *args: Any, system: str, support: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.support = tuple(support)
        results = battle_rules(system).support_results
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
