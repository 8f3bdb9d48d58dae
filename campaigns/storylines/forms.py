"""Form of a campaign story: the side of each company."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from campaigns.storylines.selectors import StorylineCompany, StorylinePage
from rosters.site.forms import EditConflictMixin

FormData = Mapping[str, object] | None  # the data of a form
ROLES = [("", "random"), ("attacks", "attacks"), ("defends", "defends")]


class StorylineForm(EditConflictMixin, forms.Form):
    """The settings of a story. Once it has begun, only companies that joined later get a role."""

    compensates = forms.BooleanField(
        required=False,
        label="Balance uneven scenarios",
        help_text="The stronger side fields fewer points than printed, so that the odds are close to even.",
    )

    def __init__(self, data: FormData, *, sheet: StorylinePage) -> None:
        companies = [*sheet.attackers, *sheet.defenders, *sheet.unassigned]
        roles = {True: "attacks", False: "defends", None: ""}
        initial: dict[str, object] = {f"role-{each.enrolment}": roles[each.attacks] for each in companies}
        super().__init__(data, initial={**initial, "compensates": sheet.compensates})
        self.companies = sorted((each for each in companies if not each.has_left), key=lambda each: each.name)
        for each in self.companies:
            name = f"role-{each.enrolment}"
            choices = ROLES[1:] if each.attacks is not None and sheet.has_begun else ROLES
            self.fields[name] = forms.ChoiceField(choices=choices, required=False, label=each.name)
            self.fields[name].disabled = sheet.has_begun and each.attacks is not None
        self.fields["compensates"].disabled = sheet.has_begun

    @property
    def rows(self) -> list[tuple[StorylineCompany, forms.BoundField]]:
        """Each company with the field of its role."""
        return [(each, self[f"role-{each.enrolment}"]) for each in self.companies]

    def settings(self) -> dict[str, Any]:
        """Return the arguments for the service, with roles only if one was chosen. Call it only on a valid form."""
        chosen = {each.enrolment: self.cleaned_data[f"role-{each.enrolment}"] for each in self.companies}
        found: dict[str, Any] = {"compensates": self.cleaned_data["compensates"]}
        if any(chosen.values()):
            found["attackers"] = [pk for pk, role in chosen.items() if role == "attacks"]
            found["defenders"] = [pk for pk, role in chosen.items() if role == "defends"]
        return found
