"""The form of a side's list, on the page of its match; first it rolls for support, if it buys units for the match."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from battles.forms.orders import results_offered, standing_form, standing_offered
from campaigns.army_lists.documents import autoplay_units
from campaigns.army_lists.forms import PurchaseForm, RollForm, SubmitListForm
from campaigns.army_lists.handicaps import calculated_units
from campaigns.army_lists.purchases import (
    BuyingSide,
    build_buying_side,
    buys_units_per_match,
    check_purchases,
    default_purchases,
    parse_purchases,
)
from campaigns.army_lists.selectors import (
    design_options,
    own_designs,
    preparation_page,
    saved_forces,
    saved_list_choices,
    sealed_sides,
    start_purchase,
    submitted_list_rows,
    unit_choices,
)
from campaigns.army_lists.services import (
    list_submit,
    list_submit_by_orders,
    list_withdraw,
    preparation_roll,
    saved_list_delete,
    saved_list_save,
)
from campaigns.locks import side_enrolment
from campaigns.matches.views import match_with_list
from campaigns.models import Match, SavedList
from campaigns.shortcuts import match_or_404, own_side
from campaigns.view_helpers import for_match
from rosters.services import RefusedError
from rosters.view_helpers import locked_for_edit, player, row_id, run_and_flash, run_for_form
from systems import roster_rules
from systems.scenarios import SIDES

SUBMITTED_MESSAGES = {  # whether the lists are revealed now, and whether they are hidden until then
    (True, True): "Both sides have submitted, and the lists are revealed.",
    (True, False): "Both sides have submitted, and the lists are revealed.",
    (False, True): "List submitted. Your opponent sees only its hash.",
    (False, False): "List submitted. Your opponent can see it. Both lists are fixed once they have submitted too.",
}


@login_required
@require_http_methods(["GET", "POST"])
def match_forces(request: HttpRequest, key: UUID) -> HttpResponse:
    """Choose the units, the AI style and words for the dice; the list is revealed when both sides have submitted."""
    match = match_or_404(request, key)
    side = own_side(request, match, done=sealed_sides(match))
    if match.defender is None or match.setup is not None:
        messages.info(request, "The lists of this match are already revealed.")
        return redirect("campaigns:match", key=key)
    with locked_for_edit(request, match):
        if buys_units_per_match(match.round.campaign):
            return preparation_view(request, match, side, SUBMITTED_MESSAGES)
        return _force_page(request, match, side)


def _force_page(request: HttpRequest, match: Match, side: int) -> HttpResponse:
    enrolment = side_enrolment(match, side)
    campaign, rows = match.round.campaign, unit_choices(enrolment)
    first = match.sealed.filter(side=side).first()
    own = first if first is not None and not first.fell else None
    units = own.document["units"] if own else autoplay_units(match, side)
    if not units and calculated_units(match, side) is None:
        units = [row.id for row in rows if not row.refusal]
    form = SubmitListForm(
        request.POST or None,
        sealed=own.document if own else None,
        system=campaign.system,
        units=[(str(row.id), row.name) for row in rows if not row.refusal],
        support=results_offered(campaign.system, match.scenario),
        initial={
            "units": [str(pk) for pk in units],
            "doctrine": own.document["doctrine"] if own else enrolment.orders.get("doctrine", ""),
        },
    )
    if first:
        del form.fields["words"]  # fixed by the first list
    standing = standing_form(
        request.POST or None,
        what=standing_offered(campaign.system, match.scenario, side),
        who=[(str(row.id), row.name) for row in rows if not row.refusal],
        kept=own.document.get("standing", {}) if own else enrolment.orders.get("standing", {}),
    )
    if request.method == "POST" and form.is_valid() and standing.is_valid():
        given = form.cleaned_data
        sealed = run_for_form(
            form,
            lambda: list_submit(
                match=match,
                side=side,
                units=form.unit_ids(),
                doctrine=given["doctrine"],
                orders=form.orders(),
                standing=standing.given(given["units"]),
                words=given.get("words", ""),
                by=player(request),
            ),
        )
        if sealed is not None:
            messages.success(request, SUBMITTED_MESSAGES[sealed.setup is not None, campaign.seals_forces])
            return redirect("campaigns:match", key=match.key)
    chosen = {str(value) for value in form["units"].value() or []}
    context = {
        "form": form,
        "standing": standing,
        "rows": [(row, str(row.id) in chosen) for row in rows],
        "lines": submitted_list_rows(match),
        "side": side,
        "own": own,
        "first": first,
        "company": enrolment.company_id,
        "brings": enrolment.company.name,
        "side_word": SIDES[side],
    }
    return match_with_list(request, match, context, status=422 if form.errors or standing.errors else 200)


@require_POST
@for_match
def match_forces_withdraw(request: HttpRequest, match: Match) -> HttpResponse:
    """Take the reader's submitted list back."""
    side, by = own_side(request, match, done={0, 1} - sealed_sides(match)), player(request)
    run_and_flash(request, lambda: list_withdraw(match=match, side=side, by=by), "Your list is withdrawn.")
    if match.setup is not None:
        return redirect("campaigns:match", key=match.key)
    return redirect(reverse("campaigns:match_forces", args=[match.key], fragment="list"))


