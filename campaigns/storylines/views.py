"""The page of a campaign story and its form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns import policy
from campaigns.models import Campaign, CampaignState
from campaigns.shortcuts import campaign_or_404, require_permission
from campaigns.storylines import services
from campaigns.storylines.selectors import StorylineCompany, StorylinePage, storyline_page
from campaigns.view_helpers import campaign_context
from rosters.site.forms import EditConflictMixin
from rosters.view_helpers import locked_for_edit, player, run_for_form

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


@require_http_methods(["GET", "POST"])
def storyline(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the story; POST changes its settings, for its organisers."""
    found = campaign_or_404(request, pk)
    can_run = policy.can_run_campaign(request.user, found)
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.path)
    if request.method == "POST":
        require_permission(can_run)
    with locked_for_edit(request, found) as row:
        sheet = storyline_page(row, with_planned=can_run)
        if sheet is None:
            raise Http404("This campaign has no story")
        form = StorylineForm(request.POST or None, sheet=sheet) if can_run and _is_editable(row, sheet) else None
        if form is None and request.method == "POST":
            messages.error(request, "The story has started, so its roles and points can't be changed.")
        if form is not None and form.is_bound and form.is_valid():
            by, given = player(request), form.settings()
            if run_for_form(form, lambda: services.storyline_set(campaign=row, by=by, **given)) is not None:
                messages.success(request, "Saved.")
                return redirect("campaigns:storyline", pk=pk)
    context = {
        **campaign_context(request, row, can_run=can_run),
        "sheet": sheet,
        "form": form,
        "can_plan": can_run and row.state == CampaignState.RUNNING and sheet.is_ready,
    }
    return render(request, "campaigns/storyline.html", context, status=422 if form is not None and form.errors else 200)


def _is_editable(row: Campaign, sheet: StorylinePage) -> bool:
    """Return whether any of its settings can still change."""
    return row.state != CampaignState.FINISHED and (not sheet.has_begun or bool(sheet.unassigned))
