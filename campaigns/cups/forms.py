"""Forms of a cup: its settings, and the seed and group of each company."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from campaigns.cups.bracket import group_letter
from campaigns.cups.services import MAX_ADVANCE, MAX_ENTRANTS, MAX_GROUPS, MIN_GROUPS
from campaigns.models import Cup, CupEntrant, CampaignPairingMethod, Seeding
from rosters.site.forms.reread import Reread

FormData = Mapping[str, object] | None  # the submitted data of a form
GROUPS = [("0", "a knock-out alone"), *((str(n), f"{n} groups first") for n in range(MIN_GROUPS, MAX_GROUPS + 1))]


class CupForm(Reread, forms.Form):
    """The settings of a cup."""

    groups = forms.TypedChoiceField(choices=GROUPS, coerce=int, label="Played as")
    advance = forms.TypedChoiceField(
        choices=[(str(n), f"the first {n}" if n > 1 else "the winner alone") for n in range(1, MAX_ADVANCE + 1)],
        coerce=int,
        label="Of a group go on",
        help_text="Without groups it says nothing.",
    )
    seeding = forms.ChoiceField(choices=Seeding.choices, label="Seeded")
    entrants = forms.IntegerField(
        min_value=0,
        max_value=MAX_ENTRANTS,
        label="Who enters",
        help_text="The first so many of the table as it stands when the cup is drawn; 0 stands for all.",
    )
    has_third_place = forms.BooleanField(required=False, label="Who loses a semi-final plays for third place")

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


class SeatsForm(Reread, forms.Form):
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
