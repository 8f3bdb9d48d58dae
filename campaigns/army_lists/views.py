"""The page of a side that buys units for each match: roll for support, then buy and submit."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from campaigns.army_lists.forms import PurchaseForm, RollForm
from campaigns.army_lists.purchases import (
    BuyingSide,
    build_buying_side,
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
    start_purchase,
    submitted_list_rows,
)
from campaigns.army_lists.services import list_submit, preparation_roll, saved_list_delete, saved_list_save
from campaigns.locks import side_enrolment
from campaigns.models import Match, SavedList
from rosters.services import RefusedError
from rosters.view_helpers import player, row_id, run_for_form
from systems import roster_rules
from systems.scenarios import SIDES


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
            messages.success(request, "Rolled. Only you see it until the forces are open.")
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
            messages.error(request, f"That force can't be bought here any more: {error.reason}")
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
        messages.error(request, f"The force was not kept: {error.reason}")
    else:
        messages.success(request, f"Kept as {name}.")


def _drop(request: HttpRequest, match: Match, side: int) -> HttpResponse:
    row = SavedList.objects.filter(player=player(request), pk=row_id(request.POST.get("saved", ""))).first()
    if row is None:
        messages.error(request, "You keep no such force.")
    else:
        saved_list_delete(force=row)
        messages.success(request, f"{row.name} is dropped.")
    return redirect(f"{request.path}?side={SIDES[side]}")


def _here(request: HttpRequest, buyer: BuyingSide) -> str:
    return f"{request.path}?side={SIDES[buyer.side]}"


def _render(request: HttpRequest, buyer: BuyingSide, page: object, form: Any, more: dict[str, object]) -> HttpResponse:
    match = buyer.match
    sealed = match.sealed.filter(side=buyer.side).first()
    campaign = match.round.campaign
    context = {
        "match": match,
        "campaign": campaign,
        "club": campaign.club,
        "page": page,
        "lines": submitted_list_rows(match),
        "side": buyer.side,
        "side_word": SIDES[buyer.side],
        "own": sealed if sealed is not None and not sealed.fell else None,
        "first": sealed,
        "brings": buyer.enrolment.company.name,
        "words": roster_rules(campaign.system, campaign.catalogue_release).unit_words,
        **more,
    }
    return render(request, "campaigns/match_preparation.html", context, status=422 if form.errors else 200)
