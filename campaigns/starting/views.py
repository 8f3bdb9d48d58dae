"""Pages that create a campaign or a season, move a campaign to its next state, and start it: choose a template,
decide which companies take part, plan round 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from battles.choices import systems_offered
from battles.view_helpers import system_of
from campaigns import policy
from campaigns.campaign.forms import CampaignForm, CampaignRulesForm
from campaigns.campaign.services import campaign_create_with_map
from campaigns.campaign.services import campaign_move as move_campaign
from campaigns.campaign.views import attempt_in_transaction
from campaigns.enrolments import services as enrolments
from campaigns.models import Campaign, CampaignState, Club
from campaigns.seasons.forms import SeasonForm
from campaigns.seasons.services import season_create
from campaigns.shortcuts import campaign_or_404, club_or_404, require_permission
from campaigns.starting import services
from campaigns.starting.services import CampaignTemplate, campaign_templates
from rosters.services import RefusedError
from rosters.view_helpers import player, row_id, run_and_flash, run_for_form


class StartForm(forms.Form):
    after = forms.ChoiceField(widget=forms.RadioSelect, label="Template")
    name = forms.CharField(
        max_length=60,
        required=False,
        label="Name",
        help_text="Leave blank to use the template’s name.",
    )

    def __init__(self, data: Mapping[str, str] | None, *, starts: Sequence[CampaignTemplate]) -> None:
        super().__init__(data, prefix="start", initial={"after": starts[0].value if starts else ""})
        self.starts = starts
        self.fields["after"].choices = [(each.value, each.name) for each in starts]  # type: ignore[attr-defined]

    @property
    def cards(self) -> list[tuple[CampaignTemplate, bool]]:
        """The choices, each with whether it is chosen."""
        chosen = self["after"].value()
        return [(each, each.value == chosen) for each in self.starts]


TEMPLATE_FORM = "model"  # the value of `way` in the form that uses a template
MAX_NAMES = 3  # names in a message


def begin(request: HttpRequest, club: Club, system: str) -> tuple[StartForm, HttpResponse | None]:
    """Return the form for a campaign from a template, and a redirect if it has just created one."""
    sent = request.POST if request.method == "POST" and request.POST.get("way") == TEMPLATE_FORM else None
    form = StartForm(sent, starts=campaign_templates(club, system))
    if sent is None or not form.is_valid():
        return form, None
    by, begins_mustering = player(request), request.POST.get("do") != "draft"
    made = run_for_form(
        form,
        lambda: services.campaign_create_from_template(
            club=club, by=by, system=system, begins_mustering=begins_mustering, **form.cleaned_data
        ),
    )
    if made is None:
        return form, None
    outcome = "is open for sign-ups" if begins_mustering else "is saved as a draft"
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
        messages.success(request, f"{row.name} has started.{left}")
        return redirect("campaigns:campaign", pk=row.pk)
    messages.success(request, f"{row.name} has started, and {planned} is planned. Check it, then publish it.{left}")
    return redirect("campaigns:round", pk=row.pk, number=planned.number)


@login_required
@require_http_methods(["GET", "POST"])
def campaign_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the forms that create a campaign or a season; create a campaign."""
    club = club_or_404(request, slug)
    require_permission(policy.can_run_club(request.user, club))
    system = system_of(request)
    start, made = begin(request, club, system)
    if made is not None:
        return made
    data = None if start.is_bound else request.POST or None
    form = CampaignForm(data, system=system, player=player(request))
    rules = CampaignRulesForm(data, prefix="rule", system=system)
    if data is not None and form.is_valid() and rules.is_valid():
        by = player(request)

        def create() -> Campaign:
            return campaign_create_with_map(
                club=club,
                by=by,
                system=system,
                options=rules.options(),
                territories=form.territory_names(),
                borders=form.border_lines(),
                yields=form.yield_lines(),
                **form.settings(),
            )

        campaign = attempt_in_transaction(form, create)
        if campaign is not None:
            messages.success(
                request, f"{campaign.name} is saved as a draft. Only organisers can see it until you open sign-ups."
            )
            return redirect("campaigns:campaign", pk=campaign.pk)
    return _new_page(request, club, system, start=start, own=(form, rules))


