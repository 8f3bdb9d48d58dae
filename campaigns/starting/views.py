"""Pages that start a campaign: choose a model, decide which companies take part, start round 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaigns import policy
from campaigns.enrolments import services as enrolments
from campaigns.models import Campaign, Club
from campaigns.shortcuts import campaign_or_404, require_permission
from campaigns.starting import services
from campaigns.starting.services import CampaignModel, campaign_models
from rosters.services import RefusedError
from rosters.view_helpers import attempt, player, row_id, say


class StartForm(forms.Form):
    after = forms.ChoiceField(widget=forms.RadioSelect, label="What you play")
    name = forms.CharField(
        max_length=60, required=False, label="What it is called", help_text="Left empty, it is called as its model is."
    )

    def __init__(self, data: Mapping[str, str] | None, *, starts: Sequence[CampaignModel]) -> None:
        super().__init__(data, prefix="start", initial={"after": starts[0].value if starts else ""})
        self.starts = starts
        self.fields["after"].choices = [(each.value, each.name) for each in starts]  # type: ignore[attr-defined]

    @property
    def cards(self) -> list[tuple[CampaignModel, bool]]:
        """The choices, each with whether it is chosen."""
        chosen = self["after"].value()
        return [(each, each.value == chosen) for each in self.starts]


MODEL_FORM = "model"  # the value of `way` in the form that uses a model
MAX_NAMES = 3  # names in a message


def begin(request: HttpRequest, club: Club, system: str) -> tuple[StartForm, HttpResponse | None]:
    """Return the form for a campaign from a model, and a redirect if it has just created one."""
    sent = request.POST if request.method == "POST" and request.POST.get("way") == MODEL_FORM else None
    form = StartForm(sent, starts=campaign_models(club, system))
    if sent is None or not form.is_valid():
        return form, None
    by, musters = player(request), request.POST.get("do") != "draft"
    made = attempt(
        form,
        lambda: services.campaign_create_from_model(
            club=club, by=by, system=system, musters=musters, **form.cleaned_data
        ),
    )
    if made is None:
        return form, None
    outcome = "musters: members may enrol their companies now" if musters else "is drawn up; only organisers see it"
    messages.success(request, f"{made.name} {outcome}.")
    return form, redirect("campaigns:campaign", pk=made.pk)


def start_campaign(request: HttpRequest, row: Campaign) -> HttpResponse:
    """Start the campaign as the organiser asked: accept fit companies or not, plan round 1 or not."""
    accepts, plans = posted_fit_ids(request) if "accept" in request.POST else (), "plan" in request.POST
    try:
        taken, planned = services.campaign_start(campaign=row, by=player(request), accepts=accepts, plans=plans)
    except RefusedError as error:
        messages.error(request, error.reason)
        return redirect("campaigns:campaign", pk=row.pk)
    left = _left(taken) if "accept" in request.POST else ""
    if planned is None:
        messages.success(request, f"{row.name} is running now.{left}")
        return redirect("campaigns:campaign", pk=row.pk)
    messages.success(request, f"{row.name} is running now, and {planned} is planned. Look it over, then open it.{left}")
    return redirect("campaigns:round", pk=row.pk, number=planned.number)


@login_required
@require_POST
def enrolments_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide on the companies that ask, from their list: one of them, or all that are fit (`act`)."""
    row = campaign_or_404(request, pk)
    require_permission(policy.can_run_campaign(request.user, row))
    by, (act, _, given) = player(request), request.POST.get("act", "").partition("-")
    if act == "accept" and given == "fit":
        among = posted_fit_ids(request)
        say(request, lambda: services.enrolments_accept_fit(campaign=row, by=by, among=among), _accepted)
    elif act in ("accept", "decline"):
        found = row.enrolments.filter(pk=row_id(given)).select_related("company__owner", "campaign__club").first()
        if found is None:
            messages.error(request, "There is no such company in this campaign.")
        else:
            decide = enrolments.enrolment_accept if act == "accept" else enrolments.enrolment_decline
            message = f"{found.company.name} {'is in' if act == 'accept' else 'was declined'}."
            say(request, lambda: decide(enrolment=found, by=by), message)
    where = "campaign" if request.POST.get("back") == "overview" else "campaign_companies"
    return redirect(f"campaigns:{where}", pk=pk)


def posted_fit_ids(request: HttpRequest) -> list[int]:
    """Return the enrolments that the page showed as fit when its button was pressed."""
    return [row_id(each) for each in request.POST.getlist("fit")]


def _accepted(taken: services.AcceptedCompanies) -> str:
    return f"{'1 company' if len(taken.accepted) == 1 else f'{len(taken.accepted)} companies'} accepted.{_left(taken)}"


def _left(taken: services.AcceptedCompanies) -> str:
    """Describe which companies still wait, and why."""
    reasons = (
        ("Not fit, or without a place", taken.left),
        ("Asked or became fit after you opened the page", taken.later),
    )
    return "".join(f" {reason}: {_names(names)}." for reason, names in reasons if names)


def _names(names: Sequence[str]) -> str:
    return f"{', '.join(names[:MAX_NAMES])}{' and others' if len(names) > MAX_NAMES else ''}"
