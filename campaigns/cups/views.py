"""The page of a campaign's cup: groups and bracket for everyone, settings and draw for its organisers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns import policy
from campaigns.cups import services
from campaigns.cups.forms import CupForm, SeatsForm, cup_initial
from campaigns.cups.selectors import cup_of, cup_sheet
from campaigns.judges import refusal_of
from campaigns.models import Campaign, CampaignState, Cup, CupEntrant
from campaigns.pages import campaign_context
from campaigns.rows import campaign_or_404, require_permission
from rosters.services import RefusedError
from rosters.view_helpers import attempt, edited, player


@require_http_methods(["GET", "POST"])
def cup(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the cup. A POST by an organiser (`act`: settings, draw or seats) sets it up."""
    found = campaign_or_404(request, pk)
    can_run = policy.can_run_campaign(request.user, found)
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.path)
    if request.method == "POST":
        require_permission(can_run)
    with edited(request, found) as row:
        set_up = cup_of(row)
        if set_up is None and not can_run and row.pairing not in services.CUP_PAIRINGS:
            raise Http404("This campaign has no cup")
        if request.method == "POST" and request.POST.get("act") == "draw":
            return _draw(request, row)
        form, seats = _forms(request, row, set_up, can_run=can_run)
        done = _act(request, row, form, seats)
        if done:
            messages.success(request, done)
            return redirect("campaigns:cup", pk=pk)
    context = {
        **campaign_context(request, row, can_run=can_run),
        "cup": set_up,
        "sheet": cup_sheet(row, set_up, with_planned=can_run) if set_up is not None else None,
        "form": form,
        "seats": seats,
        "seat_refusal": refusal_of(lambda: services.seat_own_case(row, player(request))) if seats is not None else "",
        "said": services.describe_cup(set_up) if set_up is not None else "",
        "can_draw": form is not None and set_up is not None and row.state == CampaignState.RUNNING,
        "can_play": can_run and row.state == CampaignState.RUNNING,
    }
    wrong = any(each is not None and each.is_bound for each in (form, seats))
    return render(request, "campaigns/cup.html", context, status=422 if wrong else 200)


def _forms(
    request: HttpRequest, row: Campaign, set_up: Cup | None, *, can_run: bool
) -> tuple[CupForm | None, SeatsForm | None]:
    """Return the organiser's forms, or None for those that can't change anything any more."""
    if not can_run or row.state == CampaignState.FINISHED:
        return None, None
    if set_up is not None and services.has_begun(row, set_up):
        return None, None
    act = request.POST.get("act", "")
    form = CupForm(request.POST if act == "settings" else None, initial=cup_initial(set_up, row.pairing))
    places = list(CupEntrant.objects.filter(cup=set_up).select_related("enrolment__company")) if set_up else []
    if set_up is None or not places:
        return form, None
    return form, SeatsForm(request.POST if act == "seats" else None, places=places, groups=set_up.groups)


def _act(request: HttpRequest, row: Campaign, form: CupForm | None, seats: SeatsForm | None) -> str:
    """Run the posted act and return its message.

    Empty if there was none, or if it was refused (the form has the reason).
    """
    if request.method != "POST":
        return ""
    by = player(request)
    if form is None:
        messages.error(request, "The cup has begun: its draw stands.")
        return ""
    done: Cup | None = None
    if form.is_bound and form.is_valid():
        done = attempt(form, lambda: services.cup_set(campaign=row, by=by, **form.settings()))
    elif seats is not None and seats.is_bound and seats.is_valid():
        done = attempt(seats, lambda: services.cup_seat(campaign=row, by=by, seats=seats.seats()))
    if done is None:
        return ""
    return "Seeds saved." if seats is not None and seats.is_bound else "The cup is set up."


def _draw(request: HttpRequest, row: Campaign) -> HttpResponse:
    try:
        services.cup_make_draw(campaign=row, by=player(request))
    except RefusedError as error:
        messages.error(request, error.reason)
    else:
        messages.success(request, "The cup is drawn. Look it over, then plan its first round.")
    return redirect("campaigns:cup", pk=row.pk)
