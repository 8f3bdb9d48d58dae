"""Pages of rounds: pairing odds, publishing and closing."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from campaigns import policy
from campaigns.arbiters import byes_own_case, pairing_own_case, refusal_of, round_own_case
from campaigns.campaign.forms import PlanForm
from campaigns.campaign.phases import phase_of, phases_of
from campaigns.models import Campaign, FairDraw, Match, PairOdds, Round, RoundState
from campaigns.planning import services
from campaigns.planning.pairing_odds import PAIR_ODDS, PairingNote, pairing_notes, queue_pair_odds, round_odds_status
from campaigns.planning.selectors import (
    DRAW,
    MATCHES,
    RoundSheet,
    round_of,
    round_sheet,
)
from campaigns.rounds.closing import check_can_close, closing_of, closing_plan, round_close
from campaigns.rounds.forms import DeadlineForm, PairingsForm, TableForm
from campaigns.shortcuts import campaign_or_404, require_permission
from campaigns.view_helpers import campaign_context
from rosters.models import Player
from rosters.services import RefusedError
from rosters.view_helpers import locked_for_edit, player, row_id, run_and_flash


@require_GET
def round_page(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show one round: fixtures, deadline, and while it is planned its pairings for the organiser."""
    campaign, row = _round(request, pk, number)
    return _round_answer(request, campaign, row)


