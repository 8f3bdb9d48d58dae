"""Pages of rounds, pairings, standings and the campaign map."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns import policy
from campaigns.forms_rounds import DeadlineForm, MatchForm, PlanForm
from campaigns.models import Campaign, CampaignState, FairDraw, Match, Round, RoundState
from campaigns.reads.campaigns import tie_breaker_names
from campaigns.reads.closing import closing_of, closing_plan
from campaigns.reads.map import map_drawing
from campaigns.reads.rounds import fixtures_of, round_sheet, round_sheets
from campaigns.reads.standings import standings as standing_rows
from campaigns.reads.standings import territories
from campaigns.services import rounds as services
from campaigns.services.closing import round_close
from rosters.services import RefusedError
from rosters.views._parts import player, say

from ._parts import campaign_or_404, need
from .campaigns import campaign_context


@require_http_methods(["GET", "POST"])
def rounds(request: HttpRequest, pk: int) -> HttpResponse:
    """All rounds with their fixtures; posted, the organiser plans the next one."""
    row = campaign_or_404(request, pk)
    can_run = policy.can_run_campaign(request.user, row)
    form = PlanForm(request.POST or None, initial={"way": row.pairing})
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.path)
    if request.method == "POST":
        need(can_run)
        if form.is_valid():
            way = form.cleaned_data["way"]
            try:
                planned = services.round_plan(campaign=row, by=player(request), way=way)
            except RefusedError as error:
                form.add_error(None, error.reason)
            else:
                messages.success(request, f"{planned} is planned. Look it over, then open it.")
                return redirect("campaigns:round", pk=pk, number=planned.number)
    sheets = round_sheets(row, request.user, with_planned=can_run)
    context = {
        **campaign_context(request, row, can_run=can_run),
        "sheets": sheets,
        "form": form,
        "can_plan": can_run
        and row.state == CampaignState.RUNNING
        and all(sheet.state != RoundState.PLANNED for sheet in sheets),
    }
    return render(request, "campaigns/rounds.html", context, status=422 if form.errors else 200)


@require_GET
def round_page(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One round: fixtures, deadline, and for its organiser the pairings while it is planned."""
    campaign, row = _round(request, pk, number)
    can_run = policy.can_run_campaign(request.user, campaign)
    matches = fixtures_of(campaign, round=row)
    is_planned = row.state == RoundState.PLANNED
    draw = FairDraw.objects.filter(round=row).first() if is_planned else None
    closing = None if is_planned else closing_of(row)
    deadline = row.deadline or timezone.now() + timedelta(days=campaign.pace_days)
    context = {
        **campaign_context(request, campaign, can_run=can_run),
        "sheet": round_sheet(row, matches, request.user),
        "round": row,
        "draw": draw,
        "closing": closing,
        "may_close": can_run and row.state == RoundState.OPEN and (closing is None or closing.has_failed),
        "undecided": closing_plan(campaign, matches),
        "edit": can_run and is_planned,
        "forms": [(match, MatchForm(campaign=campaign, match=match, prefix=f"m{match.pk}")) for match in matches]
        if can_run and is_planned
        else [],
        "add": MatchForm(campaign=campaign, prefix="add") if can_run and is_planned else None,
        "deadline": DeadlineForm(initial={"deadline": timezone.localtime(deadline)})
        if can_run and row.state != RoundState.CLOSED
        else None,
    }
    name = "campaigns/round.html"
    if request.htmx:  # type: ignore[attr-defined]
        name = "campaigns/_draw.html" if draw else "campaigns/_closing.html" if closing else name
    return render(request, name, context)


@login_required
@require_POST
def round_act(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """What the organiser's buttons on a round do."""
    campaign, row = _round(request, pk, number)
    need(policy.can_run_campaign(request.user, campaign))
    by, act = player(request), request.POST.get("act", "")
    if act == "drop":
        say(request, lambda: services.round_drop(round_=row, by=by), f"{row} was dropped.")
        return redirect("campaigns:rounds", pk=pk)
    if act == "close":
        say(request, lambda: round_close(round_=row, by=by), f"{row} is being closed.")
    elif act in ("open", "deadline"):
        form = DeadlineForm(request.POST)
        if not form.is_valid():
            messages.error(request, "Give the deadline as a date and a time.")
        elif act == "open":
            at = form.cleaned_data["deadline"]
            say(request, lambda: services.round_open(round_=row, by=by, deadline=at), f"{row} is open.")
        else:
            at = form.cleaned_data["deadline"]
            say(request, lambda: services.round_set_deadline(round_=row, by=by, deadline=at), "Deadline set.")
    elif act == "add":
        _match_act(request, MatchForm(request.POST, campaign=campaign, prefix="add"), row, None)
    elif act.startswith(("change-", "remove-")):
        word, _, given = act.partition("-")
        match = Match.objects.filter(round=row, pk=given if given.isdecimal() else 0).select_related("round").first()
        if match is None:
            raise Http404
        if word == "remove":
            say(request, lambda: services.match_remove(match=match, by=by), "The match was taken out.")
        else:
            _match_act(request, MatchForm(request.POST, campaign=campaign, prefix=f"m{match.pk}"), row, match)
    return redirect("campaigns:round", pk=pk, number=number)


@require_GET
def standings(request: HttpRequest, pk: int) -> HttpResponse:
    """The table, now or after a round."""
    row = campaign_or_404(request, pk)
    given = request.GET.get("after", "")
    after = int(given) if given.isdecimal() and len(given) < 6 else None
    context = {
        **campaign_context(request, row),
        "rows": standing_rows(row, up_to=after),
        "after": after,
        "numbers": list(row.rounds.exclude(state=RoundState.PLANNED).values_list("number", flat=True)),
        "tie_breakers": tie_breaker_names(row),
    }
    return render(request, "campaigns/standings.html", context)


@require_GET
def campaign_map(request: HttpRequest, pk: int) -> HttpResponse:
    """The map: who holds what, drawn and as a list."""
    row = campaign_or_404(request, pk)
    given = request.GET.get("after", "")
    after = int(given) if given.isdecimal() and len(given) < 6 else None
    places = territories(row, up_to=after)
    if not places:
        raise Http404("This campaign has no map")
    context = {
        **campaign_context(request, row),
        "places": places,
        "drawing": map_drawing(row.map_kind, places),
        "after": after,
        "numbers": list(row.rounds.exclude(state=RoundState.PLANNED).values_list("number", flat=True)),
    }
    return render(request, "campaigns/map.html", context)


def _round(request: HttpRequest, pk: int, number: int) -> tuple[Campaign, Round]:
    campaign = campaign_or_404(request, pk)
    row = campaign.rounds.filter(number=number).first()
    if row is None or (row.state == RoundState.PLANNED and not policy.can_run_campaign(request.user, campaign)):
        raise Http404("No such round")
    row.campaign = campaign
    return campaign, row


def _match_act(request: HttpRequest, form: MatchForm, row: Round, match: Match | None) -> None:
    by = player(request)
    if not form.is_valid():
        messages.error(request, "Choose an attacker and a scenario.")
    elif match is None:
        say(request, lambda: services.match_add(round_=row, by=by, **form.chosen()), "The match was added.")
    else:
        say(request, lambda: services.match_change(match=match, by=by, **form.chosen()), "The match was changed.")
