"""Pages of campaigns: the overview, settings and companies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from battles.forms.orders import OrdersOffered, StandingForm, standing_form
from campaigns import policy
from campaigns.arbiters import adjusting_own_case, enrolment_own_case, refusal_of
from campaigns.autoplay_orders import general_orders
from campaigns.campaign import selectors as reads
from campaigns.campaign import services
from campaigns.campaign.forms import (
    CampaignForm,
    CampaignSettingsForm,
    EnrolForm,
    HouseRulesSettingsForm,
    OrdersForm,
    PhaseChangeForm,
    PhaseForm,
    PlanForm,
    ReasonForm,
    campaign_initial,
)
from campaigns.campaign.phases import PhaseRow, group_rounds_by_phase, phase_add, phase_change, phases_of
from campaigns.campaign.phases import phase_remove as remove_phase
from campaigns.campaign.selectors import leading
from campaigns.campaign.services import campaign_change_with_map
from campaigns.enrolments import services as enrolments
from campaigns.house_rules import describe_campaign_house_rules
from campaigns.models import Campaign, CampaignState, Enrolment, EnrolmentState, Phase, Role
from campaigns.planning.services import check_can_plan_round, round_plan
from campaigns.shortcuts import campaign_or_404, require_permission
from campaigns.view_helpers import campaign_context
from campaigns.waiting_list import places_in_line
from rosters.models import Player, Unit, UnitStatus
from rosters.services import RefusedError
from rosters.view_helpers import locked_for_edit, player, run_and_flash, run_for_form
from systems import roster_rules

ResultT = TypeVar("ResultT")
STEP_LABELS = {  # of the button for the next step
    CampaignState.MUSTERING: "Open sign-ups",
    CampaignState.RUNNING: "Start campaign",
    CampaignState.FINISHED: "Finish campaign",
}
MIN_COMPANIES = 2  # accepted, before organisers are pointed to starting
COMPANIES_SHOWN = 8  # on the overview, once the standings show who takes part


@require_GET
def campaign(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the overview: the campaign's state, what is open, who takes part, and its rules."""
    return _overview(request, campaign_or_404(request, pk))


def _overview(request: HttpRequest, row: Campaign, plan: PlanForm | None = None) -> HttpResponse:
    """Show the overview. `plan` is the form of the next round, if it has errors."""
    role = policy.role_in(request.user, row.club)
    can_run = role == Role.ORGANISER
    asked = reads.enrolment_rows(row, request.user)
    context: dict[str, Any] = {
        **campaign_context(request, row, can_run=can_run),
        **_companies_context(row, asked, role),
        "all_asked": len(asked),
        "companies": reads.enrollable_companies(row, request.user),
        "steps": reads.steps_of(row),
        "next": reads.next_state(row),
        "rounds": reads.round_lines(row, with_planned=can_run),
        "house_rules": describe_campaign_house_rules(row),
        "tie_breakers": reads.tie_breaker_names(row),
    }
    if can_run and row.state == CampaignState.RUNNING:
        by = player(request) if any(each.is_own for each in asked) else None
        context["plan"] = plan or PlanForm(None, campaign=row, by=by)
        context["plan_refusal"] = refusal_of(lambda: check_can_plan_round(row))
    if context["has_run"]:
        context["enrolments"] = _overview_rows(asked)
        named = phases_of(row)
        context["phases"] = group_rounds_by_phase(named, context["rounds"]) if named else ()
        context["leading"] = leading(row, request.user, asked)
    return render(request, "campaigns/campaign.html", context, status=422 if plan else 200)


@require_http_methods(["GET", "POST"])
def rounds(request: HttpRequest, pk: int) -> HttpResponse:
    """Plan the next round; GET redirects to the rounds on the overview."""
    row = campaign_or_404(request, pk)
    if request.method != "POST":
        return redirect(reverse("campaigns:campaign", args=[pk]) + "#rounds")
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    require_permission(policy.can_run_campaign(request.user, row))
    by = player(request)
    form = PlanForm(request.POST, campaign=row, by=by)
    if form.is_valid():
        planned = run_for_form(form, lambda: round_plan(campaign=row, by=by, way=form.cleaned_data["way"]))
        if planned is not None:
            messages.success(request, f"{planned} is planned. Check it, then publish it.")
            return redirect("campaigns:round", pk=pk, number=planned.number)
    return _overview(request, row, form)


