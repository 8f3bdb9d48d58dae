"""The page of a campaign's friendly games: those announced, and the form that announces one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from battles.choices import published_forces
from battles.forms.orders import OrdersOffered, StandingForm, standing_form
from battles.services.dice import dice_waiting
from campaigns.army_lists.selectors import unit_choices
from campaigns.autoplay_orders import general_orders
from campaigns.matches.forms import FriendlyForm
from campaigns.matches.friendlies import (
    friendly_announce,
    friendly_dice_left,
    friendly_round,
    friendly_rows,
    own_entrants,
)
from campaigns.models import Enrolment, Friendly
from campaigns.planning.draws import ground_choices
from campaigns.shortcuts import campaign_or_404, require_permission
from campaigns.view_helpers import campaign_context
from rosters.view_helpers import player, row_id, run_for_form
from systems import battle_rules


@require_http_methods(["GET", "POST"])
def friendlies(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the friendly games; on POST, one of the reader's companies announces a game, and it is simulated."""
    row = campaign_or_404(request, pk)
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.path)
    own = own_entrants(row, request.user)
    if request.method == "POST":
        require_permission(bool(own))
    chosen = _chosen(request, own)
    form = left = standing = None
    refusal = ""
    if chosen is not None:
        round_, refusal = friendly_round(chosen)
        left = friendly_dice_left(chosen, round_) if round_ else None
    if chosen is not None and (request.method == "POST" or not refusal):
        form = _form(request, chosen)
        standing = _standing(request, chosen, form)
        if left:
            del form.fields["words"]  # fixed by the game that could not be played
        is_sound = request.method == "POST" and form.is_valid() and standing.is_valid()
        if is_sound and _announce(request, chosen, form, standing):
            messages.success(request, "Your game is announced and is being simulated now.")
            return redirect("campaigns:friendlies", pk=pk)
    context = {
        **campaign_context(request, row),
        "lines": friendly_rows(row),
        "own": own,
        "chosen": chosen,
        "refusal": refusal,
        "form": form,
        "standing": standing,
        "dice": left or (dice_waiting(actor=player(request), visitor="") if chosen and not refusal else None),
        "is_left": left is not None,
    }
    return render(
        request,
        "campaigns/friendlies.html",
        context,
        status=422 if form and (form.errors or (standing and standing.errors)) else 200,
    )


def _chosen(request: HttpRequest, own: list[Enrolment]) -> Enrolment | None:
    """Return the company that plays: the one asked for, or the reader's first."""
    given = request.POST.get("enrolment") or request.GET.get("enrolment")
    asked = row_id(given) if given else None
    return next((each for each in own if each.pk == asked), own[0] if own else None)


def _form(request: HttpRequest, chosen: Enrolment) -> FriendlyForm:
    campaign = chosen.campaign
    terrains = battle_rules(campaign.system).terrains
    rows = [row for row in unit_choices(chosen) if not row.refusal]
    units = [(str(row.id), f"{row.name} · {row.points} pt" + (f", {row.pilot}" if row.pilot else "")) for row in rows]
    return FriendlyForm(
        request.POST or None,
        system=campaign.system,
        units=units,
        grounds=[
            ", ".join(part for part in (each.name, terrains.get(each.terrain, "")) if part)
            for each in ground_choices(campaign)
        ],
        opponents=[
            (force.slug, f"{force.name} · {force.points} pt") for force in published_forces(campaign.system).values()
        ],
        initial={"units": [value for value, _ in units], "doctrine": chosen.orders.get("doctrine", "")},
    )


def _standing(request: HttpRequest, chosen: Enrolment, form: FriendlyForm) -> StandingForm:
    """Return the form for autoplay orders, for any ground the game can be on."""
    return standing_form(
        request.POST or None,
        what=OrdersOffered(general_orders(chosen.campaign.system)),
        who=list(form.fields["units"].choices),  # type: ignore[attr-defined]
        kept=chosen.orders.get("standing", {}),
    )


def _announce(request: HttpRequest, chosen: Enrolment, form: FriendlyForm, standing: StandingForm) -> Friendly | None:
    given = form.cleaned_data
    return run_for_form(
        form,
        lambda: friendly_announce(
            enrolment=chosen,
            units=form.unit_ids(),
            doctrine=given["doctrine"],
            standing=standing.given(given["units"]),
            opponent=given["opponent"],
            ground=int(given["ground"]),
            words=given.get("words", ""),
            commitment=request.POST.get("dice", ""),
            by=player(request),
        ),
    )