@require_POST
@for_match
def match_forces_orders(request: HttpRequest, match: Match) -> HttpResponse:
    """Submit the list that the reader's autoplay orders bring."""
    side, by = own_side(request, match, done=sealed_sides(match)), player(request)
    hidden = match.round.campaign.seals_forces
    run_and_flash(
        request,
        lambda: list_submit_by_orders(match=match, side=side, by=by),
        lambda sealed: SUBMITTED_MESSAGES[sealed.setup is not None, hidden],
    )
    return redirect("campaigns:match", key=match.key)


def preparation_view(
    request: HttpRequest, match: Match, side: int, submitted_messages: dict[tuple[bool, bool], str]
) -> HttpResponse:
    """Show a side's preparation at its current step; `submitted_messages`: for a submitted list."""
    buyer = build_buying_side(match, side, side_enrolment(match, side))
    act = request.POST.get("act", "")
    if act == "drop":
        return _drop(request, match, side)
    if not buyer.has_rolled:
        return _roll_page(request, buyer)
    if request.method == "POST" and request.GET.get("part") == "tally":
        return render(request, "campaigns/_purchase_tally.html", _purchase_totals(buyer, _purchase(request, buyer)))
    return _purchase_page(request, buyer, submitted_messages)


def _roll_page(request: HttpRequest, buyer: BuyingSide) -> HttpResponse:
    page = preparation_page(buyer)
    form = RollForm(
        request.POST or None,
        pilots=[(str(each.id), each.name) for each in page.pilots if not each.refusal],
        initial={"pilots": [str(each.id) for each in page.pilots if each.is_best]},
    )
    if request.method == "POST" and form.is_valid():
        rolled = run_for_form(
            form,
            lambda: preparation_roll(
                match=buyer.match, side=buyer.side, by=player(request), pilots=form.pilot_ids(),
                words=form.cleaned_data["words"],
            ),
        )  # fmt: skip
        if rolled is not None:
            messages.success(request, "Rolled. Only you can see the result until lists are revealed.")
            return redirect(_here(request, buyer))
    chosen = {str(value) for value in form["pilots"].value() or []}
    context = {"form": form, "pilots": [(each, str(each.id) in chosen) for each in page.pilots]}
    return _render(request, buyer, page, form, context)


def _purchase_page(
    request: HttpRequest, buyer: BuyingSide, submitted_messages: dict[tuple[bool, bool], str]
) -> HttpResponse:
    match, by = buyer.match, player(request)
    campaign = match.round.campaign
    form = _purchase(request, buyer)
    if request.method == "POST" and form.is_valid():
        clean = form.cleaned_data
        sealed = run_for_form(
            form,
            lambda: list_submit(
                match=match, side=buyer.side, buys=form.given(), orders=form.orders(), doctrine=clean["doctrine"],
                standing=form.autoplay_orders(),
                words=clean.get("words", ""), by=by,
            ),
        )  # fmt: skip
        if sealed is not None:
            messages.success(request, submitted_messages[sealed.setup is not None, campaign.seals_forces])
            if clean["keep_as"]:
                _keep(request, buyer, form)
            return redirect("campaigns:match", key=match.key)
    context = {
        "form": form,
        **_purchase_totals(buyer, form),
        "forces": saved_list_choices(by, match, buyer.side),
        "force": request.GET.get("force", ""),
        "saved": saved_forces(by, campaign.system),
    }
    return _render(request, buyer, preparation_page(buyer), form, context)