@login_required
@require_http_methods(["GET", "POST"])
def campaign_settings(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the settings; a change to a fixed one is refused with the reason."""
    found = _campaign_for_organiser(request, pk)
    data, by = request.POST or None, player(request)
    with locked_for_edit(request, found) as row:
        form, rules = _settings_forms(row, by, data)
        if data is not None and all([form.is_valid(), rules.is_valid()]):  # check both, so that both show their errors

            def change() -> Campaign:
                return campaign_change_with_map(
                    campaign=row,
                    by=by,
                    options=row.options if _has_fixed_rules(row) else rules.options(),
                    territories=form.territory_names(),
                    borders=form.border_lines(),
                    yields=form.yield_lines(),
                    **form.settings(),
                )

            if attempt_in_transaction(form, change) is not None:
                messages.success(request, "Settings saved.")
                return redirect("campaigns:campaign_settings", pk=pk)
    return _settings_page(request, row, settings=(form, rules))


def _settings_forms(
    row: Campaign, by: Player, data: QueryDict | None = None
) -> tuple[CampaignSettingsForm, HouseRulesSettingsForm]:
    form = CampaignSettingsForm(data, system=row.system, player=by, campaign=row, initial=campaign_initial(row))
    rules = HouseRulesSettingsForm(data, prefix="rule", system=row.system, initial=row.options)
    for field in rules.fields.values():
        field.disabled = _has_fixed_rules(row)
    return form, rules


def _has_fixed_rules(row: Campaign) -> bool:
    return "options" not in services.campaign_changeable(row)


def _settings_page(
    request: HttpRequest,
    row: Campaign,
    *,
    settings: tuple[CampaignSettingsForm, HouseRulesSettingsForm] | None = None,
    new_phase: PhaseForm | None = None,
    changed: tuple[int, PhaseChangeForm] | None = None,
) -> HttpResponse:
    """Show settings and phases. A form with errors takes the place of the one that the page would show."""
    known, sent = phases_of(row), dict([changed]) if changed else {}
    form, rules = settings or _settings_forms(row, player(request))
    add = new_phase or _new_phase_form(row, known)
    context = {
        **campaign_context(request, row, can_run=True),
        "form": form,
        "rules": rules,
        "phases": [(each, sent.get(each.id) or PhaseChangeForm(None, phase=each)) for each in known],
        "new_phase": add,
        "step": _next_step(request, row),
    }
    wrong = form.errors or rules.errors or add.errors or sent
    return render(request, "campaigns/campaign_settings.html", context, status=422 if wrong else 200)


def _next_step(request: HttpRequest, row: Campaign) -> dict[str, object] | None:
    """Return what the campaign's next step fixes, and what keeps it from that; None if it is finished."""
    to = reads.next_state(row)
    if to is None:
        return None
    found: dict[str, object] = {"to": to, "label": STEP_LABELS[to], "obstacle": services.campaign_obstacle(row, to)}
    if to == CampaignState.MUSTERING:
        found["house_rules"] = describe_campaign_house_rules(row)
    if to == CampaignState.RUNNING:
        rows = reads.enrolment_rows(row, request.user)
        accepted = sum(each.state == EnrolmentState.ACCEPTED for each in rows)
        asking = [each for each in rows if each.can_be_accepted]
        if accepted < MIN_COMPANIES <= accepted + len(asking):
            found["obstacle"] = ""  # companies that ask can be accepted in the same step
        found |= {"accepted": accepted, "asking": asking, "tie_breakers": reads.tie_breaker_names(row)}
    return found


def _new_phase_form(row: Campaign, known: Sequence[PhaseRow], data: QueryDict | None = None) -> PhaseForm:
    last = row.rounds.order_by("-number").values_list("number", flat=True).first() or 0
    return PhaseForm(data, initial={"first_round": last + 1 if known else 1}, auto_id="id_new_phase_%s")


@login_required
@require_http_methods(["GET", "POST"])
def phases(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a phase; GET redirects to the phases on the settings page."""
    row, page = _campaign_for_organiser(request, pk), reverse("campaigns:campaign_settings", args=[pk])
    if request.method != "POST":
        return redirect(f"{page}#phases")
    form = _new_phase_form(row, phases_of(row), request.POST)
    if form.is_valid():
        by = player(request)
        made = run_for_form(form, lambda: phase_add(campaign=row, by=by, **form.cleaned_data))
        if made is not None:
            messages.success(request, f"{made.name} is added, from round {made.first_round}.")
            return redirect(f"{page}#phases")
    return _settings_page(request, row, new_phase=form)


@login_required
@require_http_methods(["GET", "POST"])
def phase(request: HttpRequest, pk: int, phase_pk: int) -> HttpResponse:
    """Change a phase; GET redirects to it on the settings page."""
    row, page = _campaign_for_organiser(request, pk), reverse("campaigns:campaign_settings", args=[pk])
    _phase_or_404(row, phase_pk)
    if request.method != "POST":
        return redirect(f"{page}#phase-{phase_pk}")
    with locked_for_edit(request, row) as locked:  # lock the campaign first, as every act on phases does
        found = _phase_or_404(locked, phase_pk)
        form = PhaseChangeForm(request.POST, phase=next(each for each in phases_of(locked) if each.id == phase_pk))
        if form.is_valid():
            by = player(request)
            saved = run_for_form(form, lambda: phase_change(phase=found, by=by, **form.cleaned_data))
            if saved is not None:
                messages.success(request, "Saved.")
                return redirect(f"{page}#phases")
    return _settings_page(request, row, changed=(phase_pk, form))


@login_required
@require_POST
def phase_remove(request: HttpRequest, pk: int, phase_pk: int) -> HttpResponse:
    """Remove a phase."""
    row = _phase_or_404(_campaign_for_organiser(request, pk), phase_pk)
    by = player(request)
    run_and_flash(request, lambda: remove_phase(phase=row, by=by), f"{row.name} is removed.")
    return redirect(reverse("campaigns:campaign_settings", args=[pk]) + "#phases")


def _campaign_for_organiser(request: HttpRequest, pk: int) -> Campaign:
    row = campaign_or_404(request, pk)
    require_permission(policy.can_run_campaign(request.user, row))
    return row


def _phase_or_404(campaign: Campaign, pk: int) -> Phase:
    row = campaign.phases.filter(pk=pk).first()
    if row is None:
        raise Http404("No such phase")
    return row


@login_required
@require_POST
def campaign_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a draft."""
    row = _campaign_for_organiser(request, pk)
    slug = row.club.slug
    if run_and_flash(
        request, lambda: services.campaign_delete(campaign=row, by=player(request)), f"Deleted {row.name}."
    ):
        return redirect("campaigns:club", slug=slug)
    return redirect("campaigns:campaign_settings", pk=pk)


@require_http_methods(["GET", "POST"])
def campaign_companies(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the companies that are enrolled or ask, and what keeps them out; on POST, a company asks."""
    row = campaign_or_404(request, pk)
    can_run = policy.can_run_campaign(request.user, row)
    companies = reads.enrollable_companies(row, request.user)
    form = EnrolForm(request.POST or None, system=row.system, companies=companies) if companies else None
    status = 200
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.path)
    if request.method == "POST":
        require_permission(policy.role_in(request.user, row.club) is not None)
        by = player(request)
        if form is None:
            raise Http404
        if form.is_valid():
            chosen = next(each for each in companies if str(each.pk) == form.cleaned_data["company"])
            asked = attempt_in_transaction(
                form,
                lambda: enrolments.enrolment_ask_or_accept(
                    campaign=row, company=chosen, by=by, doctrine=form.cleaned_data["doctrine"]
                ),
            )
            if asked is not None:
                messages.success(request, f"{chosen.name} {_describe_request(asked)}.")
                return redirect("campaigns:campaign_companies", pk=pk)
        status = 422
    context = {
        **campaign_context(request, row, can_run=can_run),
        **_companies_context(row, reads.enrolment_rows(row, request.user), policy.role_in(request.user, row.club)),
        "companies": companies,
        "enrol": form,
    }
    return render(request, "campaigns/campaign_companies.html", context, status=status)


def _describe_request(asked: Enrolment) -> str:
    """Describe what happened to the company that its player enrolled."""
    if asked.state == EnrolmentState.ACCEPTED:
        return "is accepted"
    if place := places_in_line(asked.campaign).get(asked.pk):
        return f"is number {place} on the waiting list. We'll tell you when it gets a place"
    return "has asked to join. The organiser decides"


@login_required
@require_http_methods(["GET", "POST"])
def enrolment(request: HttpRequest, pk: int, enrolment_pk: int) -> HttpResponse:
    """Show one company in the campaign: its problems, the organiser's decisions, its autoplay orders."""
    row = campaign_or_404(request, pk)
    with locked_for_edit(request, row):
        return _enrolment(request, row, enrolment_pk)


def _enrolment(request: HttpRequest, row: Campaign, enrolment_pk: int) -> HttpResponse:
    pk = row.pk
    can_run = policy.can_run_campaign(request.user, row)
    found = Enrolment.objects.filter(campaign=row, pk=enrolment_pk).select_related("company__owner", "campaign__club")
    one = found.first()
    if one is None:
        raise Http404
    is_own = one.company.owner_id == player(request).pk
    require_permission(can_run or is_own or policy.can_rule(request.user, row))
    act = request.POST.get("act", "")
    reason = ReasonForm(request.POST if act in ("decline", "excuse") else None)
    orders = OrdersForm(
        request.POST if act == "orders" else None, system=row.system, initial={"doctrine": one.orders.get("doctrine")}
    )
    standing = standing_form(
        request.POST if act == "orders" else None,
        what=OrdersOffered(general_orders(row.system)),
        who=[(str(unit.pk), unit.name) for unit in _units_there(one)] if is_own else [],
        kept=one.orders.get("standing", {}),
    )
    if request.method == "POST":
        require_permission(is_own if act == "orders" else is_own or can_run if act == "withdraw" else can_run)
        if _act(request, one, act, reason, orders, standing):
            return redirect("campaigns:enrolment", pk=pk, enrolment_pk=enrolment_pk)
    rows = reads.enrolment_rows(row, request.user, pk=one.pk)
    may_adjust = (
        one.state == EnrolmentState.ACCEPTED
        and row.state in policy.TAKES_COMPANIES
        and policy.can_rule(request.user, row)
    )
    context = {
        **campaign_context(request, row, can_run=can_run),
        "one": rows[0],
        "takes_companies": row.state in policy.TAKES_COMPANIES,
        "may_adjust": may_adjust,
        "adjust_refusal": refusal_of(lambda: adjusting_own_case(one, player(request))) if may_adjust else "",
        "excuse_refusal": refusal_of(lambda: enrolment_own_case(one, player(request))) if can_run else "",
        "withdraw_refusal": refusal_of(lambda: enrolments.withdrawing_own_case(one, player(request))),
        "reason": reason,
        "orders": orders,
        "standing": standing,
        "rulebook": roster_rules(row.system).rulebook,
    }
    return render(request, "campaigns/enrolment.html", context, status=422 if request.method == "POST" else 200)


def _units_there(one: Enrolment) -> QuerySet[Unit]:
    """Return the company's units that are neither lost nor sold."""
    return one.company.units.filter(status=UnitStatus.READY).order_by("position", "pk")


def _act(
    request: HttpRequest, one: Enrolment, act: str, reason: ReasonForm, orders: OrdersForm, standing: StandingForm
) -> bool:
    """Run the act of a button on the enrolment page. Return False if it is refused, with the reason on the page."""
    by, name = player(request), one.company.name
    if act == "accept":
        return run_and_flash(request, lambda: enrolments.enrolment_accept(enrolment=one, by=by), f"{name} is accepted.")
    if act == "withdraw":
        return run_and_flash(
            request, lambda: enrolments.enrolment_withdraw(enrolment=one, by=by), f"{name} is withdrawn."
        )
    if act == "orders" and orders.is_valid() and standing.is_valid():
        doctrine, lines = orders.cleaned_data["doctrine"], standing.given()
        return run_and_flash(
            request,
            lambda: enrolments.orders_set(enrolment=one, doctrine=doctrine, standing=lines, by=by),
            "Orders saved.",
        )
    if act == "decline":
        text = reason.data.get("reason", "")
        return run_and_flash(
            request, lambda: enrolments.enrolment_decline(enrolment=one, by=by, reason=text), f"{name} is declined."
        )
    if act == "excuse" and reason.is_valid():
        text = reason.cleaned_data["reason"]
        return run_and_flash(
            request, lambda: enrolments.enrolment_excuse(enrolment=one, by=by, reason=text), f"{name} has an exception."
        )
    return False


def _companies_context(row: Campaign, rows: Sequence[reads.EnrolmentRow], role: Role | None) -> dict[str, object]:
    """Return the context about a campaign's companies, for a reader with that role in the club."""
    accepted = sum(each.state == EnrolmentState.ACCEPTED for each in rows)
    return {
        "enrolments": rows,
        "accepted": accepted,
        "asking": sum(each.state == EnrolmentState.ASKED and each.waits is None for each in rows),
        "in_line": sum(each.waits is not None for each in rows),
        "has_too_few": row.state == CampaignState.MUSTERING and accepted < MIN_COMPANIES,
        "fit": [each.id for each in rows if each.can_be_accepted],
        "is_enrolled": any(each.is_own and each.state in EnrolmentState.in_play() for each in rows),
        "is_member": role is not None,
        "judges": role in policy.MAY_RULE,
        "takes_companies": row.state in policy.TAKES_COMPANIES,
    }


def _overview_rows(rows: Sequence[reads.EnrolmentRow]) -> tuple[reads.EnrolmentRow, ...]:
    """Return the reader's own and undecided companies, then others: no more than the overview has room for."""
    waiting = [each for each in rows if each.is_own or each.state == EnrolmentState.ASKED]
    others = (each for each in rows if each not in waiting)
    return (*waiting, *islice(others, max(0, COMPANIES_SHOWN - len(waiting))))


def attempt_in_transaction(form: CampaignForm | EnrolForm, service: Callable[[], ResultT]) -> ResultT | None:
    """Return what the service returns, in one transaction; None if it refuses, with the reason on the form's field."""
    try:
        with transaction.atomic():
            return service()
    except RefusedError as error:
        field = "tie_1" if error.field == "tie_breakers" else error.field
        form.add_error(field if field in form.fields else None, error.reason)
        return None