@login_required
@require_POST
def round_act(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Run the act of an organiser's button on a round. The buttons of the pairings also save all pairings."""
    campaign, _ = _round(request, pk, number)
    require_permission(policy.can_run_campaign(request.user, campaign))
    with locked_for_edit(request, campaign):
        return _act(request, *_round(request, pk, number))


def _act(request: HttpRequest, campaign: Campaign, row: Round) -> HttpResponse:
    by, act, pk, number = player(request), request.POST.get("act", ""), campaign.pk, row.number
    if act == "drop":
        run_and_flash(request, lambda: services.round_drop(round_=row, by=by), f"{row} is discarded.")
        return redirect(reverse("campaigns:campaign", args=[pk]) + "#rounds")
    if act == "redraw":
        way = request.POST.get("way", "")
        run_and_flash(request, lambda: services.round_redraw(round_=row, by=by, way=way), f"{row} is redrawn.")
        return redirect("campaigns:round", pk=pk, number=number)
    if act == "close":
        run_and_flash(request, lambda: round_close(round_=row, by=by), f"{row} is closing.")
        return redirect("campaigns:round", pk=pk, number=number)
    if act == "deadline":
        wrong = _set_deadline(request, row, by)
        if wrong is not None:
            edit = PairingsForm(campaign, row)
            edit.deadline = wrong
            return _round_answer(request, campaign, row, edit)
        return redirect("campaigns:round", pk=pk, number=number)
    edit = PairingsForm(campaign, row, request.POST)
    try:
        with transaction.atomic():
            done = _pair(edit, row, act, by)
    except RefusedError as error:
        messages.error(request, error.reason)
        return redirect("campaigns:round", pk=pk, number=number)
    if not done:
        return _round_answer(request, campaign, row, edit)
    messages.success(request, done)
    return redirect("campaigns:round", pk=pk, number=number)


def _set_deadline(request: HttpRequest, row: Round, by: Player) -> DeadlineForm | None:
    """Set the deadline, unless somebody else has set one since the page was opened; return the form if it "
    "has errors."""
    form = DeadlineForm(request.POST)
    del form.fields["is_finale"]
    if not form.is_valid():
        return form
    at = form.cleaned_data["deadline"]
    read = request.POST.get("read", "")
    if read and row.deadline and read != row.deadline.isoformat():
        now, given = (f"{timezone.localtime(each):%-d %b %Y, %H:%M}" for each in (row.deadline, at))
        messages.error(
            request,
            f"Somebody changed the deadline to {now} after you opened this page. Set it again if you want {given}.",
        )
        return None
    run_and_flash(request, lambda: services.round_set_deadline(round_=row, by=by, deadline=at), "Deadline set.")
    return None


def _pair(edit: PairingsForm, row: Round, act: str, by: Player) -> str:
    """Save the pairings, run the button's act and return its message; empty if a form has errors."""
    word, _, given = act.partition("-")
    leaving = row_id(given) if word == "remove" else None
    if leaving is not None and leaving not in {match.pk for match, _ in edit.tables}:
        raise RefusedError("match", "That match is no longer in the plan.")
    # check every part first, so that all show their errors
    if [form for form in edit.asked(act, leaving) if not form.is_valid()] or edit.is_overtaken():
        return ""
    for match, form in edit.tables:
        if match.pk == leaving:
            services.match_remove(match=match, by=by)
        else:
            services.match_change(match=match, by=by, **form.chosen())
    if act == "add":
        services.match_add(round_=row, by=by, **edit.add.chosen())
    if act == "open":
        services.round_open(round_=row, by=by, **edit.deadline.cleaned_data)
        return f"{row} is published."
    queue_pair_odds(round_=row, by=by, recalculate=act == "odds")
    message_by_act = {"add": "Match added.", "odds": "The odds are being calculated."}
    return message_by_act.get(act, "Match removed." if leaving else "Pairings saved.")


def _round_answer(
    request: HttpRequest, campaign: Campaign, row: Round, edit: PairingsForm | None = None
) -> HttpResponse:
    rights = policy.rights_in(request.user, campaign.club)
    can_run = rights.may_run
    sheet = round_sheet(campaign, row, request.user)
    is_planned = row.state == RoundState.PLANNED
    draw = DRAW.row(round=row.pk) if is_planned else None
    counting = PAIR_ODDS.row(round=row.pk) if is_planned and can_run else None
    closing = None if is_planned else closing_of(row)
    status = 422 if edit else 200
    if edit is None and can_run and row.state != RoundState.CLOSED:
        edit = PairingsForm(campaign, row)
    numbers = campaign.rounds.order_by("number").values_list("number", "state")
    context = {
        **campaign_context(request, campaign, can_run=can_run),
        "sheet": sheet,
        "round": row,
        "numbers": [number for number, state in numbers if can_run or state != RoundState.PLANNED],
        "draw": draw,
        "closing": closing,
        "phase": phase_of(phases_of(campaign), row.number),
        "judges": rights.may_rule,
        "may_close": can_run and row.state == RoundState.OPEN and (closing is None or closing.has_failed),
        "undecided": closing_plan(campaign, sheet.fixtures),
        "edit": edit is not None and is_planned,
        "forms": _pairing_forms(player(request), campaign, row, edit, draw, counting) if edit else [],
        "odds": round_odds_status([match for match, _ in edit.tables], draw, counting) if edit and is_planned else None,
        "add": edit.add if edit else None,
        "plan": PlanForm(None, campaign=campaign, by=player(request)) if edit and is_planned else None,
        **(_refusals(request, row, sheet) if can_run else {}),
        "deadline": edit.deadline if edit else None,
        "problems": edit.wrong() if edit else [],
        "notes": edit.notes if edit else [],
    }
    name = "campaigns/round.html"
    if request.htmx and not request.htmx.boosted:  # type: ignore[attr-defined]
        name = "campaigns/_draw.html" if draw else "campaigns/_round_closing.html" if closing else name
    response = render(request, name, context, status=status)
    if request.htmx and not draw and closing and closing.is_over:  # type: ignore[attr-defined]
        response["HX-Refresh"] = "true"  # shows the results, and what can be done now
    return response


def _refusals(request: HttpRequest, row: Round, sheet: RoundSheet) -> dict[str, object]:
    """Return why the organiser's buttons are missing: each a sentence, empty if the button is there."""
    by = player(request)
    if row.state == RoundState.PLANNED:
        return {"open_refusal": refusal_of(lambda: byes_own_case(row, by))}
    own = any(
        each.is_open and each.defender and (each.attacker.is_yours or each.defender.is_yours) for each in sheet.fixtures
    )
    if row.state != RoundState.OPEN or not own:
        return {}
    return {
        "deadline_refusal": refusal_of(lambda: round_own_case(row, by, is_shorter=False)),
        "shorter_refusal": refusal_of(lambda: round_own_case(row, by, is_shorter=True)),
        "close_refusal": refusal_of(lambda: check_can_close(row, by)),
    }


def _pairing_forms(
    by: Player, campaign: Campaign, row: Round, edit: PairingsForm, draw: FairDraw | None, counting: PairOdds | None
) -> list[tuple[Match, TableForm, PairingNote | None, str]]:
    """Return the form's tables, each with the notes on its pairing, and why only another organiser can change it."""
    if not edit.tables:
        return []
    notes = pairing_notes(campaign, [match for match, _ in edit.tables], row.number, draw, counting)
    return [
        (
            match,
            form,
            notes.get(match.pk),
            refusal_of(partial(pairing_own_case, row, edit.sides_of(match), by)),
        )
        for match, form in edit.tables
    ]


def _round(request: HttpRequest, pk: int, number: int) -> tuple[Campaign, Round]:
    campaign = campaign_or_404(request, pk)
    row = round_of(campaign, number)
    if row is None or (row.state == RoundState.PLANNED and not policy.can_run_campaign(request.user, campaign)):
        raise Http404("No such round")
    return campaign, row


@require_GET
@never_cache
def pairing_odds(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show progress and the notes of the tables; redirect to the page for a browser without the script."""
    campaign = campaign_or_404(request, pk)
    row = round_of(campaign, number)
    if row is None or not policy.can_run_campaign(request.user, campaign):
        raise Http404("No such round")
    page = reverse("campaigns:round", args=[pk, number])
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect(page)
    if row.state != RoundState.PLANNED:
        return HttpResponse(headers={"HX-Redirect": page})
    matches, draw, job = MATCHES.rows(round=row.pk), DRAW.row(round=row.pk), PAIR_ODDS.row(round=row.pk)
    notes = pairing_notes(campaign, matches, row.number, draw, job)
    context = {
        "campaign": campaign,
        "sheet": row,
        "odds": round_odds_status(matches, draw, job),
        "beside": [(match, notes[match.pk]) for match in matches if match.pk in notes],
    }
    return render(request, "campaigns/_pair_odds.html", context)