def _purchase(request: HttpRequest, buyer: BuyingSide) -> PurchaseForm:
    by, match = player(request), buyer.match
    first = match.sealed.filter(side=buyer.side).first()
    sealed = first.document if first is not None and not first.fell and "buys" in first.document else None
    start = _started(request, buyer)
    if start is None:
        start = sealed["buys"] if sealed else _proposed(buyer)
    form = PurchaseForm(
        request.POST or None,
        buyer=buyer,
        designs=design_options(by, buyer),
        own=own_designs(by, buyer.rules.slug),
        start=start,
        sealed=sealed,
        doctrine=sealed["doctrine"] if sealed else buyer.enrolment.orders.get("doctrine", ""),
    )
    if first:
        del form.fields["words"]  # fixed with the first submission
    return form


def _started(request: HttpRequest, buyer: BuyingSide) -> Any:
    """Return the list named in the address, to start from; None if there is none, or it can't be read any more."""
    try:
        return start_purchase(player(request), buyer, request.GET.get("force", ""))
    except RefusedError as error:
        if request.method == "GET":
            messages.error(request, f"You can't buy that list here: {error.reason}")
        return None


def _proposed(buyer: BuyingSide) -> Any:
    try:
        return default_purchases(buyer)
    except RefusedError:
        return []


def _purchase_totals(buyer: BuyingSide, form: PurchaseForm) -> dict[str, object]:
    """Return points and problems of what the form contains now."""
    if form.is_bound:
        form.is_valid()  # errors or not, show what can be read
        given = form.given()
    else:
        given = [dict(each) for each in form.start]
    page = preparation_page(buyer)
    try:
        check = check_purchases(buyer, parse_purchases(buyer, given))
    except RefusedError as error:
        return {"limit": page.limit, "refusal": error.reason}
    cited = [(problem, buyer.rules.rulebook.get(problem.rule)) for problem in check.problems]
    return {"check": check, "limit": page.limit, "cited": cited, "units": len(given)}


def _keep(request: HttpRequest, buyer: BuyingSide, form: PurchaseForm) -> None:
    name = form.cleaned_data["keep_as"]
    designs = [{"design": each["design"], "name": each.get("name", "")} for each in form.given()]
    try:
        saved_list_save(player=player(request), system=buyer.rules.slug, name=name, designs=designs)
    except RefusedError as error:
        messages.error(request, f"The list wasn't saved: {error.reason}")
    else:
        messages.success(request, f"Saved as {name}.")


def _drop(request: HttpRequest, match: Match, side: int) -> HttpResponse:
    row = SavedList.objects.filter(player=player(request), pk=row_id(request.POST.get("saved", ""))).first()
    if row is None:
        messages.error(request, "You have no such saved list.")
    else:
        saved_list_delete(force=row)
        messages.success(request, f"{row.name} is deleted.")
    return redirect(f"{request.path}?side={SIDES[side]}#list")


def _here(request: HttpRequest, buyer: BuyingSide) -> str:
    return f"{request.path}?side={SIDES[buyer.side]}#list"


def _render(request: HttpRequest, buyer: BuyingSide, page: object, form: Any, more: dict[str, object]) -> HttpResponse:
    match = buyer.match
    sealed = match.sealed.filter(side=buyer.side).first()
    campaign = match.round.campaign
    context = {
        "preparation": page,
        "lines": submitted_list_rows(match),
        "side": buyer.side,
        "side_word": SIDES[buyer.side],
        "own": sealed if sealed is not None and not sealed.fell else None,
        "first": sealed,
        "brings": buyer.enrolment.company.name,
        "words": roster_rules(campaign.system, campaign.catalogue_release).unit_words,
        **more,
    }
    return match_with_list(request, match, context, status=422 if form.errors else 200)