@login_required
@require_http_methods(["GET", "POST"])
def season_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Create a season; GET redirects to its form on the page of a new campaign."""
    club = club_or_404(request, slug)
    require_permission(policy.can_run_club(request.user, club))
    if request.method != "POST":
        query = {**request.GET.dict(), "open": "season"}
        return redirect(reverse("campaigns:campaign_new", args=[slug], query=query, fragment="season"))
    form = _season_form(request.POST)
    if form.is_valid():
        by, given = player(request), form.settings()
        made = run_for_form(form, lambda: season_create(club=club, by=by, **given))
        if made is not None:
            messages.success(request, f"{made} is created. Now add a campaign for each game.")
            return redirect("campaigns:season_run", pk=made.pk)
    return _new_page(request, club, system_of(request), season=form)


def _season_form(data: Mapping[str, object] | None = None) -> SeasonForm:
    initial = {"tie_1": "direct", "tie_2": "buchholz", "tie_3": "wins"}
    return SeasonForm(data, initial=initial, auto_id="id_season_%s")


def _new_page(
    request: HttpRequest,
    club: Club,
    system: str,
    *,
    start: StartForm | None = None,
    own: tuple[CampaignForm, CampaignRulesForm] | None = None,
    season: SeasonForm | None = None,
) -> HttpResponse:
    """Show the page. A form that is given takes the place of the one that the page would show."""
    start = start or StartForm(None, starts=campaign_templates(club, system))
    form, rules = own or (
        CampaignForm(None, system=system, player=player(request)),
        CampaignRulesForm(None, prefix="rule", system=system),
    )
    season = season or _season_form()
    context = {
        "club": club,
        "start": start,
        "form": form,
        "rules": rules,
        "season": season,
        "systems": systems_offered(system),
        "system": system,
    }
    wrong = start.errors or form.errors or rules.errors or season.errors
    return render(request, "campaigns/campaign_new.html", context, status=422 if wrong else 200)


@login_required
@require_http_methods(["GET", "POST"])
def campaign_move(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the campaign's next step; GET redirects to it in the settings."""
    row = campaign_or_404(request, pk)
    require_permission(policy.can_run_campaign(request.user, row))
    if request.method != "POST":
        return redirect(reverse("campaigns:campaign_settings", args=[pk], query={"open": "next"}, fragment="next"))
    if request.POST.get("to") == CampaignState.RUNNING and row.state == CampaignState.MUSTERING:
        return start_campaign(request, row)
    run_and_flash(
        request,
        lambda: move_campaign(campaign=row, to=request.POST.get("to", ""), by=player(request)),
        lambda moved: f"{moved.name} is {moved.get_state_display()} now.",
    )
    return redirect("campaigns:campaign", pk=pk)


@login_required
@require_POST
def enrolments_decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Decide on the companies that ask, from their list: one of them, or all that are fit (`act`)."""
    row = campaign_or_404(request, pk)
    require_permission(policy.can_run_campaign(request.user, row))
    by, (act, _, given) = player(request), request.POST.get("act", "").partition("-")
    if act == "accept" and given == "fit":
        among = posted_fit_ids(request)
        run_and_flash(request, lambda: services.enrolments_accept_fit(campaign=row, by=by, among=among), _accepted)
    elif act in ("accept", "decline"):
        found = row.enrolments.filter(pk=row_id(given)).select_related("company__owner", "campaign__club").first()
        if found is None:
            messages.error(request, "There is no such company in this campaign.")
        else:
            decide = enrolments.enrolment_accept if act == "accept" else enrolments.enrolment_decline
            message = f"{found.company.name} {'is accepted' if act == 'accept' else 'is declined'}."
            run_and_flash(request, lambda: decide(enrolment=found, by=by), message)
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
        ("Not battle-ready, or no place free", taken.left),
        ("Newly ready since you opened the page", taken.later),
    )
    return "".join(f" {reason}: {_names(names)}." for reason, names in reasons if names)


def _names(names: Sequence[str]) -> str:
    return f"{', '.join(names[:MAX_NAMES])}{' and others' if len(names) > MAX_NAMES else ''}"
