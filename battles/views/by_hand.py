"""Logging a battle that was fought at the table: first who fought, then what became of each unit."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from battles.documents import Setup, read_setup
from battles.forms import BattleForms, HandForm, HandRow
from battles.selectors import SideLine, sides_of
from battles.services.by_hand import battle_log_by_hand
from battles.services.setups import forces_checked
from battles.views.parts import actor_of, player_of, refusal_of
from battles.views.quick import chosen_setup
from rosters.documents import DocumentError
from rosters.services import RefusedError


@login_required
@require_http_methods(["GET", "POST"])
def log(request: HttpRequest) -> HttpResponse:
    """The sides are chosen by GET, so that the grid has a URL; the grid is posted."""
    chosen = request.GET if request.GET.get("f-terrain") else None
    forms = BattleForms(chosen, player=actor_of(request))
    if chosen is None or not forms.is_valid() or "edit" in request.GET:
        return _choose(request, forms)
    try:
        document, forces = chosen_setup(forms)
        setup = read_setup(document)
        forces_checked(setup=setup, forces=forces, actor=player_of(request))
    except (RefusedError, DocumentError) as error:
        forms.errors.append(refusal_of(error))
        return _choose(request, forms)
    sides = sides_of(setup)
    data = request.POST if request.method == "POST" else None
    hand = HandForm(data, names=[side.name for side in sides])
    rows = [[HandRow(data, prefix=unit.key, unit=unit) for unit in side.units] for side in sides]
    refusals: list[tuple[str, str, str]] = []
    if data is not None:
        if all([hand.is_valid(), *(row.is_valid() for side in rows for row in side)]):
            try:
                battle = battle_log_by_hand(
                    setup=document,
                    forces=forces,
                    units={row.unit.key: row.hand() for side in rows for row in side},
                    winner=_winner(hand.cleaned_data["winner"], setup),
                    rounds=hand.cleaned_data["rounds"],
                    visibility=forms.field.cleaned_data["visibility"] or "public",
                    actor=player_of(request),
                    key=hand.cleaned_data["key"],
                )
                return redirect("battles:battle", key=battle.key)
            except RefusedError as error:
                refusals.append(_place(error, rows))
        refusals += _refusals(hand, rows)
    context = {"hand": hand, "grid": _grid(sides, rows), "errors": refusals, "query": request.GET.urlencode()}
    return render(request, "battles/log_grid.html", context, status=422 if refusals else 200)


def _choose(request: HttpRequest, forms: BattleForms) -> HttpResponse:
    errors = forms.all_errors()
    return render(request, "battles/log_sides.html", {"forms": forms, "errors": errors}, status=422 if errors else 200)


def _place(error: RefusedError, rows: list[list[HandRow]]) -> tuple[str, str, str]:
    """The refusal of a service, with the field of the grid that it speaks of."""
    _, _, place = error.field.partition("units.")
    for row in (row for side in rows for row in side):
        name = place.removeprefix(f"{row.unit.key}.")
        if place != name and name in row.fields:
            return row[name].auto_id, f"{row.unit.name}, {row[name].label}", error.reason
    return "", error.field.capitalize(), error.reason


def _winner(value: str, setup: Setup) -> str | None:
    return None if value == "draw" else setup.sides[int(value)].name


def _grid(sides: tuple[SideLine, ...], rows: list[list[HandRow]]) -> list[tuple[SideLine, list[HandRow]]]:
    return list(zip(sides, rows, strict=True))


def _refusals(hand: HandForm, rows: list[list[HandRow]]) -> list[tuple[str, str, str]]:
    found = [
        (hand[name].auto_id, str(hand[name].label), str(reason))
        for name, all_ in hand.errors.items()
        for reason in all_
    ]
    for row in (row for side in rows for row in side):
        for name, reasons in row.errors.items():
            found += [(row[name].auto_id, f"{row.unit.name}, {row[name].label}", str(reason)) for reason in reasons]
    return found
