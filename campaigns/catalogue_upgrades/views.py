"""The page on which organisers change a campaign to a newer catalogue version, and its form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from campaigns import policy
from campaigns.catalogue_upgrades import services
from campaigns.catalogue_upgrades.selectors import AdoptionPreview, ReleasePage, release_page
from campaigns.catalogue_upgrades.services import MAX_ROUND
from campaigns.models import Campaign, CatalogueUpgrade
from campaigns.shortcuts import campaign_or_404, require_permission
from rosters.view_helpers import player, run_and_flash, run_for_form

NOW, ROUND, DAY = "now", "round", "day"
WHEN = [(NOW, "at once"), (ROUND, "before a round"), (DAY, "on a day")]


class AdoptForm(forms.Form):
    when = forms.ChoiceField(
        choices=WHEN,
        widget=forms.RadioSelect,
        label="When",
    )
    from_round = forms.IntegerField(min_value=1, max_value=MAX_ROUND, required=False, label="Round")
    from_day = forms.DateField(required=False, label="Day", widget=forms.DateInput(attrs={"type": "date"}))
    release = forms.CharField(max_length=20, widget=forms.HiddenInput)
    token = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, is_open: bool = False, **kwargs: Any) -> None:
        """Remove the choice "at once" if `is_open`: a round is open."""
        super().__init__(*args, **kwargs)
        if is_open:
            self.fields["when"].choices = WHEN[1:]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, object]:
        given: dict[str, object] = super().clean() or self.cleaned_data
        for when, field, words in ((ROUND, "from_round", "Choose a round."), (DAY, "from_day", "Choose a day.")):
            if given.get("when") != when:
                given[field] = None
            elif given.get(field) is None and field not in self.errors:
                self.add_error(field, words)
        return given


@login_required
@require_http_methods(["GET", "POST"])
def campaign_release(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what a version would change for the companies; POST makes or plans the change."""
    campaign = _run(request, pk)
    form = AdoptForm(request.POST) if request.method == "POST" else None
    if form is not None and form.is_valid():
        by, given = player(request), {name: value for name, value in form.cleaned_data.items() if name != "when"}
        made = run_for_form(form, lambda: services.release_adopt(campaign=campaign, by=by, **given))
        if made is not None:
            messages.success(request, _describe(made))
            return redirect("campaigns:campaign_release", pk=pk)
        campaign.refresh_from_db()
    page = release_page(campaign, (request.POST if form else request.GET).get("release", ""))
    if page.preview and form is None:
        form = AdoptForm(initial=_first(page, page.preview), is_open=bool(page.open_rounds))
    elif page.preview and form is not None:  # sending it again accepts the preview now shown
        data = request.POST.copy()
        data["token"] = page.preview.token
        form.data = data
    context = {"campaign": campaign, "club": campaign.club, "can_run": True, "page": page, "form": form}
    return render(request, "campaigns/release.html", context, status=422 if form and form.errors else 200)


@login_required
@require_POST
def release_choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a draft to another version."""
    campaign = _run(request, pk)
    run_and_flash(
        request,
        lambda: services.release_choose(
            campaign=campaign, release=request.POST.get("release", "")[:20], by=player(request)
        ),
        lambda row: f"{row.name} now uses version {row.catalogue_release}.",
    )
    return redirect("campaigns:campaign_release", pk=pk)


@login_required
@require_POST
def release_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Call off the planned change."""
    campaign = _run(request, pk)
    run_and_flash(
        request,
        lambda: services.adoption_cancel(campaign=campaign, by=player(request)),
        lambda row: f"The change to version {row.release} is cancelled.",
    )
    return redirect("campaigns:campaign_release", pk=pk)


@login_required
@require_POST
def release_undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo the last change, if nothing was done since."""
    campaign = _run(request, pk)
    run_and_flash(
        request,
        lambda: services.adoption_undo(campaign=campaign, by=player(request)),
        lambda row: f"Undone. The campaign uses version {row.before} again.",
    )
    return redirect("campaigns:campaign_release", pk=pk)


def _run(request: HttpRequest, pk: int) -> Campaign:
    campaign = campaign_or_404(request, pk)
    require_permission(policy.can_run_campaign(request.user, campaign))
    return campaign


def _first(page: ReleasePage, preview: AdoptionPreview) -> dict[str, object]:
    when = ROUND if page.open_rounds else NOW
    return {"token": preview.token, "release": preview.release, "when": when, "from_round": page.next_round}


def _describe(row: CatalogueUpgrade) -> str:
    if row.adopted_at is not None:
        return f"The campaign and its companies now use version {row.release}."
    return f"Version {row.release} is planned {services.describe_effective_date(row)}."
