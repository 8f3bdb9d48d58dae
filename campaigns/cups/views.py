"""The page of a cup, and the forms for its settings, seeds and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaigns import policy
from campaigns.arbiters import refusal_of
from campaigns.cups import services
from campaigns.cups.bracket import group_letter
from campaigns.cups.selectors import cup_of, cup_sheet
from campaigns.cups.services import MAX_ADVANCE, MAX_ENTRANTS, MAX_GROUPS, MIN_GROUPS
from campaigns.models import Campaign, CampaignPairingMethod, CampaignState, Cup, CupEntrant, Seeding
from campaigns.shortcuts import campaign_or_404, require_permission
from campaigns.view_helpers import campaign_context
from rosters.services import RefusedError
from rosters.site.forms import EditConflictMixin
from rosters.view_helpers import locked_for_edit, player, run_for_form

FormData = Mapping[str, object] | None  # the submitted data of a form
GROUPS = [
    ("0", "knock-out only"),
    *((str(n), f"{n} groups, then play-offs") for n in range(MIN_GROUPS, MAX_GROUPS + 1)),
]


class CupForm(EditConflictMixin, forms.Form):
    """The settings of a cup."""

    groups = forms.TypedChoiceField(choices=GROUPS, coerce=int, label="Format")
    advance = forms.TypedChoiceField(
        choices=[(str(n), f"top {n}" if n > 1 else "winner only") for n in range(1, MAX_ADVANCE + 1)],
        coerce=int,
        label="Advancing per group",
        help_text="Only used with groups.",
    )
    seeding = forms.ChoiceField(choices=Seeding.choices, label="Seeded")
    entrants = forms.IntegerField(
        min_value=0,
        max_value=MAX_ENTRANTS,
        label="Number of companies",
        help_text="From the top of the standings when the cup is drawn. 0 means all.",
    )
    has_third_place = forms.BooleanField(required=False, label="Match for third place")

    def settings(self) -> dict[str, Any]:
        """Return the arguments for `cup_set`. Only for valid forms."""
        return dict(self.cleaned_data)


def cup_initial(cup: Cup | None, pairing: str) -> dict[str, object]:
    """Return the form's initial values."""
    if cup is None:
        cup = Cup(groups=2 if pairing == CampaignPairingMethod.GROUPS else 0)
    return {
        "groups": str(cup.groups),
        "advance": str(cup.advance),
        "seeding": cup.seeding,
        "entrants": cup.entrants,
        "has_third_place": cup.has_third_place,
    }


class SeatsForm(EditConflictMixin, forms.Form):
    """The seed and group of each company in a drawn cup."""

    def __init__(self, data: FormData, *, places: Sequence[CupEntrant], groups: int) -> None:
        initial: dict[str, object] = {}
        for place in places:
            initial[f"seed-{place.enrolment_id}"] = place.seed
            initial[f"group-{place.enrolment_id}"] = str(place.group)
        super().__init__(data, initial=initial)
        self.places, self.groups = places, groups
        for place in places:
            name = place.enrolment.company.name
            self.fields[f"seed-{place.enrolment_id}"] = forms.IntegerField(
                min_value=1, max_value=len(places), label=f"Seed of {name}"
            )
            if groups:
                choices = [(str(number), f"Group {group_letter(number)}") for number in range(1, groups + 1)]
                self.fields[f"group-{place.enrolment_id}"] = forms.ChoiceField(
                    choices=choices, label=f"Group of {name}"
                )

    @property
    def rows(self) -> list[tuple[str, forms.BoundField, forms.BoundField | None]]:
        """Company, seed field and group field, in the order of the saved seeds."""
        return [
            (
                place.enrolment.company.name,
                self[f"seed-{place.enrolment_id}"],
                self[f"group-{place.enrolment_id}"] if self.groups else None,
            )
            for place in self.places
        ]

    def seats(self) -> dict[int, tuple[int, int]]:
        """Return the seats for `cup_seat`. Only for valid forms."""
        clean = self.cleaned_data
        return {
            place.enrolment_id: (
                clean[f"seed-{place.enrolment_id}"],
                int(clean.get(f"group-{place.enrolment_id}") or 0),
            )
            for place in self.places
        }


@require_http_methods(["GET", "POST"])
def cup(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the cup. A POST by an organiser (`act`: settings, draw or seats) sets it up."""
    found = campaign_or_404(request, pk)
    can_run = policy.can_run_campaign(request.user, found)
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.path)
    if request.method == "POST":
        require_permission(can_run)
    with locked_for_edit(request, found) as row:
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
        "cup_description": services.describe_cup(set_up) if set_up is not None else "",
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
        messages.error(request, "The cup has started, so its draw can't be changed.")
        return ""
    done: Cup | None = None
    if form.is_bound and form.is_valid():
        done = run_for_form(form, lambda: services.cup_set(campaign=row, by=by, **form.settings()))
    elif seats is not None and seats.is_bound and seats.is_valid():
        done = run_for_form(seats, lambda: services.cup_seat(campaign=row, by=by, seats=seats.seats()))
    if done is None:
        return ""
    return "Seeds saved." if seats is not None and seats.is_bound else "Cup saved."


def _draw(request: HttpRequest, row: Campaign) -> HttpResponse:
    try:
        services.cup_make_draw(campaign=row, by=player(request))
    except RefusedError as error:
        messages.error(request, error.reason)
    else:
        messages.success(request, "The cup is drawn. Check it, then plan its first round.")
    return redirect("campaigns:cup", pk=row.pk)
