"""Forms of a cup: its settings, seeds and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from campaigns.cups.bracket import group_letter
from campaigns.cups.services import MAX_ADVANCE, MAX_ENTRANTS, MAX_GROUPS, MIN_GROUPS
from campaigns.models import CampaignPairingMethod, Cup, CupEntrant, Seeding
from rosters.site.forms import EditConflictMixin

FormData = Mapping[str, object] | None  # the submitted data of a form
GROUPS = [
    ("0", "knock-out only"),
    *((str(n), f"{n} groups, then play-offs") for n in range(MIN_GROUPS, MAX_GROUPS + 1)),
]


class CupForm(EditConflictMixin, forms.Form):
    """The settings of a cup."""

    groups = forms.TypedChoiceField(choices=GROUPS, coerce=int, label="Format")
    advance = forms.TypedChoiceField(
        choices=[(str(n), f"top {n}" if n > 1 else "winner only") for n in range(1, MAX_ADVANCE + 1)],
        coerce=int,
        label="Advancing per group",
        help_text="Only used with groups.",
    )
    seeding = forms.ChoiceField(choices=Seeding.choices, label="Seeded")
    entrants = forms.IntegerField(
        min_value=0,
        max_value=MAX_ENTRANTS,
        label="Number of companies",
        help_text="From the top of the standings when the cup is drawn. 0 means all.",
    )
    has_third_place = forms.BooleanField(required=False, label="Match for third place")

    def settings(self) -> dict[str, Any]:
        """Return the arguments for `cup_set`. Only for valid forms."""
        return dict(self.cleaned_data)


def cup_initial(cup: Cup | None, pairing: str) -> dict[str, object]:
    """Return the form's initial values."""
    if cup is None:
        cup = Cup(groups=2 if pairing == CampaignPairingMethod.GROUPS else 0)
    return {
        "groups": str(cup.groups),
        "advance": str(cup.advance),
        "seeding": cup.seeding,
        "entrants": cup.entrants,
        "has_third_place": cup.has_third_place,
    }


class SeatsForm(EditConflictMixin, forms.Form):
    """The seed and group of each company in a drawn cup."""

    def __init__(self, data: FormData, *, places: Sequence[CupEntrant], groups: int) -> None:
        initial: dict[str, object] = {}
        for place in places:
            initial[f"seed-{place.enrolment_id}"] = place.seed
            initial[f"group-{place.enrolment_id}"] = str(place.group)
        super().__init__(data, initial=initial)
        self.places, self.groups = places, groups
        for place in places:
            name = place.enrolment.company.name
            self.fields[f"seed-{place.enrolment_id}"] = forms.IntegerField(
                min_value=1, max_value=len(places), label=f"Seed of {name}"
            )
            if groups:
                choices = [(str(number), f"Group {group_letter(number)}") for number in range(1, groups + 1)]
                self.fields[f"group-{place.enrolment_id}"] = forms.ChoiceField(
                    choices=choices, label=f"Group of {name}"
                )

    @property
    def rows(self) -> list[tuple[str, forms.BoundField, forms.BoundField | None]]:
        """Company, seed field and group field, in the order of the saved seeds."""
        return [
            (
                place.enrolment.company.name,
                self[f"seed-{place.enrolment_id}"],
                self[f"group-{place.enrolment_id}"] if self.groups else None,
            )
            for place in self.places
        ]

    def seats(self) -> dict[int, tuple[int, int]]:
        """Return the seats for `cup_seat`. Only for valid forms."""
        clean = self.cleaned_data
        return {
            place.enrolment_id: (
                clean[f"seed-{place.enrolment_id}"],
                int(clean.get(f"group-{place.enrolment_id}") or 0),
            )
            for place in self.places
        }
